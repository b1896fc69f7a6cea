"""Compile the knowledge base and the fitted weights into the matcher's index.

The only part of this room that reads `unmeta.kb`. The index is plain JSON: whole numbers and strings.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from unmeta.address import SITE
from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Cause, Clue, Kind, Symptom
from unmeta.kb.sentences import SENTENCES
from unmeta.match.evidence import squash
from unmeta.match.pack import pack
from unmeta.match.template import Template
from unmeta.match.wordings import sought

FORMAT = 3
ANSWER = 400  # hundredths of a logit of an answer that the person gives
TELLS = 24  # characters of an exception's wording that are hardly met by chance
TELLING = 60  # of what was learnt about a line, to be named as a reason
CLAIMS = (
    "final", "other", "unexplained", "unshown", "alone", "through", "path", "not_through", "against",
    "earlier", "no_earlier", "not_earlier", "calls", "says", "holes", "version", "version_no", "elsewhere",
    "wording", "wording_no",
)  # fmt: skip
"""What is claimed by entries, each with one fitted weight."""
AGAINST = frozenset(
    ("unexplained", "unshown", "not_through", "against", "no_earlier", "not_earlier", "version_no",
     "elsewhere", "wording_no")
)  # fmt: skip
PLAIN: dict[str, Any] = {"groups": {name: -100 if name in AGAINST else 100 for name in CLAIMS}}
"""Weights of a catalogue that nothing was fitted to: every claim counts one logit."""
SAYS = {
    "cause": "One cause fits.",
    "symptom": "The message is known, but several causes end in it. The questions tell them apart.",
    "guess": "No known message stands in this text; these causes fit its words.",
    "unlisted": "This is about the meta device, but its message is not known here yet.",
    "look-alike": "This is not a problem of the meta device.",
    "nothing": "No meta-tensor error that is known here stands in this text.",
    **SENTENCES,
    "learnt": "Known cases of this cause show this line or one like it.",
    "next": (
        "Run these two lines where the model is at hand and add what they print; "
        "paste the whole traceback, and the lines that load the model."
    ),
    "code": (
        "m = {k: [(n, t.is_meta) for n, t in f()] for k, f in "
        '(("parameters", model.named_parameters), ("buffers", model.named_buffers))}\n'
        'print(*(f"{k}: {sum(x for _, x in v)} of {len(v)} on meta {[n for n, x in v if x][:20]}" '
        "for k, v in m.items()), "
        'f"accelerate hooks: {sum(hasattr(x, \'_hf_hook\') for x in model.modules())}", sep="\\n")'
    ),
}


def compile_index(
    catalogue: Catalogue,
    site: str = SITE,
    weights: Mapping[str, Any] = PLAIN,
) -> dict[str, Any]:
    """The index of a catalogue. `site` is the address that the urls of entries are appended to; `weights`
    as `unmeta.train` fits them.
    """
    causes = list(catalogue.causes.values())
    grammar = grammar_here()
    places = {symptom: at for at, symptom in enumerate(catalogue.symptoms)}
    groups = {**PLAIN["groups"], **weights["groups"]}
    clues = _Clues(causes, places)
    order = {cause.id: at for at, cause in enumerate(causes)}
    learnt = {
        feature: {order[cause]: points for cause, points in by.items() if cause in order}
        for feature, by in weights.get("learnt", {}).items()
    }
    bias = weights.get("bias", {})
    least = min(bias.values(), default=0)
    return {
        "format": FORMAT,
        "site": site,
        "says": SAYS,
        "grammar": {name: value for name, value in grammar.items() if name != "messages"},
        "weights": {**{name: groups[name] for name in CLAIMS}, "answer": ANSWER},
        "heat": weights.get("heat", 100),
        "sure": weights.get("sure", 90),
        "guess": weights.get("guess", 10),
        "telling": TELLING,
        "symptoms": [_symptom(symptom, causes) for symptom in catalogue.symptoms.values()],
        "causes": [_cause(cause, places, clues) for cause in causes],
        "bias": [bias.get(cause.id, least) for cause in causes],
        "clues": clues.table,
        "written": clues.written,
        "learnt": pack({feature: by for feature, by in learnt.items() if by}),
        "known": weights.get("known") or KNOWN,
        "messages": {
            name: {
                "meta": int(message.get("meta", False)),
                "texts": [Template(text).folded for text in message["texts"]],
            }
            for name, message in grammar["messages"].items()
        },
        "lookalikes": [
            {
                "id": other.id,
                "title": other.title,
                "says": other.says,
                "final": int(other.final),
                "strong": int(other.strong),
                "messages": [Template(text).folded for text in other.messages],
            }
            for other in catalogue.lookalikes.values()
        ],
    }


KNOWN: dict[str, Any] = {
    "bias": -100,
    "weights": {
        "! raised 0": 300, "! notice 0": 300, "! spoken 1": 300, "! raised 1": 50, "! spoken 0": 50,
        "! sign message": 200, "! sign prose": 200, "! sign log": 200, "! sign code": 100,
        "! alike": -100, "! alike alone": -100, "! alike final": -400,
    },
}  # fmt: skip
"""How a text is told to be about the meta device where nothing was fitted."""


def to_json(index: Mapping[str, Any]) -> str:
    """The index as compact JSON text."""
    return json.dumps(index, ensure_ascii=True, separators=(",", ":")) + "\n"


def read_grammar(root: Path) -> dict[str, Any]:
    """How pasted text is read, from `root/kb/grammar.yaml`."""
    grammar: dict[str, Any] = yaml.safe_load((root / "kb" / "grammar.yaml").read_text(encoding="utf-8"))
    return grammar


def read_weights(root: Path) -> dict[str, Any]:
    """The fitted weights of `root/kb/weights.json`; PLAIN where nothing was fitted."""
    path = root / "kb" / "weights.json"
    weights: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else PLAIN
    return weights


def compile_root(root: Path, site: str = SITE) -> dict[str, Any]:
    """The index of a checkout. Raises CatalogueError where its entries cannot be read."""
    return compile_index(load(root), site, read_weights(root))


def grammar_here() -> dict[str, Any]:
    """The grammar of the checkout that this package runs from."""
    return read_grammar(_HOME)


def weights_here() -> dict[str, Any]:
    """The weights of the checkout that this package runs from."""
    return read_weights(_HOME)


_HOME = Path(__file__).resolve().parents[3]


def _symptom(symptom: Symptom, causes: list[Cause]) -> dict[str, Any]:
    shared = sum(any(shown.id == symptom.id for shown in cause.shown()) for cause in causes)
    return {
        "id": symptom.id,
        "title": symptom.title,
        "rare": rarity(shared, len(causes)),
        "weak": _weak(symptom, causes),
        "notice": int(symptom.kind in (Kind.WARNING, Kind.LOG)),
        "wordings": [
            [name, folded]
            for name, wording in symptom.messages.items()
            for folded in sought(symptom, Template(wording.text))
        ],
    }


def _weak(symptom: Symptom, causes: list[Cause]) -> int:
    """0 for a message that speaks of meta tensors or names its cause alone; the others may be met without
    meta tensors: 1 for an exception that says much, 2 for a short one and for a warning.
    """
    texts = " ".join(wording.text for wording in symptom.messages.values()).lower()
    alone = any(
        shown.id == symptom.id and shown.tells == "alone" for cause in causes for shown in cause.shown()
    )
    short = all(Template(wording.text).weight < 12 for wording in symptom.messages.values())
    if (alone and not short) or any(word in texts for word in ("meta", "offload", "dispatch", "fake")):
        return 0
    telling = any(Template(wording.text).weight >= TELLS for wording in symptom.messages.values())
    return 1 if symptom.kind is Kind.EXCEPTION and telling else 2


def rarity(count: int, total: int) -> int:
    """100 for something that one of `total` has, near 0 for what all have."""
    if count < 1 or total < 2:
        return 100
    return max(10, round(100 * math.log((total + 1) / count) / math.log(total + 1)))


def feature_of(call: str) -> str:
    """The feature that a value of `calls` asks for.

    `name` · `module.name` · `name=` · `name="value"` · `name("meta")` · `from_pretrained(device_map=).to`
    """
    if found := re.fullmatch(r"([A-Za-z_]\w*)\((device_map=)?\)\.(\w+)", call):
        return f"o {found[1]}{'+map' if found[2] else ''}.{found[3]}"
    if found := re.fullmatch(r"(\w+)\([\"'](\w+)[\"']\)", call):
        return f"c {found[1]}({found[2]})"
    if found := re.fullmatch(r"(\w+)=[\"']?(\w*)[\"']?", call):
        return f"k {found[1]}={found[2]}" if found[2] else f"k {found[1]}"
    if re.fullmatch(r"[a-z]+\.\w+", call):
        return f"c {call}"
    if re.fullmatch(r"\w+", call):
        return f"i {call.lower()}" if "_" in call or not call[1:].islower() else f"c {call}"
    raise ValueError(f'{call!r} is no call, such as `name`, `name=` or `name("meta")`')


def frame_key(value: str) -> str:
    """`package.module:Class.name` as frames are named, `package/module:name`; ` > ` joins several."""
    steps = []
    for step in value.split(">"):
        module, _, name = step.strip(" ").partition(":")
        steps.append(f"{module.replace('.', '/')}:{name[name.rfind('.') + 1 :]}")
    return " > ".join(steps)


class _Clues:
    """The table of distinct clues, weighed by how many causes give the same one."""

    def __init__(self, causes: list[Cause], places: Mapping[str, int]) -> None:
        self.table: list[list[Any]] = []
        self.written: dict[str, str] = {}
        self.places, self._total = places, len(causes)
        self._rows: dict[str, int] = {}
        self._count: Counter[tuple[str, str]] = Counter()
        for cause in causes:
            self._count.update(
                {(clue.key, value) for shown in cause.shown() for clue in shown.clues
                 for value in _values(clue)}
            )  # fmt: skip

    def row(self, clue: Clue) -> int | None:
        """Place of a clue in the table; None where it speaks of a symptom that is not there."""
        values = _values(clue)
        if clue.key in ("earlier", "not_earlier"):
            values = [value for value in values if value in self.places]
            if not values:
                return None
        said = json.dumps([clue.key, values], sort_keys=True)
        if said not in self._rows:
            self._rows[said] = len(self.table)
            # People and programs keep the names of clues: they hold across releases.
            name = hashlib.sha256(said.encode()).hexdigest()[:6]
            self.table.append([clue.key, name, *self._weighed(clue, values)])
        return self._rows[said]

    def _weighed(self, clue: Clue, values: list[str]) -> list[Any]:
        key = clue.key
        if clue.ask is not None:
            return [clue.ask]
        if clue.version is not None:
            return [clue.version]
        if key == "wording":
            return values
        return [
            [
                rarity(self._count[key, value], self._total),
                self.places[value] if "earlier" in key else self._asked(key, value),
            ]
            for value in values
        ]

    def _asked(self, key: str, value: str) -> str:
        """A value as it is looked up in the evidence."""
        if key in ("through", "not_through"):
            asked = frame_key(value)
        elif key == "says":
            asked = squash(value)
        else:
            asked = f"h {value.lower()}" if key == "holes" else feature_of(value)
        self.written.setdefault(asked, value)
        return asked


def _values(clue: Clue) -> list[str]:
    value = clue.value
    if isinstance(value, Mapping):
        return [f"{name}{wanted}" for name, wanted in value.items()]
    return [value] if isinstance(value, str) else list(value)


def _cause(cause: Cause, places: Mapping[str, int], clues: _Clues) -> dict[str, Any]:
    shown: dict[int, list[Any]] = {}
    worded: dict[str, list[set[str]]] = {}
    for item in cause.shown():
        if item.id not in places:
            continue
        entry = shown.setdefault(places[item.id], [places[item.id], 0, []])
        entry[1] = max(entry[1], int(item.tells == "alone"))
        rows = [row for clue in item.clues if clue.wording is None and (row := clues.row(clue)) is not None]
        entry[2] += [row for row in rows if row not in entry[2]]
        names = {value for clue in item.clues if clue.wording is not None for value in _values(clue)}
        worded.setdefault(item.id, []).append(names)
    for symptom, faces in worded.items():
        if all(faces):  # a face that says nothing of the wording may have any
            row = clues.row(Clue(wording=sorted(set().union(*faces))))
            shown[places[symptom]][2].append(row)
    applies = cause.applies if all(face.applies is None for face in cause.faces) else {}
    return {"id": cause.id, "title": cause.title, "applies": dict(applies), "shown": list(shown.values())}
