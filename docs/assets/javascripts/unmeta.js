/* The paste box, pasted tracebacks in the header's search field, diffs and folds.

   What is big comes when it is first wanted: see matcher(). Text that was pasted only ever becomes text of the page (textContent), is kept nowhere and sent
   nowhere. Classic script, and the index is one too: modules and fetch() do not work on file://. */
(() => {
  "use strict";

  const site = JSON.parse(document.getElementById("unmeta-site").textContent);
  const base = new URL(`${site.base}/`, location.href);
  const page = (path) => new URL(path, base).href;
  const entry = (id) => page(`e/${id}${site.ending}`);

  const REASONS = 3; // clues that spoke for a cause, as the header shows them
  const ORDER = ["calls", "earlier", "through", "says", "holes", "ask", "version", "learnt"];
  const PAUSE = 120; // ms of quiet before typed text is explained

  /** An element with attributes (functions become listeners) and children. */
  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") node.addEventListener(name, value);
      else if (value === true) node.setAttribute(name, "");
      else if (value !== false && value != null) node.setAttribute(name, value);
    }
    node.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
    return node;
  }

  /** Text in which `code` becomes an element. */
  function rich(text) {
    return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? make("code", {}, part) : part));
  }

  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

  // --- the matcher, loaded when it is first wanted ---------------------------------------------

  const scripts = new Map();
  let loading = null;

  /** A script of the site, once; classic scripts, for modules do not work on file://. */
  function load(path) {
    if (!scripts.has(path)) {
      const arrived = new Promise((resolve, reject) => {
        const error = () => {
          scripts.delete(path);
          reject(new Error("A part of the page could not be loaded; reload it."));
        };
        document.head.append(make("script", { src: page(path), load: resolve, error }));
      });
      scripts.set(path, arrived);
    }
    return scripts.get(path);
  }

  function matcher() {
    const data = ["assets/unmeta-index.js", "assets/unmeta-answers.js"];
    loading ??= Promise.all([...["matcher", "result"].map((name) => `assets/javascripts/${name}.js`), ...data].map(load))
      .then(() => load("assets/javascripts/answer.js"))
      .then(() => globalThis.UnmetaMatch.load(globalThis.UNMETA_INDEX));
    loading.catch(() => {
      loading = null;
    });
    return loading;
  }

  // --- the box ------------------------------------------------------------------------------------

  function mount(root) {
    const example = root.dataset.example;
    const area = make("textarea", {
      id: "unmeta-paste",
      rows: example ? "9" : "5",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-describedby": "unmeta-privacy",
      placeholder: "Traceback (most recent call last):\n  …\nNotImplementedError: Cannot copy out of meta tensor; no data!",
    });
    const status = make("p", { class: "um-sr", role: "status" });
    const out = make("div", { class: "um-out" });
    const told = make("span", { class: "um-pasted-text" });
    const edit = make("button", { type: "button", click: () => unfold(true) }, "Edit");
    const folded = make(
      "div",
      { class: "um-pasted", hidden: true },
      told,
      make("span", { class: "um-answers" }, edit, make("button", { type: "button", click: () => put("") }, "Clear")),
    );
    const box = make(
      "div",
      { class: "um-box" },
      make(
        "div",
        { class: "um-box-head" },
        make("label", { for: "unmeta-paste" }, "Traceback, log, code or words"),
        make(
          "span",
          {},
          example && make("button", { type: "button", click: () => put(example) }, "Try an example"),
          make("button", { type: "button", click: () => put("") }, "Clear"),
        ),
      ),
      area,
    );
    const state = {
      answers: {},
      fixed: false,
      answer(id, value) {
        if (value === undefined) delete this.answers[id];
        else this.answers[id] = value;
        explain({ focus: id });
      },
    };
    let timer = 0;
    let turn = 0;
    let read = { text: null, evidence: null };
    let parts = null;

    function unfold(focus) {
      folded.hidden = true;
      box.hidden = false;
      if (focus) area.focus();
    }

    /** The box as one line, so that the verdict stands where it was. */
    function fold(text) {
      const lines = text.trim().split("\n");
      const last = lines.findLast((line) => /^\s*[\w.]*(Error|Exception|Exit|Interrupt)\b/.test(line)) ?? lines.at(-1);
      told.textContent = `${plural(lines.length, "line")} pasted · ${last.trim().slice(0, 200)}`;
      box.hidden = true;
      folded.hidden = false;
    }

    function fill(answer, shown, text) {
      const { UnmetaAnswer, UnmetaVersions } = globalThis;
      parts ??= UnmetaAnswer.builder({ make, rich, plural, entry, home: page(site.ending === "/" ? "" : "index.html"), copyButton, load, site });
      state.versions = UnmetaVersions.picker(make, shown?.yours);
      out.replaceChildren(...parts.build(answer, shown, text, state).filter(Boolean));
      status.textContent = parts.spoken(answer, shown);
    }

    /** Stand at the verdict: it is the first thing that is seen, and read out. */
    function stand() {
      const verdict = out.querySelector("#unmeta-verdict");
      verdict?.focus({ preventScroll: true });
      // A phone has no room for the folded box above it.
      const above = folded.hidden || matchMedia("(max-width: 44.9375em)").matches;
      (above ? (out.querySelector(".um-answer") ?? verdict) : folded)?.scrollIntoView({ block: "start" });
    }

    async function explain({ focus = null, arrived = false } = {}) {
      const mine = ++turn;
      const text = area.value;
      if (!text.trim()) {
        unfold(false);
        out.replaceChildren();
        status.textContent = "";
        return;
      }
      try {
        const found = await matcher();
        if (mine !== turn) return;
        if (read.text !== text) read = { text, evidence: found.evidence(text) };
        const answer = found.rank(read.evidence, state.answers);
        const kept = globalThis.UnmetaVersions.get();
        fill(answer, globalThis.UnmetaResult.result(found.index, read.evidence, answer, state.answers, globalThis.UNMETA_ANSWERS, kept), text);
      } catch (error) {
        if (mine === turn) out.replaceChildren(make("p", { class: "um-verdict", role: "alert" }, String(error.message)));
        return;
      }
      if (arrived) {
        fold(text);
        stand();
      } else if (focus) (out.querySelector(`[data-focus="${CSS.escape(focus)}"]`) ?? out.querySelector("#unmeta-verdict"))?.focus();
    }

    /** An answer that someone sent as a link: ids and answers, without the text that it was found in. */
    async function receive() {
      if (!location.hash.startsWith("#answer=")) return;
      const { index } = await matcher();
      const { linked, answerOf } = globalThis.UnmetaAnswer;
      const got = answerOf(linked(location.hash), index, globalThis.UNMETA_ANSWERS, globalThis.UnmetaVersions.get());
      if (!got) return;
      state.fixed = true;
      state.answers = got.answers;
      fill(got.answer, got.shown, "");
      stand();
    }

    const forget = () => {
      state.answers = {};
      state.fixed = false;
      if (location.hash.startsWith("#answer=")) history.replaceState(null, "", location.pathname + location.search);
    };
    area.addEventListener("paste", forget);
    area.addEventListener("input", (event) => {
      clearTimeout(timer);
      if (state.fixed) forget();
      const arrived = event.inputType === "insertFromPaste" || event.inputType === "insertFromDrop";
      timer = setTimeout(() => explain({ arrived }), arrived ? 0 : PAUSE);
    });
    const put = (text) => {
      forget();
      area.value = text;
      if (!text) {
        unfold(true);
        explain();
      } else explain({ arrived: true });
    };
    globalThis.UnmetaVersions.listeners.push(async () => {
      if (!out.firstChild) return;
      if (state.fixed) return receive();
      await explain();
      stand(); // the answer is another one now
    });
    root.replaceChildren(
      box,
      folded,
      status,
      out,
      make("p", { id: "unmeta-privacy", class: "um-privacy" }, "Matched in this page. Nothing you paste is stored or sent."),
    );
    if (example && !location.hash && matchMedia("(hover: hover)").matches) area.focus({ preventScroll: true });
    // Not for the focus that the page itself gave: who only reads needs no matcher.
    const begin = () => matcher().catch(() => {});
    for (const kind of ["focus", "pointerdown", "keydown"]) area.addEventListener(kind, begin, { once: true });
    addEventListener("hashchange", receive);
    receive();
    return put;
  }

  // --- a traceback in the header's search field -----------------------------------------------

  /** Long or many-lined text is a paste for the matcher; a few words are a search. */
  const isPaste = (text) => /\n/.test(text.trim()) || (text.trim().length > 30 && /\s/.test(text.trim()));

  function headerSearch(query) {
    const search = query.closest("[data-md-component=search]");
    const meta = search.querySelector(".md-search-result__meta");
    const list = search.querySelector(".md-search-result__list");
    // The theme searches for the field's words whenever a key is released, the field is entered or
    // its index arrives. While an answer stands, only editing the field may replace it.
    let held = null;
    const show = () => {
      if (meta.textContent !== held.says) meta.textContent = held.says;
      if (list.firstChild !== held.items[0] || list.childElementCount !== held.items.length) {
        list.replaceChildren(...held.items);
      }
    };
    new MutationObserver(() => held && show()).observe(search.querySelector(".md-search-result"), {
      childList: true,
      characterData: true,
      subtree: true,
    });
    query.addEventListener("focus", () => matcher().catch(() => {}), { once: true });
    query.addEventListener("input", () => {
      held = null;
    });
    search.addEventListener("reset", () => {
      held = null;
    });
    document.addEventListener(
      "keyup",
      (event) => {
        if (held && event.target === query) event.stopImmediatePropagation();
      },
      true,
    );
    query.addEventListener(
      "paste",
      async (event) => {
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (!isPaste(text)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        held = { says: "Looking …", items: [] };
        query.value = text.trim().split("\n").at(-1).trim().slice(0, 120);
        show();
        try {
          const answer = (await matcher()).explain(text, {});
          held = { says: answer.says, items: headerItems(answer, text) };
        } catch (error) {
          held = { says: String(error.message), items: [] };
        }
        show();
      },
      true,
    );
  }

  /** A paste beside any field goes to the box of the page, or to the search where there is none. */
  function strayPaste(explainHere, query) {
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!text.trim() || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]")) return;
      event.preventDefault();
      if (explainHere) return void explainHere(text);
      query?.focus();
      query?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: event.clipboardData, bubbles: true, cancelable: true }));
    });
  }

  /** The most telling clues for a cause; a wording is left out: it says nothing that the message does not. */
  function reasons(clues) {
    const rest = clues.filter((clue) => ORDER.includes(clue.clue));
    return rest.sort((a, b) => ORDER.indexOf(a.clue) - ORDER.indexOf(b.clue)).slice(0, REASONS);
  }

  function headerItems(answer, text) {
    const item = (id, title, teaser, score) =>
      make(
        "li",
        { class: "md-search-result__item" },
        make(
          "a",
          { class: "md-search-result__link", href: entry(id), tabindex: "-1" },
          make(
            "article",
            { class: "md-search-result__article md-typeset", "data-md-score": String(score) },
            make("h1", {}, rich(title)),
            make("p", {}, teaser),
          ),
        ),
      );
    if (!answer.known) {
      const why = answer.why_not;
      return why ? [make("li", { class: "md-search-result__item um-why-not" }, make("p", {}, rich(why.says)))] : [];
    }
    const causes = answer.causes.map((cause, at) => {
      const told = [
        ...reasons(cause.yes).map((clue) => ["✓ ", rich(clue.says)]),
        ...cause.open.map((clue) => ["? ", rich(clue.says)]),
      ];
      const [change] = globalThis.UnmetaResult.chosen(globalThis.UNMETA_ANSWERS.cards[cause.id], answer, globalThis.UnmetaVersions.get(), []);
      const lines = [change && ["Fix: ", rich(change.title)], told[0]].filter(Boolean);
      return item(cause.id, cause.title, lines.map((part, n) => [n ? make("br") : "", part]), 1000 - at);
    });
    const messages = [...new Map(answer.seen.map((seen) => [seen.id, seen])).values()];
    // A message alone is asked about as a message: its page comes first unless one cause is plain.
    const first = answer.verdict !== "cause" && !text.trim().includes("\n");
    const shown = messages.map((seen, at) =>
      item(seen.id, seen.title, "What it means, and all its causes", (first ? 2000 : 100) - at),
    );
    return first ? [...shown, ...causes] : [...causes, ...shown];
  }

  // --- diffs: lines far from a change fold away --------------------------------------------------

  function fold(diff) {
    const far = diff.querySelectorAll(".um-far").length;
    if (!far) return;
    diff.classList.add("um-folded");
    const button = make("button", {
      type: "button",
      class: "um-unfold",
      "aria-expanded": "false",
      click: () => {
        const open = diff.classList.toggle("um-folded") === false;
        button.setAttribute("aria-expanded", String(open));
        button.textContent = label(open);
      },
    });
    const all = diff.querySelectorAll(".um-line:not(del)").length;
    const label = (open) => (open ? "Show the change only" : `Show the code around it (${all} lines)`);
    button.textContent = label(false);
    diff.after(button);
  }

  // --- a change that can be taken along -------------------------------------------------------------

  function copyButton(label, text) {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", async () => {
      const told = await Promise.resolve(text()).then(put).then(() => "Copied", () => "Not copied");
      button.textContent = told;
      setTimeout(() => {
        button.textContent = label;
      }, 1500);
    });
    return button;
  }

  /** Text to the clipboard, also where the page came from a disk and has no clipboard of its own. */
  async function put(text) {
    if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
    const area = make("textarea", { "aria-hidden": "true", class: "um-sr" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) throw new Error("the browser does not copy");
  }

  /** The buttons of a change; one that only takes lines away says so, and there is nothing else to copy. */
  function takeAlong(diff) {
    const own = diff === document.querySelector(".um-diff") && document.querySelector(".um-script");
    const bar = diff.previousElementSibling;
    if (!bar?.classList.contains("um-file")) return;
    const signs = [...diff.dataset.diff.matchAll(/^[-+](?=.*\S)/gm)].map((found) => found[0]);
    const goes = signs.length > 0 && !signs.includes("+") && (signs.length === 1 ? "Delete this line." : `Delete these ${signs.length} lines.`);
    bar.append(
      goes ? make("span", { class: "um-goes" }, goes) : "",
      make(
        "span",
        { class: "um-copy", role: "group", "aria-label": "Copy" },
        signs.includes("+") && copyButton("Copy change", () => diff.dataset.change),
        copyButton("Copy diff", () => diff.dataset.diff),
        own && copyButton("Copy script", () => own.querySelector("pre").textContent),
      ),
    );
  }

  // --- long lists that are read by a word -------------------------------------------------------------

  function filter(place) {
    const items = [...document.querySelectorAll(".um-list li")].map((node) => [node, node.textContent.toLowerCase()]);
    const parts = [...document.querySelectorAll(".um-list")];
    const told = make("span", { class: "um-share", role: "status" });
    const field = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    const show = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const [node, text] of items) {
        node.hidden = !words.every((word) => text.includes(word));
        count += !node.hidden;
      }
      for (const part of parts) {
        part.hidden = ![...part.querySelectorAll("li")].some((node) => !node.hidden);
        if (part.previousElementSibling?.tagName === "H2") part.previousElementSibling.hidden = part.hidden;
      }
      told.textContent = words.length ? `${count} of ${items.length} entries` : "";
    };
    field.addEventListener("input", show);
    place.replaceChildren(make("label", {}, "Only those with ", field), told);
    show(); // what the browser kept in the field after Back
  }

  // --- folds: what a link points into opens -----------------------------------------------------------

  function reveal() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    let opened = false;
    for (let node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS" && !node.open) {
        node.open = true;
        node.classList.add("um-opened");
        opened = true;
      }
    }
    if (opened) target.scrollIntoView();
  }

  // The theme opens every fold for printing; what the reader left closed is left out of the print.
  document.addEventListener("click", (event) => {
    const fold = event.target instanceof Element && event.target.closest("summary")?.parentElement;
    if (fold) fold.classList.toggle("um-opened", !fold.open);
  });

  // --- code that scrolls can be scrolled with keys ---------------------------------------------------

  const scrolls = new ResizeObserver((seen) => {
    // All are measured before one is changed, or each would be laid out again.
    const wide = seen.map(({ target }) => target).filter((code) => code.scrollWidth > code.clientWidth);
    for (const code of wide) code.tabIndex = 0;
  });
  // The theme wraps tables once the page is there.
  addEventListener("load", () => {
    document.querySelectorAll("pre > :is(code, samp), .md-typeset__scrollwrap").forEach((code) => scrolls.observe(code));
  });

  // --- names for what the theme leaves nameless ----------------------------------------------------

  document.querySelector("[data-md-component=search]")?.setAttribute("aria-label", "Search");
  const content = document.querySelector(".md-content");
  const unmark = () =>
    content.querySelectorAll("nav.md-code__nav:not([role])").forEach((nav) => nav.setAttribute("role", "none"));
  if (content) new MutationObserver(unmark).observe(content, { childList: true, subtree: true });

  const root = document.getElementById("unmeta");
  const explainHere = root && mount(root);
  globalThis.UnmetaVersions.follow(make, load);
  const query = document.querySelector("[data-md-component=search-query]");
  if (query) headerSearch(query);
  strayPaste(explainHere, query);
  document.querySelectorAll(".um-diff").forEach((diff) => {
    takeAlong(diff);
    fold(diff);
  });
  document.querySelectorAll(".um-filter").forEach(filter);
  if (document.getElementById("um-offline")) load("assets/javascripts/offline.js").catch(() => {});
  addEventListener("hashchange", reveal);
  reveal();
})();
