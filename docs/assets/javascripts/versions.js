/* The reader's versions: picked once, kept in this browser, and what pages say of them.

   Nothing is sent. Pages carry what is known as data: `data-applies` a range by package, `data-ran` the
   versions of the runs in which a fix reached its goal, and tables of runs have versions in their heads. */
(() => {
  "use strict";

  const KEY = "unmeta.versions";
  const NAMES = ["torch", "transformers", "accelerate"];
  const RELEASE = /^[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}[a-z0-9.+]{0,20}$/;

  function get() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
      return Object.fromEntries(NAMES.filter((name) => RELEASE.test(kept[name] ?? "")).map((name) => [name, kept[name]]));
    } catch {
      return {};
    }
  }

  function set(versions) {
    try {
      if (Object.keys(versions).length) localStorage.setItem(KEY, JSON.stringify(versions));
      else localStorage.removeItem(KEY);
    } catch {
      // a browser that keeps nothing: they hold until the page is left
    }
    for (const listener of listeners) listener(versions);
  }

  const listeners = [];
  let made = 0;
  const written = (versions) => NAMES.filter((name) => versions[name]).map((name) => `${name} ${versions[name]}`).join(", ");

  const summary = (yours) => `Your versions: ${written(yours) || "any"}`;

  /** A form for the versions, folded; `make` builds elements, `stated` are those that a paste states. */
  function picker(make, stated = {}) {
    const kept = get();
    const field = (name) => {
      const id = `unmeta-version-${++made}`;
      const input = make("input", {
        id, name, value: kept[name] ?? "", inputmode: "decimal", autocomplete: "off", spellcheck: "false",
        size: "8", placeholder: stated[name] ?? "any", pattern: RELEASE.source.slice(1, -1),
      }); // prettier-ignore
      return make("label", { for: id }, name, input);
    };
    const fields = NAMES.map(field);
    const form = make(
      "form",
      {
        class: "um-picker",
        submit: (event) => {
          event.preventDefault();
          const entered = fields.map((node) => node.querySelector("input")).filter((input) => RELEASE.test(input.value.trim()));
          set(Object.fromEntries(entered.map((input) => [input.name, input.value.trim()])));
        },
      },
      fields,
      make("button", { type: "submit" }, "Use these"),
      make(
        "button",
        {
          type: "button",
          click: () => {
            form.querySelectorAll("input").forEach((input) => {
              input.value = "";
            });
            set({});
          },
        },
        "Forget",
      ),
      make("span", { class: "um-privacy" }, "Kept in this browser only."),
    );
    return make("details", { class: "um-versions" }, make("summary", {}, summary({ ...kept, ...stated })), form);
  }

  // --- pages that answer for them ----------------------------------------------------------------

  const parsed = (node, name) => {
    try {
      return JSON.parse(node.dataset[name]);
    } catch {
      return null;
    }
  };

  /** Versions that the head of a table names, by column: a row for each package. */
  function headed(node) {
    const stacks = {};
    for (const row of node.tHead?.rows ?? []) {
      const [name, ...releases] = [...row.cells].map((cell) => cell.textContent.trim());
      releases.forEach((release, at) => {
        if (NAMES.includes(name) && RELEASE.test(release)) (stacks[at + 1] ??= {})[name] = release;
      });
    }
    return stacks;
  }

  function mark(node, text) {
    node.querySelectorAll(":scope > .um-yours").forEach((old) => old.remove());
    if (!text) return;
    const sign = document.createElement("span");
    sign.className = "um-yours";
    sign.textContent = text;
    node.append(sign);
  }

  function table(node, yours, nearest) {
    const stacks = headed(node);
    const known = Object.keys(stacks);
    if (known.length < 2) return;
    const near = Object.keys(yours).length ? nearest(known, stacks, yours, globalThis.UnmetaMatch.numbers) : null;
    for (const row of node.rows) {
      [...row.cells].forEach((cell, at) => cell.classList.toggle("um-near", near !== null && String(at) === near.name));
    }
    const place = node.closest(".um-runs, .um-matrix");
    place.querySelector(".um-near-says")?.remove();
    place.classList.toggle("um-narrow", near !== null);
    if (!near) return;
    const says = document.createElement("p");
    says.className = "um-near-says";
    const all = document.createElement("button");
    all.type = "button";
    all.className = "um-unfold";
    all.textContent = `All ${known.length} stacks`;
    all.addEventListener("click", () => {
      place.classList.remove("um-narrow");
      all.remove();
    });
    const column = written(stacks[near.name]);
    says.append(near.exact ? `Your versions: ${column}. ` : `Yours: ${written(yours)}. Nearest run: ${column}. `, all);
    place.prepend(says);
  }

  function apply(yours) {
    const { UnmetaMatch: match, UnmetaResult: shown } = globalThis;
    const picked = Object.keys(yours).length > 0;
    const fits = (node) => match.inside(parsed(node, "applies") ?? {}, new Map(Object.entries(yours)));
    const faces = [];
    for (const node of document.querySelectorAll("[data-applies]:not(.um-pick)")) {
      const told = fits(node);
      node.classList.toggle("um-elsewhere", told === -1);
      if (node.tagName === "DETAILS") {
        mark(node.querySelector(":scope > summary"), told === 1 ? "your versions" : told === -1 ? "not your versions" : "");
        if (node.classList.contains("um-wording")) node.open = told !== -1;
      }
      if (told === 1 && node.id.startsWith("face-")) faces.push(node);
    }
    for (const node of document.querySelectorAll("[data-ran]")) {
      const runs = parsed(node, "ran") ?? [];
      const stacks = Object.fromEntries(runs.map((run, at) => [`run ${at}`, run]));
      const days = (held) => Object.fromEntries(Object.entries(stacks).filter(([, run]) => run.held === held).map(([name, run]) => [name, run.day]));
      mark(node, picked ? shown.ran({ ran: days(true), missed: days(false) }, stacks, yours, match.numbers) : "");
    }
    for (const pick of document.querySelectorAll(".um-pick[data-applies]")) {
      pick.querySelector(".um-not-yours")?.remove();
      if (fits(pick) !== -1) continue;
      const says = document.createElement("p");
      says.className = "um-not-yours";
      says.append("Your versions do not have this as it stands here.");
      faces.forEach((face) => {
        const link = document.createElement("a");
        link.href = `#${face.id}`;
        link.textContent = face.querySelector("summary").firstChild.textContent.trim();
        says.append(" ", link);
      });
      pick.append(says);
    }
    document.querySelectorAll(".um-runs table, .um-matrix table").forEach((node) => table(node, yours, shown.nearest));
  }

  /** Let a page answer for the versions that are kept, and for those picked on it; `load` fetches scripts. */
  function follow(make, load) {
    document.querySelectorAll(".um-pick").forEach((place) => {
      const control = picker(make);
      place.prepend(control);
      listeners.push((yours) => {
        control.querySelector("summary").textContent = summary(yours);
        control.open = false;
      });
    });
    if (!document.querySelector("[data-applies], [data-ran], .um-runs table, .um-matrix table")) return;
    const show = async (yours) => {
      await Promise.all(["matcher.js", "result.js"].map((name) => load(`assets/javascripts/${name}`)));
      apply(yours);
    };
    listeners.push(show);
    if (Object.keys(get()).length) show(get());
  }

  globalThis.UnmetaVersions = { get, set, picker, follow, listeners };
})();
