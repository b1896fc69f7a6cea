/* An answer as part of a page, and ways to take it along. Loaded with the matcher, when it is first wanted.

   Text that was pasted only ever becomes text of the page (textContent); it is in no address. */
(() => {
  "use strict";

  const { words, decided } = globalThis.UnmetaResult;
  const REPORT = 6000; // characters of a report as they stand in an address, which takes some 8,000
  // Each keeps its first group. Keys of the hubs and clouds that such logs hold, what is assigned to a telling name, credentials in an address, home folders.
  const PRIVATE = [
    /\b(hf_|sk-|gh[opsu]_|github_pat_|glpat-|xox[abp]-|AKIA|eyJ)[\w.-]{8,}/g,
    /(\b(?:(?:hf_|hf_hub_|auth_|access_|api_|bearer_)?token|secret|passwd|password|api_?key)["']?\s*[=:]\s*["']?)(?!None\b|True\b|False\b)[^\s"',)]{6,}/gi,
    /(:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
    /((?:\/home|\/Users|[A-Z]:\\Users)[\\/])[^\\/\s"':]+/g,
  ];
  const BAR = /\d{1,3}%\|.{0,120}\||\b\d[\d.]*\s?(?:it|[kMG]?B)\/s\b|\bs\/it\b/; // a progress bar
  const SHORT = 120; // characters of a message that is shown as it was pasted; of a longer one the title is

  /** Builds what is shown with the tools of the page: make(), rich(), plural(), entry(), home, copyButton(), load(), site. */
  function builder({ make, rich, plural, entry, home, copyButton, load, site }) {
    const plain = (text) => rich(text);

    function marked(text, marks) {
      const parts = [];
      let end = 0;
      for (const [from, to] of marks) {
        parts.push(text.slice(end, from), make("mark", {}, text.slice(from, to)));
        end = to;
      }
      return [...parts, text.slice(end)];
    }

    function line(shown) {
      if (!shown.line) return null;
      const { number, place, text, marks } = shown.line;
      return make(
        "figure",
        { class: "um-quoted" },
        make("figcaption", {}, `Line ${number}${place ? ` · ${place}` : ""}`),
        make("pre", {}, make("code", { tabindex: "0" }, marked(text, marks))),
      );
    }

    function rows(fix) {
      const row = ([sign, text]) => {
        if (sign === "@") return make("span", { class: "um-row um-row-gap" }, "⋯");
        const tag = sign === "+" ? "ins" : sign === "-" ? "del" : "span";
        return make(
          tag,
          { class: "um-row" },
          make("span", { class: "um-sign", "aria-hidden": "true" }, sign === "-" ? "−" : sign),
          make("span", {}, text || " "),
        );
      };
      return make("pre", { class: "um-rows" }, make("code", { tabindex: "0" }, fix.rows.map(row)));
    }

    async function script(fix) {
      await load("assets/unmeta-scripts.js");
      return globalThis.UNMETA_SCRIPTS[fix.script];
    }

    function change(shown) {
      const { fix } = shown;
      if (!fix) return null;
      return make(
        "section",
        { class: "um-change", "aria-label": "The change" },
        make("h3", {}, make("span", { class: "um-label" }, "Change"), " ", plain(fix.title)),
        fix.goes && make("p", { class: "um-goes" }, fix.goes),
        fix.rows.length > 0 && rows(fix),
        fix.rows.length > 0 &&
          make(
            "div",
            { class: "um-copy", role: "group", "aria-label": "Copy" },
            fix.change && copyButton("Copy change", () => fix.change),
            copyButton("Copy diff", () => fix.diff),
            fix.script && copyButton("Copy script", () => script(fix)),
          ),
        make("p", { class: "um-ran" }, shown.ran),
      );
    }

    function asks(shown, state) {
      const said = shown.said.map((item) =>
        make(
          "li",
          { class: "um-ask-said" },
          make("span", {}, `You said ${item.answer ? "yes" : "no"}: `, plain(item.says)),
          make(
            "button",
            { type: "button", "data-focus": item.id, "aria-label": `Undo: ${item.says}`, click: () => state.answer(item.id, undefined) },
            "Undo",
          ),
        ),
      );
      const open = shown.questions.map((item) => {
        const button = (label, value) =>
          make(
            "button",
            {
              type: "button",
              "data-focus": value ? item.id : null,
              "aria-label": `${label}: ${item.says}`,
              click: () => state.answer(item.id, value),
            },
            label,
          );
        return make("li", { class: "um-ask-open" }, make("span", {}, plain(item.says)), make("span", { class: "um-answers" }, button("Yes", true), button("No", false)));
      });
      const all = state.fixed ? said.map((item) => (item.querySelector("button").remove(), item)) : [...said, ...open];
      return all.length > 0 && make("ul", { class: "um-asks", "aria-label": "Questions that tell the causes apart" }, all);
    }

    function listed(causes, first) {
      const item = (cause) =>
        make(
          "li",
          {},
          make("a", { class: "um-result-title", href: entry(cause.id) }, plain(cause.title)),
          cause.share !== null && make("span", { class: "um-share" }, ` ${cause.share} %`),
          cause.fix && make("p", { class: "um-fix-line" }, plain(cause.fix)),
        );
      return make("ol", { class: "um-listed", start: String(first) }, causes.map(item));
    }

    function recognised(answer) {
      if (!answer.seen.length) return null;
      const unique = [...new Map(answer.seen.map((seen) => [seen.id, seen])).values()];
      return make(
        "p",
        { class: "um-seen-in" },
        "Recognised: ",
        unique.map((seen, at) => [
          at ? " · " : "",
          make("a", { href: entry(seen.id) }, seen.text.length <= SHORT ? seen.text : plain(seen.title)),
          seen.line ? ` (line ${seen.line})` : "",
        ]),
      );
    }

    function next(answer) {
      if (!answer.next) return null;
      return make(
        "details",
        { class: "um-next" },
        make("summary", {}, "What to run next"),
        make("p", {}, answer.next.says),
        make("pre", {}, make("code", { tabindex: "0" }, answer.next.code)),
        make("div", { class: "um-copy" }, copyButton("Copy these lines", () => answer.next.code)),
      );
    }

    /** The address of the answer: on this site, or from a disk on the public one. */
    const link = (shown) =>
      location.protocol === "file:" ? shown.link : `${home}${shown.link.slice(shown.link.indexOf("#"))}`;

    /** The answer as Markdown, for a reply in a thread. */
    function markdown(answer, shown) {
      const address = (id) => `${globalThis.UNMETA_INDEX.site}e/${id}/`;
      const parts = [`**${shown.title}** (${address(shown.id)})`];
      if (shown.line) parts.push(`Line ${shown.line.number}: \`${shown.line.text.replaceAll("`", "'")}\``);
      parts.push(shown.why);
      if (shown.fix) parts.push(`**Change:** ${shown.fix.title}${shown.fix.goes && `. ${shown.fix.goes}`}${shown.fix.rows.length ? `\n\n\`\`\`diff\n${shown.fix.diff}\n\`\`\`` : ""}`, shown.ran);
      if (shown.trap) parts.push(`**Not this:** ${shown.trap}`);
      if (!decided(answer)) parts.push(`Other causes of the same message:\n\n${shown.others.map((cause) => `- ${cause.title} (${address(cause.id)})`).join("\n")}`);
      return `${parts.filter(Boolean).join("\n\n")}\n`;
    }

    /** The paste and the answer as a question to an assistant. */
    function question(answer, shown, text) {
      const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((found) => found[0].length + 1)));
      const asked = shown.questions.map((item) => `- ${item.says}`).join("\n");
      return [
        "My program fails with a PyTorch meta-tensor error. Help me apply the fix to my code.",
        text.trim() && `What was printed:\n\n${fence}text\n${text.trim()}\n${fence}`,
        `A field guide with fixes that were run names this as the likeliest cause:\n\n${markdown(answer, shown).trim()}`,
        asked && `It asks besides:\n\n${asked}`,
        "Say first whether this cause fits what I see, and which line shows it. Do not suggest to_empty() unless weights are loaded or initialised afterwards.",
      ]
        .filter(Boolean)
        .join("\n\n");
    }

    /** A paste without keys, passwords and the names of home folders: what looks like one is an ellipsis. */
    function masked(text) {
      let count = 0;
      for (const pattern of PRIVATE) {
        text = text.replace(pattern, (found, kept) => {
          count += 1;
          return `${kept}…`;
        });
      }
      return { text, count };
    }

    /** What of a paste a report holds: no progress bars, nothing that looks private, and of the lines the last that an address has room for. */
    function reported(whole, room) {
      const { text, count } = masked(whole);
      const lines = text.trimEnd().split("\n").map((line) => line.replace(/\r+$/, "").split("\r").at(-1).replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").trimEnd()); // prettier-ignore
      const kept = lines.filter((line, at) => !BAR.test(line) && (line || lines[at - 1]));
      const bars = lines.filter((line) => BAR.test(line)).length;
      let from = kept.length;
      for (let used = 0; from > 0; from--) {
        used += new URLSearchParams({ x: `${kept[from - 1]}\n` }).toString().length - 2;
        if (used > room) break;
      }
      const cut = from && from === kept.length ? [`… ${kept.at(-1).slice(-room / 4)}`] : kept.slice(from);
      const left = [from && `the first ${plural(from, "line")} of ${kept.length}, for an address holds no more`, bars && plural(bars, "progress bar"), count && `what looks private (${plural(count, "place")})`];
      return { text: (from ? [`… (${plural(from, "line")} left out)`, ...cut] : cut).join("\n").trim(), left: left.filter(Boolean).join("; ") };
    }

    /** The way to report what did not help or is not here: everything is shown, and editable, before it goes anywhere. */
    function report(answer, shown, text) {
      const told = shown ? `unmeta said: ${shown.id}${shown.fix ? ` (${shown.fix.id})` : ""}. It did not help.\n\n` : "";
      const open = make("a", { class: "md-button", target: "_blank", rel: "noopener" }, "Open the form on GitHub");
      const area = make("textarea", { rows: "8", spellcheck: "false", "aria-label": "What the report will hold" });
      const point = () => {
        open.href = `${site.repo}/issues/new?${new URLSearchParams({ template: "entry.yml", paste: area.value })}`;
      };
      area.addEventListener("input", point);
      const start = reported(text, REPORT);
      area.value = told + start.text;
      point();
      return make(
        "details",
        { class: "um-report" },
        make("summary", {}, shown ? "This did not help" : "A meta-tensor error all the same? Report it"),
        make("p", {}, "This is what the form will be filled with. Remove what is private. Nothing has been sent; the link opens the form, and you submit it there."),
        start.left && make("p", { class: "um-left-out" }, `Left out: ${start.left}.`),
        area,
        make("p", {}, open),
      );
    }

    function take(answer, shown, text) {
      return make(
        "div",
        { class: "um-take", role: "group", "aria-label": "Take the answer along" },
        copyButton("Copy link", () => link(shown)),
        copyButton("Copy as Markdown", () => markdown(answer, shown)),
        copyButton("Copy as a question", () => question(answer, shown, text)),
      );
    }

    /** All of an answer, and what is said of it to those who do not see it. */
    function build(answer, shown, text, state) {
      const heading = (children, kind) => make("h2", { id: "unmeta-verdict", tabindex: "-1", class: `um-verdict um-verdict-${kind}` }, children);
      if (!shown) {
        const why = answer.why_not;
        const parts = [
          heading(plain(answer.says), answer.verdict),
          why
            ? make("p", { class: "um-why-not" }, make("strong", {}, plain(why.title)), ". ", plain(why.says))
            : make("p", { class: "um-why-not" }, "Nothing in it speaks of the meta device. Where a tensor is on meta all the same, paste the whole output, first line to last."),
          report(answer, null, text),
        ];
        return [make("div", { class: "um-answer um-answer-none" }, parts)];
      }
      const own = { ...shown, fix: shown.fix?.title ?? "" };
      const sure = decided(answer);
      const parts = sure
        ? [
            make("p", { class: `um-says${shown.denied ? " um-denied" : ""}` }, words(answer, shown)[0][1]),
            heading(make("a", { class: "um-result-title", href: entry(shown.id) + (shown.face && `#face-${shown.face}`) }, plain(shown.title)), answer.verdict),
            line(shown),
            shown.why && make("p", { class: "um-why" }, plain(shown.why)),
            change(shown),
          ]
        : [heading(plain(answer.says), answer.verdict), asks(shown, state), line(shown)];
      if (sure) {
        parts.push(
          shown.elsewhere && make("p", { class: "um-not-yours" }, plain(shown.elsewhere)),
          state.versions,
          shown.trap && make("p", { class: "um-not" }, make("span", { class: "um-label" }, "Not this"), " ", plain(shown.trap)),
          asks(shown, state),
          shown.others.length > 0 &&
            make("details", { class: "um-others", open: shown.denied }, make("summary", {}, `Next causes (${shown.others.length})`), listed(shown.others, 2)),
        );
      } else parts.push(shown.means && make("p", { class: "um-means" }, plain(shown.means)), listed([own, ...shown.others], 1));
      return [
        make("div", { class: `um-answer um-answer-${sure ? "one" : "many"}` }, parts),
        make("div", { class: "um-after" }, take(answer, shown, text), recognised(answer), next(answer), !sure && state.versions, report(answer, shown, text)),
      ];
    }

    function spoken(answer, shown) {
      if (!shown) return answer.says;
      const [first] = words(answer, shown);
      return decided(answer) ? `${first[1]} ${shown.title}.` : `${answer.says} First: ${shown.title}.`;
    }

    return { build, spoken, markdown, question, link };
  }

  // --- an answer that came as a link -------------------------------------------------------------

  /** Ids and answers of a link's fragment; null for any other. Nothing of a paste is in it. */
  function linked(hash) {
    if (!hash.startsWith("#answer=")) return null;
    const given = new URLSearchParams(hash.slice(1));
    const ids = (name) => (given.get(name) ?? "").split(",").filter((id) => /^[\w-]{1,80}$/.test(id)).slice(0, 12);
    return { causes: ids("answer"), seen: ids("seen"), yes: ids("yes"), no: ids("no") };
  }

  /** An answer in the matcher's form of what a link names; null where it names nothing that is known. */
  function answerOf(link, index, { cards, stacks }, kept) {
    const known = new Map(index.causes.map((cause) => [cause.id, cause]));
    const causes = link.causes.filter((id) => known.has(id)).map((id) => ({ id, title: known.get(id).title, url: `${index.site}e/${id}/`, share: null, yes: [], no: [], open: [] })); // prettier-ignore
    if (!causes.length) return null;
    const titles = new Map(index.symptoms.map((symptom) => [symptom.id, symptom.title]));
    const seen = link.seen.filter((id) => titles.has(id)).map((id) => ({ id, title: titles.get(id), text: titles.get(id), line: 0 }));
    const answers = { ...Object.fromEntries(link.yes.map((id) => [id, true])), ...Object.fromEntries(link.no.map((id) => [id, false])) };
    const verdict = causes.length === 1 ? "cause" : "symptom";
    const says = causes.length === 1 ? "Sent to you: one cause fits." : "Sent to you: several causes may fit.";
    const answer = { known: true, verdict, says, symptoms: seen.map((item) => item.id), seen, causes, why_not: null, next: null };
    const empty = { paste: { lines: [], frames: [], versions: new Map() } };
    const shown = globalThis.UnmetaResult.result(index, empty, answer, answers, { cards, stacks }, kept);
    shown.others = causes.slice(1).map((cause) => ({ ...cause, fix: globalThis.UnmetaResult.chosen(cards[cause.id], answer, kept, [])[0]?.title ?? "" }));
    return { answer, shown, answers };
  }

  globalThis.UnmetaAnswer = { builder, linked, answerOf };
})();
