/* The paste box of the home page, and pasted tracebacks in the header's search field.

   Text that was pasted only ever becomes text of the page (textContent), is kept nowhere and sent
   nowhere. Classic script, and the index is one too: modules and fetch() do not work on file://. */
(() => {
  "use strict";

  const site = JSON.parse(document.getElementById("unmeta-site").textContent);
  const base = new URL(`${site.base}/`, location.href);
  const page = (path) => new URL(path, base).href;
  const entry = (id) => page(`e/${id}${site.ending}`);

  const SHOWN = 3; // causes that are shown with their clues where none stands out; the rest are links
  const REASONS = 3; // clues that spoke for a cause, and against it, as shown
  // The most telling first. A wording is left out: it says nothing that the message does not.
  const ORDER = ["calls", "earlier", "through", "says", "holes", "ask", "version", "learnt", "not_earlier", "not_through"];
  const SHORT = 120; // characters of a message that is shown as it was pasted; of a longer one the title is
  const QUESTIONS = 2; // open questions of one cause at a time
  const REPORT = 4000; // characters of a report: addresses must stay short
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

  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  // --- the matcher, loaded when it is first wanted ---------------------------------------------

  let loading = null;

  function script(path) {
    return new Promise((resolve, reject) => {
      const error = () => reject(new Error("The index could not be loaded; reload the page."));
      document.head.append(make("script", { src: page(path), load: resolve, error }));
    });
  }

  function matcher() {
    loading ??= Promise.all([script("assets/javascripts/matcher.js"), script("assets/unmeta-index.js")]).then(
      () => globalThis.UnmetaMatch.load(globalThis.UNMETA_INDEX),
    );
    loading.catch(() => {
      loading = null;
    });
    return loading;
  }

  // --- what an answer looks like -----------------------------------------------------------------

  function headline(answer) {
    const { causes } = answer;
    if (!answer.known || !causes.length) return answer.says;
    if (answer.verdict === "cause") return `${answer.says} ${causes[0].title}.`;
    return `${answer.says} ${plural(causes.length, "cause")}; first: ${causes[0].title}.`;
  }

  function seenList(answer) {
    if (!answer.known || !answer.seen.length) return null;
    const unique = [...new Map(answer.seen.map((seen) => [seen.id, seen])).values()];
    return make(
      "p",
      { class: "um-seen-in" },
      "Recognised: ",
      unique.map((seen, at) => [
        at ? " · " : "",
        make("a", { href: entry(seen.id) }, seen.text.length <= SHORT ? seen.text : seen.title),
        seen.line ? ` (line ${seen.line})` : "",
      ]),
    );
  }

  /** The line of the paste that a clue is read from, as it stands there. */
  function quote(clue) {
    return clue.line ? [` Line ${clue.line}: `, make("code", {}, clue.text)] : null;
  }

  function clueItem(clue, kind, state) {
    const answered = clue.id in state.answers;
    const signs = { yes: "✓", no: "✗" };
    return make(
      "li",
      { class: `um-clue um-clue-${kind}` },
      make("span", { "aria-hidden": "true" }, signs[kind]),
      make("span", { class: "um-sr" }, kind === "yes" ? "speaks for it: " : "speaks against it: "),
      make("span", {}, rich(clue.says), quote(clue)),
      answered &&
        make(
          "button",
          { type: "button", class: "um-undo", "data-focus": clue.id, click: () => state.answer(clue.id, undefined) },
          `you said ${state.answers[clue.id] ? "yes" : "no"}, undo`,
        ),
    );
  }

  function question(clue, state) {
    const button = (label, value) =>
      make(
        "button",
        {
          type: "button",
          "data-focus": value ? clue.id : null,
          "aria-label": `${label}: ${clue.says}`,
          click: () => state.answer(clue.id, value),
        },
        label,
      );
    return make(
      "li",
      { class: "um-clue um-clue-open" },
      make("span", { "aria-hidden": "true" }, "?"),
      make("span", {}, rich(clue.says)),
      make("span", { class: "um-answers" }, button("Yes", true), button("No", false)),
    );
  }

  /** The clues worth showing, the person's own answers always among them. */
  function reasons(clues, answers) {
    const said = clues.filter((clue) => clue.id in answers);
    const rest = clues.filter((clue) => !(clue.id in answers) && ORDER.includes(clue.clue));
    rest.sort((a, b) => ORDER.indexOf(a.clue) - ORDER.indexOf(b.clue));
    return [...said, ...rest.slice(0, REASONS)];
  }

  function fixLine(cause) {
    const fix = globalThis.UNMETA_FIXES?.[cause.id];
    return fix && make("p", { class: "um-fix-line" }, make("b", {}, "Fix"), " ", rich(fix));
  }

  function causeItem(cause, state) {
    return make(
      "li",
      { class: "um-result" },
      make("a", { class: "um-result-title", href: entry(cause.id) }, rich(cause.title)),
      make("span", { class: "um-share" }, ` ${cause.share} %`),
      fixLine(cause),
      make(
        "ul",
        { class: "um-clues" },
        reasons(cause.yes, state.answers).map((clue) => clueItem(clue, "yes", state)),
        reasons(cause.no, state.answers).map((clue) => clueItem(clue, "no", state)),
        cause.open.slice(0, QUESTIONS).map((clue) => question(clue, state)),
      ),
    );
  }

  function others(causes) {
    if (!causes.length) return null;
    return make(
      "details",
      { class: "um-others" },
      make("summary", {}, `${plural(causes.length, "less likely cause")}`),
      make(
        "ul",
        {},
        causes.map((cause) => make("li", {}, make("a", { href: entry(cause.id) }, rich(cause.title)))),
      ),
    );
  }

  function next(answer) {
    if (!answer.next) return null;
    return make(
      "div",
      { class: "um-next" },
      make("h2", {}, "What to run next"),
      make("p", {}, answer.next.says),
      answer.next.code && make("pre", {}, make("code", { tabindex: "0" }, answer.next.code)),
    );
  }

  /** The way to report an error that is not here: everything is shown, and editable, before it goes anywhere. */
  function report(text, known) {
    const lines = text.trim();
    const start = lines.length > REPORT ? `…\n${lines.slice(-REPORT)}` : lines;
    const link = make("a", { class: "md-button", target: "_blank", rel: "noopener" }, "Open the form on GitHub");
    const area = make("textarea", {
      rows: "8",
      spellcheck: "false",
      "aria-label": "What the report will hold",
      input: () => point(),
    });
    const point = () => {
      const query = new URLSearchParams({ template: "entry.yml", paste: area.value });
      link.href = `${site.repo}/issues/new?${query}`;
    };
    area.value = start;
    point();
    return make(
      "details",
      { class: "um-report" },
      make("summary", {}, known ? "None of these? Report it" : "A meta-tensor error all the same? Report it"),
      make(
        "p",
        {},
        "This is what the form will be filled with. Remove what is private. Nothing has been sent; the link opens the form, and you submit it there.",
      ),
      area,
      make("p", {}, link),
    );
  }

  /** Everything below the box, for one answer. */
  function results(answer, text, state) {
    const { causes } = answer;
    const shown = answer.known ? causes.slice(0, answer.verdict === "cause" ? 1 : SHOWN) : [];
    return [
      make("p", { class: `um-verdict um-verdict-${answer.verdict}` }, rich(answer.says)),
      answer.why_not &&
        make("p", { class: "um-why-not" }, make("strong", {}, rich(answer.why_not.title)), " ", rich(answer.why_not.says)),
      shown.length > 0 &&
        make("ol", { class: "um-results" }, shown.map((cause) => causeItem(cause, state))),
      answer.known && others(causes.slice(shown.length)),
      seenList(answer),
      next(answer),
      report(text, answer.known),
    ];
  }

  // --- the box of the home page ------------------------------------------------------------------

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
    const state = {
      answers: {},
      answer(id, value) {
        if (value === undefined) delete this.answers[id];
        else this.answers[id] = value;
        explain(id);
      },
    };
    let timer = 0;
    let turn = 0;

    async function explain(focus) {
      const mine = ++turn;
      const text = area.value;
      if (!text.trim()) {
        out.replaceChildren();
        status.textContent = "";
        return;
      }
      let answer;
      try {
        answer = (await matcher()).explain(text, state.answers);
      } catch (error) {
        if (mine === turn) out.replaceChildren(make("p", { class: "um-verdict", role: "alert" }, String(error.message)));
        return;
      }
      if (mine !== turn) return;
      out.replaceChildren(...results(answer, text, state).filter(Boolean));
      status.textContent = headline(answer);
      if (focus) out.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus();
    }

    const forget = () => {
      state.answers = {};
    };
    area.addEventListener("paste", forget);
    area.addEventListener("input", (event) => {
      clearTimeout(timer);
      const pasted = event.inputType !== "insertText" && event.inputType !== "deleteContentBackward";
      timer = setTimeout(explain, pasted ? 0 : PAUSE);
    });
    const put = (text) => {
      forget();
      area.value = text;
      explain();
      area.focus({ preventScroll: true });
    };
    root.replaceChildren(
      make(
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
      ),
      status,
      out,
      make("p", { id: "unmeta-privacy", class: "um-privacy" }, "Matched in this page. Nothing you paste is stored or sent."),
    );
    if (example && !location.hash && matchMedia("(hover: hover)").matches) area.focus({ preventScroll: true });
    // Not for the focus that the page itself gave: who only reads needs no matcher.
    const begin = () => matcher().catch(() => {});
    for (const kind of ["focus", "pointerdown", "keydown"]) area.addEventListener(kind, begin, { once: true });
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
        ...reasons(cause.yes, {}).map((clue) => ["✓ ", rich(clue.says)]),
        ...cause.open.map((clue) => ["? ", rich(clue.says)]),
      ];
      const fix = globalThis.UNMETA_FIXES?.[cause.id];
      const lines = [fix && ["Fix: ", rich(fix)], told[0]].filter(Boolean);
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
      const told = await put(text()).then(() => "Copied", () => "Press Ctrl+C");
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

  function takeAlong(diff) {
    const own = diff === document.querySelector(".um-diff") && document.querySelector(".um-script");
    const bar = diff.previousElementSibling;
    if (!bar?.classList.contains("um-file")) return;
    bar.append(
      make(
        "span",
        { class: "um-copy", role: "group", "aria-label": "Copy" },
        copyButton("Copy change", () => diff.dataset.change),
        copyButton("Copy diff", () => diff.dataset.diff),
        own && copyButton("Copy script", () => own.querySelector("pre").textContent),
      ),
    );
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
  const query = document.querySelector("[data-md-component=search-query]");
  if (query) headerSearch(query);
  strayPaste(explainHere, query);
  document.querySelectorAll(".um-diff").forEach((diff) => {
    takeAlong(diff);
    fold(diff);
  });
  if (document.getElementById("um-offline")) script("assets/javascripts/offline.js").catch(() => {});
  addEventListener("hashchange", reveal);
  reveal();
})();
