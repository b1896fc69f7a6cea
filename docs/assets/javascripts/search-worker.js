/* Answers the header's search. The theme hands queries to a worker of the site's choice and shows the pages that
   come back; this one loads its index with the first query. A query that is a message, or a part of one, is
   answered by that message's page first; the rest is full-text search by MiniSearch.

   From a disk it runs in a hidden frame (iframe-worker.js), which loads scripts in place of importScripts(). */
(() => {
  "use strict";

  const [SETUP, READY, QUERY, RESULT] = [0, 1, 2, 3]; // messages of the theme
  const PAGES = 15; // more results are no answer
  const TEASER = 160; // characters
  const PART = 8; // characters of a message that are taken for a part of it
  const FIND = "Find: paste the whole traceback";
  const TELLS = "It tells the causes of this message apart, and shows the change in the names of your own code. Nothing leaves the page.";
  const FIELDS = { title: 6, messages: 4, text: 1 };
  const SCRIPTS = ["vendor/minisearch.js", "../unmeta-search.js"];

  const self_ = document_();
  const here = new URL(self_ ? self_.currentScript.src : location.href);
  const ending = here.searchParams.get("ending") ?? "/";

  function document_() {
    return typeof document === "undefined" ? null : document;
  }

  // --- text ----------------------------------------------------------------------------------------

  /** Text as two people would type it alike: one kind of quote, one blank, no capitals. */
  const alike = (text) =>
    text.toLowerCase().replace(/[`´‘’“”"]/g, "'").replace(/[\s\u00a0]+/g, " ").trim();

  /** A query without what surrounds a message when it is copied: quotes, the exception's name. */
  const core = (query) =>
    alike(query)
      .replace(/^(?:[\w.]+(?:error|exception|warning)): /, "")
      .replace(/^['«(]+|['»).]+$/g, "");

  const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

  /** Words, and the parts of names: `to_empty` is found by `empty` too. */
  const words = (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const parts = (term) => {
    const low = term.toLowerCase();
    return low.includes("_") ? [low, ...low.split("_").filter((part) => part.length > 1)] : low;
  };

  function teaser(text, terms) {
    const low = text.toLowerCase();
    const at = Math.max(0, Math.min(...terms.map((term) => low.indexOf(term)).filter((place) => place >= 0), text.length));
    const start = at < text.length ? Math.max(0, low.lastIndexOf(". ", at) + 1) : 0;
    const from = at - start > TEASER / 2 ? Math.max(0, low.lastIndexOf(" ", at - 40)) : start;
    const rest = text.slice(from).trim();
    if (rest.length <= TEASER) return (from ? "… " : "") + marked(rest, terms);
    const end = rest.lastIndexOf(" ", TEASER); // between words
    return (from ? "… " : "") + marked(rest.slice(0, end > 0 ? end : TEASER), terms) + " …";
  }

  /** A text with the words, or the beginnings of words, that were asked for; of short ones whole words only. */
  function marked(text, terms) {
    const found = terms.filter((term) => term.length > 1).map((term) => term.replace(/[^\p{L}\p{N}_]/gu, ""));
    if (!found.length) return escape(text);
    const sorted = found.sort((a, b) => b.length - a.length).map((term) => (term.length < 4 ? `${term}(?![\\p{L}\\p{N}])` : term));
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${sorted.join("|")})`, "iu");
    return text
      .split(pattern)
      .map((part, at) => (at % 2 ? `<mark>${escape(part)}</mark>` : escape(part)))
      .join("");
  }

  // --- the index -----------------------------------------------------------------------------------

  let loading = null;

  function load(name) {
    const url = new URL(name, here).href;
    if (!self_) return void importScripts(url);
    return new Promise((resolve, reject) => {
      const script = self_.createElement("script");
      script.src = url;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${url} could not be loaded`));
      self_.head.append(script);
    });
  }

  function index() {
    loading ??= (async () => {
      for (const name of SCRIPTS) await load(name);
      const pages = globalThis.UNMETA_SEARCH.map(([place, title, text, messages = []], id) => ({
        id,
        place,
        title,
        text,
        messages: messages.map((message) => message.join(" ")).join(" "),
        literals: messages.map((message) => message.map(alike)),
      }));
      const engine = new globalThis.MiniSearch({ fields: Object.keys(FIELDS), tokenize: words, processTerm: parts });
      engine.addAll(pages);
      return { pages, engine };
    })();
    loading.catch(() => {
      loading = null;
    });
    return loading;
  }

  // --- an answer -----------------------------------------------------------------------------------

  /** How well a query is a message: 2 all of it, 1 a part, 0 no; the index holds common messages first. */
  function isMessage(query, literals) {
    let at = 0;
    const whole = literals.every((part) => {
      const place = query.indexOf(part.replace(/[.\s]+$/, ""), at);
      at = place + part.length;
      return place >= 0;
    });
    if (whole && literals.join("").length > PART) return 2;
    return query.length >= PART && /\s|[_.(]/.test(query) && literals.some((part) => part.includes(query)) ? 1 : 0;
  }

  /** Pages of messages that the query is, or is a part of: the longest first, of parts the most common. */
  function messages(pages, query) {
    const found = [];
    for (const page of pages) {
      let best = 0;
      let length = 0;
      for (const literals of page.literals) {
        const rank = isMessage(query, literals);
        const size = literals.join("").length;
        if (rank > best || (rank === best && rank === 2 && size > length)) [best, length] = [rank, size];
      }
      if (best) found.push({ page, best, length: best === 2 ? length : 0 });
    }
    found.sort((a, b) => b.best - a.best || b.length - a.length || a.page.id - b.page.id);
    return found.map(({ page }) => page);
  }

  function search({ pages, engine }, query) {
    const options = {
      boost: FIELDS,
      prefix: (term, at, terms) => at === terms.length - 1 && term.length > 1,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
      weights: { fuzzy: 0.2, prefix: 0.5 },
      processTerm: (term) => term.toLowerCase(),
    };
    const every = engine.search(query, { ...options, combineWith: "AND" });
    return (every.length ? every : engine.search(query, options)).map(({ id }) => pages[id]);
  }

  function item(page, terms, score) {
    const [path, anchor] = page.place.split("#");
    const folder = !path || path.endsWith("/");
    const file = folder ? path + (ending === "/" ? "" : `index${ending}`) : path + ending;
    return {
      location: file + (anchor ? `#${anchor}` : ""),
      title: marked(page.title, terms),
      text: teaser(page.text, terms),
      terms: {},
      score,
    };
  }

  /** Groups as the theme shows them: a page, then those of its sections that fit. */
  function answer(held, query) {
    const terms = [...new Set(words(query.toLowerCase()))];
    const exact = messages(held.pages, core(query));
    // Whoever searches for a message has one: after its page comes the box that tells its causes apart.
    const paste = exact.length ? [{ place: "", title: FIND, text: TELLS }] : [];
    const ordered = [...new Set([...exact.slice(0, 1), ...paste, ...exact.slice(1), ...search(held, query)])];
    const groups = new Map();
    for (const page of ordered) {
      const key = page.place.split("#")[0];
      if (!groups.has(key) && groups.size === PAGES) continue;
      groups.set(key, [...(groups.get(key) ?? []), page]);
    }
    return [...groups].map(([key, found], at) => {
      const parent = found.find((page) => page.place === key) ?? held.pages.find((page) => page.place === key);
      const sections = found.filter((page) => page !== parent).slice(0, 3);
      const score = 1000 - at;
      return [item(parent, terms, score), ...sections.map((page) => item(page, terms, score))];
    });
  }

  let turn = 0;

  addEventListener("message", async ({ data: { type, data } }) => {
    if (type === SETUP) postMessage({ type: READY });
    if (type !== QUERY) return;
    const mine = ++turn;
    let items = [];
    try {
      if (data.trim()) items = answer(await index(), data); // the theme asks for nothing as soon as it is ready
    } catch {
      // as without a hit: the theme has no words for a search that failed
    }
    if (mine === turn) postMessage({ type: RESULT, data: { items } });
  });
})();
