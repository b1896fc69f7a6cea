"""Compile the knowledge base and what its runs recorded into the matcher's index.

The only part of this room that reads `unmeta.kb`. The index is plain JSON: whole numbers and strings.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from unmeta.address import SITE
from unmeta.kb import evidence
from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Cause, Clue, Kind, Symptom
from unmeta.kb.runs import Observation, Runs, printed_text
from unmeta.kb.sentences import SENTENCES
from unmeta.kb.snippets import Role, cases_of_cause
from unmeta.match.learn import Lesson, common_words, lessons_of, likelihood, prior, reported, traits, worth
from unmeta.match.pack import STEP, coarse, pack
from unmeta.match.paste import Paste, words_of
from unmeta.match.rank import Evidence, ending, mentioned, short, squash
from unmeta.match.template import Template
from unmeta.match.wordings import sought, wordings_of

FORMAT = 2
WEIGHTS = {
    "alone": 70,  # the symptom names the cause by itself
    "final": 30,  # the cause ends in the last message of the paste
    "outside": 40,  # a version is printed on which the cause does not exist
    "against": 4,  # a whole traceback does not go through a function
    "answer": 120,  # the person answered a question
    "words": 80,  # number of words of a paste from which on each counts half
    "words beside": 40,  # points that words give at most beside a known message
    "words alone": 60,  # and without one
    "traits": 45,  # points that traits of reports give at most
    "alike": 130,  # the paste is a recorded run through and through
    "lead": 25,  # points before the second that make an answer one cause
    "listed": 9,  # points that list a cause which does not show the symptom
    "guess": 25,  # points that words alone need for a guess where they speak of the meta device
    "silent": 75,  # and where they do not
}
WORDS = 44  # words of an entry that are kept
FRAME, CODE = 8, 12  # points of a function and of a line of code that only one recorded cause shows
CLUE_WEIGHTS = {
    "through": 40, "not_through": 25, "earlier": 50, "not_earlier": 25, "wording": 8, "mentions": 45,
    "not_mentions": 35, "version": 12, "ask": 0,
}  # fmt: skip
SAYS = {
    "cause": "One cause fits this best.",
    "symptom": "The message is known, but several causes end in it. The questions tell them apart.",
    "guess": "No known message stands in this text; these causes fit its words.",
    "unlisted": "This is about the meta device, but its message is not here yet.",
    "look-alike": "This is not a problem of the meta device.",
    "nothing": "Nothing in this text points to the meta device.",
    **SENTENCES,
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


def compile_index(catalogue: Catalogue, runs: Iterable[Runs] = (), site: str = "") -> dict[str, Any]:
    """The index of a catalogue. `site` is the address that the urls of entries are appended to."""
    wordings = wordings_of(catalogue)
    lessons = lessons_of(catalogue, wordings)
    priors = {name: prior(name, lessons) for name in catalogue.causes}
    causes = sorted(catalogue.causes.values(), key=lambda cause: (-priors[cause.id], cause.id))
    places = {symptom: at for at, symptom in enumerate(catalogue.symptoms)}
    clues = _Clues(causes, places, [squash(_text(catalogue, cause)) for cause in causes], lessons)
    counts = reported(lessons)
    index: dict[str, Any] = {
        "format": FORMAT,
        "site": site,
        "says": SAYS,
        "weights": WEIGHTS,
        "symptoms": [_symptom(symptom, causes) for symptom in catalogue.symptoms.values()],
        "causes": [
            _cause(cause, places, clues, priors[cause.id], counts.get(cause.id, {})) for cause in causes
        ],
        "clues": clues.table,
        "words": pack(_words(catalogue, causes, lessons)),
        "traits": pack(traits([cause.id for cause in causes], lessons, common_words(catalogue))),
        "lookalikes": [
            {
                **other.model_dump(),
                "messages": [Template(text).folded for text in other.messages],
            }
            for other in catalogue.lookalikes.values()
        ],
    }
    index["features"], index["runs"] = _recorded(catalogue, causes, runs, wordings)
    return index


def to_json(index: Mapping[str, Any]) -> str:
    """The index as compact JSON text."""
    return json.dumps(index, ensure_ascii=True, separators=(",", ":")) + "\n"


def compile_root(root: Path, site: str = SITE) -> dict[str, Any]:
    """The index of a checkout. Raises CatalogueError where its entries cannot be read."""
    runs, _ = evidence.read(root)  # what cannot be read is a finding of `unmeta check`, and no evidence
    return compile_index(load(root), runs.values(), site)


def _symptom(symptom: Symptom, causes: list[Cause]) -> dict[str, Any]:
    shared = sum(any(shown.id == symptom.id for shown in cause.shown()) for cause in causes)
    return {
        "id": symptom.id,
        "title": symptom.title,
        "weight": _rarity(shared, len(causes), 40),
        "weak": _weak(symptom, causes),
        "notice": int(symptom.kind in (Kind.WARNING, Kind.LOG)),
        "wordings": [
            [name, folded]
            for name, wording in symptom.messages.items()
            for folded in sought(symptom, Template(wording.text))
        ],
    }


def _weak(symptom: Symptom, causes: list[Cause]) -> int:
    """0 for a message that speaks of meta tensors or names its cause alone; the others are as common
    without meta tensors: 1 for an exception, which needs a clue besides, 2 for a warning, which says nothing.
    """
    texts = " ".join(wording.text for wording in symptom.messages.values()).lower()
    alone = any(
        shown.id == symptom.id and shown.tells == "alone" for cause in causes for shown in cause.shown()
    )
    short = all(Template(wording.text).weight < 12 for wording in symptom.messages.values())
    if (alone and not short) or any(word in texts for word in ("meta", "offload", "dispatch", "fake")):
        return 0
    return 1 if symptom.kind is Kind.EXCEPTION else 2


def _rarity(count: float, total: int, most: int) -> int:
    """Points for something that `count` of `total` share: `most` for one, none for all."""
    if count < 1 or total < 2:
        return most
    return max(0, round(most * math.log((total + 1) / count) / math.log(total + 1)))


class _Clues:
    """The table of distinct clues, weighed by how many causes give the same one."""

    def __init__(
        self, causes: list[Cause], places: Mapping[str, int], texts: list[str], lessons: list[Lesson]
    ) -> None:
        self.table: list[list[Any]] = []
        self.places = places
        self._lessons = lessons
        self._claimed: dict[tuple[str, str], set[str]] = {}
        self._rows: dict[str, int | None] = {}
        self._total = len(causes)
        self._texts = texts
        self._count: Counter[tuple[str, str]] = Counter()
        for cause in causes:
            given = {(clue.key, value) for shown in cause.shown() for clue in shown.clues
                     for value in _values(clue)}  # fmt: skip
            self._count.update(given)
            for pair in given:
                self._claimed.setdefault(pair, set()).add(cause.id)

    def row(self, clue: Clue) -> int | None:
        """Place of a clue in the table; None where it speaks of a symptom that is not there, or only of
        words that reports of every cause have.
        """
        values = _values(clue)
        if clue.key in ("earlier", "not_earlier"):
            values = [value for value in values if value in self.places]
            if not values:
                return None
        said = json.dumps([clue.key, values], sort_keys=True)
        if said not in self._rows:
            weighed = self._weighed(clue, values)
            self._rows[said] = len(self.table) if weighed else None
            if weighed:
                # People and programs keep the names of clues: they hold across releases.
                name = hashlib.sha256(said.encode()).hexdigest()[:6]
                self.table.append([clue.key, name, *weighed])
        return self._rows[said]

    def _weighed(self, clue: Clue, values: list[str]) -> list[Any]:
        most = CLUE_WEIGHTS[clue.key]
        if clue.ask is not None:
            return [clue.ask]
        if clue.version is not None:
            return [most, clue.version]
        if clue.key == "wording":
            return [[most, value] for value in values]
        points = [
            worth(
                clue.key,
                value,
                self._claimed[clue.key, value],
                max(1, _rarity(self._often(clue.key, value), self._total, most)),
                most,
                self._lessons,
            )
            for value in values
        ]
        named: list[Any] = [self.places[v] for v in values] if "earlier" in clue.key else list(values)
        return [[weight, value] for weight, value in zip(points, named, strict=True) if weight]

    def _often(self, key: str, value: str) -> float:
        """How many causes give this clue; a word that other entries use as well counts by half."""
        count = self._count[key, value]
        if "mentions" not in key:
            return count
        said = squash(value)
        return (count + max(count, sum(mentioned(said, text) for text in self._texts))) / 2


def _values(clue: Clue) -> list[str]:
    value = clue.value
    if isinstance(value, Mapping):
        return [f"{name}{wanted}" for name, wanted in value.items()]
    return [value] if isinstance(value, str) else list(value)


def _cause(
    cause: Cause, places: Mapping[str, int], clues: _Clues, likely: int, counts: Mapping[int, float]
) -> dict[str, Any]:
    shown: dict[int, list[Any]] = {}
    worded: dict[str, list[set[str]]] = {}
    for item in cause.shown():
        if item.id not in places:
            continue
        entry = shown.setdefault(places[item.id], [places[item.id], 0, [], 0])
        entry[1] = max(entry[1], int(item.tells == "alone"))
        rows = [row for clue in item.clues if clue.wording is None and (row := clues.row(clue)) is not None]
        entry[2] += [row for row in rows if row not in entry[2]]
        names = {value for clue in item.clues if clue.wording is not None for value in _values(clue)}
        worded.setdefault(item.id, []).append(names)
    for symptom, faces in worded.items():
        if all(faces):  # a face that says nothing of the wording may have any
            row = clues.row(Clue(wording=sorted(set().union(*faces))))
            shown[places[symptom]][2].append(row)
    for at, count in counts.items():
        shown.setdefault(at, [at, 0, [], 0])[3] = likelihood(count)
    applies = cause.applies if all(face.applies is None for face in cause.faces) else {}
    return {
        "id": cause.id,
        "title": cause.title,
        "prior": likely,
        "applies": dict(applies),
        "shown": list(shown.values()),
    }


def _text(catalogue: Catalogue, cause: Cause) -> str:
    """All that an entry and its snippets say, as one text."""
    ways = [f"{fix.title}\n{fix.why}" for fix in cause.fixes]
    ways += [f"{trap.title}\n{trap.why}" for trap in cause.traps]
    code = _scripts(catalogue, cause, *Role)
    return "\n".join([cause.title, cause.summary, cause.cause, *ways, *code])


def _scripts(catalogue: Catalogue, cause: Cause, *roles: Role) -> list[str]:
    keys = [case.key for case in cases_of_cause(cause) if case.role in roles]
    return [catalogue.snippets[key].text for key in keys if key in catalogue.snippets]


def _words(catalogue: Catalogue, causes: list[Cause], lessons: list[Lesson]) -> dict[str, list[int]]:
    """Postings [cause, points, …] by word, from all that an entry and its broken snippets say."""
    counts: list[dict[str, float]] = []
    common = common_words(catalogue)
    for cause in causes:
        asked = [value for shown in cause.shown() for clue in shown.clues for value in _values(clue)
                 if clue.key == "ask"]  # fmt: skip
        named = [value for shown in cause.shown() for clue in shown.clues for value in _values(clue)
                 if clue.key in ("mentions", "through")]  # fmt: skip
        fields = [
            (4, [cause.id, cause.title, *cause.aliases, *named]),
            (2, [cause.summary, *asked, *(face.title for face in cause.faces)]),
            (1, [cause.cause, *(fix.title for fix in cause.fixes), *(trap.title for trap in cause.traps)]),
            (1, _scripts(catalogue, cause, Role.BROKEN)),
        ]  # fmt: skip
        count: dict[str, float] = defaultdict(float)
        for weight, texts in fields:
            for word in words_of("\n".join(texts)):
                if word not in common:
                    count[word] += weight
        for lesson in lessons:
            if fits := lesson.fits(cause.id):
                for word in words_of(f"{lesson.report.told}\n{lesson.report.context}"):
                    if word not in common:
                        count[word] += 2 * fits
        counts.append(count)
    holders = Counter(word for count in counts for word in count)
    size = sum(sum(count.values()) for count in counts) / max(1, len(counts))
    postings: dict[str, list[int]] = {}
    for at, count in enumerate(counts):
        length = 0.4 + 0.6 * sum(count.values()) / size
        points = {
            word: coarse(_rarity(holders[word], len(causes), 24) * often / (often + 2 * length))
            for word, often in count.items()
        }
        for word in sorted(points, key=lambda word: (-points[word], word))[:WORDS]:
            if points[word] >= STEP:
                postings.setdefault(word, []).extend((at, points[word]))
    return postings


def _recorded(
    catalogue: Catalogue, causes: list[Cause], runs: Iterable[Runs], wordings: list[Any]
) -> tuple[dict[str, list[int]], list[list[int]]]:
    """Weight and runs by feature, and (cause, weight of all features) by run; runs alike are one."""
    variants: dict[tuple[int, tuple[str, ...]], None] = {}
    places = {cause.id: at for at, cause in enumerate(causes)}
    for found in evidence.counted(catalogue, runs, Role.BROKEN):
        # Where the cause does not exist a run shows something else.
        if found.claimed and (features := _features(found.observation, wordings)):
            variants.setdefault((places[found.case.owner], features))
    holders: dict[str, set[int]] = {}
    for at, features in variants:
        for feature in features:
            holders.setdefault(feature, set()).add(at)
    weights = {
        feature: _rarity(len(found), max(2, len(causes)), CODE if feature[0] == "=" else FRAME)
        for feature, found in holders.items()
    }
    postings: dict[str, list[int]] = {}
    table = []
    for run, (at, features) in enumerate(variants):
        code = sum(weights[feature] for feature in features if feature[0] == "=")
        whole = sum(weights[feature] for feature in features if feature[:4] != "end ")
        table.append([at, max(1, whole - code), code])
        for feature in features:
            if weights[feature]:
                postings.setdefault(short(feature), [weights[feature]]).append(run)
    return dict(sorted(postings.items())), table


def _features(observation: Observation, wordings: list[Any]) -> tuple[str, ...]:
    """Features of what a run printed, the exception of a goal that was missed left out."""
    text = printed_text(observation)
    if observation.outcome == "missed":
        text = text.partition("Traceback (most recent call last)")[0]
    paste = Paste(text)
    return tuple(sorted({*Evidence(paste, wordings).features, *ending(paste.frames)}))
