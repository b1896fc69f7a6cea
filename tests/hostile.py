"""A site whose every text tries to run something: each kind of payload in each place that text comes from.

Run as a script it builds that site: `python tests/hostile.py OUT`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Cause, Fact, Stack, Symptom
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.kb.snippets import Snippet
from unmeta.match.compile import compile_index, to_json
from unmeta.site.source import Source

ROOT = Path(__file__).resolve().parents[1]
GOOD = ROOT / "tests" / "good"
IMG = "<img src=x onerror=pwned()>"
KINDS: Mapping[str, str] = {
    "script": "<script>pwned()</script>",
    "handler": IMG,
    "svg": "<svg/onload=pwned()><svg onload=pwned()>",
    "frame": '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>'
             '<object data="javascript:pwned()"></object>',
    "link": "[click](javascript:pwned()) <a href=javascript:pwned()>x</a>",
    "link-entity": "[click](&#106;avascript:pwned()) <a href='&#x6A;avascript:pwned()'>x</a>",
    "link-blank": '[click]( java\tscript:pwned() ) <a href=" java\nscript:pwned()">x</a>',
    "link-data": "[click](data:text/html,<script>pwned()</script>) [x](vbscript:pwned())",
    "reference": "[click][r]\n\n[r]: javascript:pwned() 'x'",
    "autolink": "<javascript:pwned()> <javascript://x/%0apwned()>",
    "picture": "![x](https://evil.example/x.png){: onerror=pwned() } ![x](javascript:pwned())",
    "attributes": '**bold**{: onmouseover="pwned()" style="position:fixed;inset:0" }',
    "attributes-of-code": "`code`{: onmouseover=pwned() } `code`{ onmouseover=pwned() }",
    "block-attributes": 'text\n{: onclick="pwned()" id="__config" }\n\n'
                        '# head {: #unmeta-site onclick=pwned() }',
    "escaped-backtick": f"\\`{IMG}\\` `a\\` {IMG} `b",
    "code-over-a-blank-line": f"`a\n\n{IMG}\n\n`",
    "uneven-backticks": f"`` ` {IMG} ``` {IMG} `",
    "end-of-title": "</title><script>pwned()</script></textarea></style><script>pwned()</script>",
    "end-of-attribute": "\"><script>pwned()</script><p title='' onmouseover='pwned()' "
                        'x="" onmouseover="pwned()"',
    "end-of-address": 'https://x.example/){:onmouseover=pwned()} https://x.example/"onmouseover="pwned()',
    "fence": "```{ .text onmouseover=pwned() }\nx\n```\n\n```\n</code></pre><script>pwned()</script>\n```",
    "unclosed-fence": f"```\n{IMG}",
    "comment": f"<!-- --!>{IMG} --> <!--> {IMG} <!-- unmeta: counts -->",
    "entities": "&lt;script&gt;pwned()&lt;/script&gt; &#60;img src=x onerror=pwned()&#62;",
    "admonition": f'!!! note "{IMG}"\n    {IMG}\n\n??? note onmouseover=pwned() "{IMG}"\n    x',
    "page": "<base href=https://evil.example/><meta http-equiv=refresh content='0;url=javascript:pwned()'>"
            "<link rel=stylesheet href=https://evil.example/x.css><style>@import 'https://evil.example/'</style>",
    "form": "<form action=javascript:pwned()><button formaction=javascript:pwned()>x</button></form>",
    "mutation": f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;{IMG}'>"
                f"<noscript><p title='</noscript>{IMG}'></noscript>",
    "clobber": "<form id=__config><input name=textContent></form>"
               "<div id=__md_scope data-md-component=search></div>",
    "json": "</script><script>pwned()</script> \u2028 \\u003cscript>pwned()</script>",
    "template": "{{ config }} {% raw %} {# x #} {{ 7 * 7 }} [[half-copied|" + IMG + "]] ![[half-copied]]",
    "wiki-link": f"[[{IMG}]] [[x|y](javascript:pwned())]] [[half-copied|](javascript:pwned())]]",
    "table": f"a | b | {IMG}\n--|--|--\n{IMG} | x | \\| {IMG}",
    "control": "\x00\x08\x1b]0;x\x07\x1b[2J\x9b2J \u202egnp\ufffe\x0b\x0c end",
    "front-matter": "---\ntemplate: x\n---\n'\"\ntitle: x\n",
}  # fmt: skip

OF_ENTRIES = ("front-matter", "unclosed-fence", "wiki-link", "template")  # mean something else on a page


def _cause(cause: Cause, name: str, evil: str) -> Cause:
    shown = cause.symptoms[0]
    clues = [
        shown.clues[0].model_copy(update={"ask": evil, "through": None}),
        *(
            shown.clues[0].model_copy(update={key: [evil], "through": None})
            for key in ("mentions", "says", "holes", "wording")
            if key in type(shown.clues[0]).model_fields
        ),
        shown.clues[0].model_copy(update={"through": [f"a.b:{evil}", f"{evil}:c"]}),
        shown.clues[0].model_copy(update={"earlier": [f"{name}-symptom"], "through": None}),
    ]
    ours = shown.model_copy(update={"id": f"{name}-symptom", "clues": clues, "tells": "with"})
    reference = {"kind": "issue", "url": f"https://x.example/{evil}", "note": evil}
    says: dict[str, Any] = {"title": evil, "why": evil, "costs": evil}
    face = {"id": "face", "title": evil, "symptoms": [ours.model_dump()]}
    base = cause.model_dump()
    return Cause.model_construct(
        **{name: getattr(cause, name) for name in base}
        | {
            "id": name,
            "title": evil,
            "summary": evil,
            "cause": evil,
            "unproved": evil,
            "upstream": evil,
            "aliases": [],
            "related": ["half-copied"],
            "symptoms": [ours],
            "fixes": [fix.model_copy(update=says) for fix in cause.fixes],
            "traps": [trap.model_copy(update=says) for trap in cause.traps],
            "faces": [_constructed("Face", face, ours)],
            "reports": [f"https://x.example/{evil}"],
            "references": [_constructed("Reference", reference)],
        }
    )


def _constructed(kind: str, values: dict[str, Any], shown: Any = None) -> Any:
    from unmeta.kb import model

    known = getattr(model, kind)
    return known.model_construct(**values | ({"symptoms": [shown]} if shown else {}))


def _symptom(symptom: Symptom, name: str, evil: str) -> Symptom:
    wording = next(iter(symptom.messages.values()))
    text = evil.replace("{", "{{").replace("}", "}}")
    return symptom.model_copy(
        update={
            "id": name,
            "title": evil,
            "type": [evil],
            "near_misses": [evil],
            "looks_like": evil,
            "note": evil,
            "aliases": [],
            "messages": {"plain": wording.model_copy(update={"text": f"{name} {text}", "unseen": evil})},
        }
    )


def _fact(fact: Fact, name: str, evil: str) -> Fact:
    from unmeta.kb.model import Operation

    row = {"group": "moves", "call": evil, "outcome": "raises", "symptom": None}
    return fact.model_copy(
        update={
            "id": name,
            "statement": evil,
            "says": evil,
            "aliases": [],
            "operations": [Operation.model_construct(**row)],
        }
    )


def _observation(evil: str, digest: str) -> Observation:
    frames = (
        Frame(evil, 9, evil, evil, library=False),
        Frame(f"torch/{evil}.py", 1000, evil, evil),
    )
    events = (
        Event("warning", evil, evil, origin=evil),
        Event("log", evil, evil, origin=evil),
        Event("exception", evil, evil, chain=(Raised(evil, evil, frames),)),
    )
    return Observation(
        digest,
        "raised",
        False,
        events,
        output=evil,
        note=evil,
        date="2026-01-02T03:04:05Z",
        versions={"torch": evil, evil: evil},
    )


def source() -> Source:
    """The tiny good catalogue with an entry of each kind of text for each kind of payload."""
    good = load(GOOD)
    causes, symptoms, facts = dict(good.causes), dict(good.symptoms), dict(good.facts)
    snippets, seen = dict(good.snippets), {}
    cause, symptom, fact = (
        good.causes["half-copied"],
        good.symptoms["nothing-to-copy"],
        good.facts["copy-raises"],
    )
    for kind, evil in KINDS.items():
        name = f"evil-{kind}"
        causes[name] = _cause(cause, name, evil)
        symptoms[f"{name}-symptom"] = _symptom(symptom, f"{name}-symptom", evil)
        facts[f"{name}-fact"] = _fact(fact, f"{name}-fact", evil)
        for key, snippet in good.snippets.items():
            new = key.replace("half-copied/", f"{name}/").replace("facts/copy-raises", f"facts/{name}-fact")
            quoted = evil.replace('"""', "").replace("\x00", "")
            snippets[new] = Snippet(new, f'"""{quoted}"""\n# {" ".join(quoted.split())}\n' + snippet.text)
            seen[new] = _observation(evil, snippets[new].digest)
    everything = " ".join(KINDS.values())
    stack = good.reference
    stacks = {stack.id: stack.model_copy(update={"title": everything})} | {
        "evil": Stack.model_construct(
            id="evil",
            title=everything,
            reference=False,
            python=everything,
            packages={"torch": everything},
            also=[everything],
            entries=[],
        )
    }
    catalogue = Catalogue(causes, symptoms, facts, stacks, snippets, good.noise, good.reports)
    runs = {
        stack.id: Runs(stack.id, "cpu", dict.fromkeys(stack.versions, everything), seen),
        "evil": Runs("evil", "cpu", {"torch": everything}, seen),
    }
    docs = {
        "index.md": "# Home\n\n<!-- unmeta: paste-box evil-handler -->\n\n<!-- unmeta: common-messages -->\n",
        "page.md": f"---\ntitle: '{IMG}'\ndescription: '\"><script>pwned()</script>'\n---\n# Page\n\n"
        + "\n\n".join(
            KINDS[kind]
            for kind in KINDS
            if kind not in ("front-matter", "unclosed-fence", "wiki-link", "template")
        ),
    }
    index = to_json(compile_index(catalogue))
    return Source(
        catalogue, runs, docs, index, "https://example.org/guide/", "https://example.org/repository"
    )


def places(value: Any, path: str = "") -> int:
    """How many texts of plain data hold a payload."""
    if isinstance(value, dict):
        return sum(places(item, f"{path}.{key}") for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return sum(places(item, path) for item in value)
    return int(isinstance(value, str) and "pwned" in value)


def build(out: Path, work: Path) -> None:
    """Build the site with the project's own configuration."""
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config

    import unmeta.site.mkdocs as adapter

    made = source()
    read: Callable[..., Source] = lambda *_, **__: made  # noqa: E731
    adapter.read = read
    work.mkdir(parents=True, exist_ok=True)
    (work / "docs").mkdir(exist_ok=True)
    for name in ("assets", "theme"):
        (work / "docs" / name).symlink_to(ROOT / "docs" / name)
    for name, text in made.docs.items():
        (work / "docs" / name).write_text(text, encoding="utf-8")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    start, end = settings.index("\nnav:\n"), settings.index("\ntheme:\n")
    (work / "mkdocs.yml").write_text(settings[:start] + settings[end:], encoding="utf-8")
    build_site(load_config(str(work / "mkdocs.yml"), site_dir=str(out)))
    of = made.catalogue
    entries = [*of.causes.values(), *of.symptoms.values(), *of.facts.values()]
    count = sum(places(entry.model_dump(warnings=False)) for entry in entries)
    (out / "places.json").write_text(json.dumps(count))


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve(), Path(sys.argv[1]).resolve().with_suffix(".work"))
