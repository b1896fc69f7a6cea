"""What the fit learns from: every text whose cause is known, in several forms, by the group it belongs to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from unmeta.kb import evidence
from unmeta.kb.load import Catalogue
from unmeta.kb.model import NOT_META
from unmeta.kb.parts import PartsError, parts
from unmeta.kb.programs import Program
from unmeta.kb.runs import Observation, printed_text
from unmeta.kb.snippets import Case, Role
from unmeta.train import forms

FAIR = 0.5  # what a fair answer counts for, beside the cause itself
PER_PROGRAM = 6
_DIGITS = re.compile("[0-9]+")
PER_TEXT = 4  # forms that a recorded text is put into for training


@dataclass(frozen=True)
class Example:
    """A text and the causes that are right answers to it, by how right they are.

    `group` is what must not be in training where this is tested: a repository, a snippet, a program.
    """

    text: str
    right: dict[str, float]
    group: str
    kind: str
    weight: float
    evidence: str = ""

    @property
    def meta(self) -> bool:
        """Whether it is about the meta device at all."""
        return NOT_META not in self.right


def chosen(name: str, count: int, least: int = 2) -> list[str]:
    """Names of `count` forms, drawn by the name; those that cut most off are among them seldom."""
    draws = sorted(forms.NAMES, key=lambda form: hashlib.sha256(f"{name} {form}".encode()).hexdigest())
    whole = [form for form in draws if form not in CUT]
    return [*whole[: max(least, count - 1)], *[form for form in draws if form in CUT][:1]][:count]


CUT = ("last_line", "http_body", "last_ten")


def of_reports(catalogue: Catalogue) -> Iterator[Example]:
    """Public reports: what was printed alone, with a sentence of context, and that sentence."""
    for report in catalogue.reports:
        right = {report.cause: 1.0, **{name: FAIR for name in report.also if name != report.cause}}
        group = "report " + report.source.partition("#")[0].lower()
        said = report.printed or report.told or ""
        kind = "printed" if report.printed else "told"
        told = report.evidence or ""
        yield Example(said, right, group, f"report, {kind}, alone", 0.4, told)
        whole = f"{said}\n{report.context}"
        yield Example(whole, right, group, f"report, {kind}, with context", 0.6, told)
        yield Example(report.context, right, group, "report, context only", 0.2)


def of_runs(catalogue: Catalogue, runs: Iterable[tuple[Case, Observation]]) -> Iterator[Example]:
    """Recorded failures of broken snippets, each in several forms; and the reader's part alone."""
    seen: set[tuple[str, str]] = set()
    count: dict[str, int] = {}
    texts = []
    for case, observation in runs:
        text = printed_text(observation)
        if observation.outcome == "missed":  # the assertion of a goal is none of the reader's
            text = text.partition(forms.HEADER)[0]
        lines = [line for line in text.split("\n") if not line.lstrip().startswith("File ")]
        mark = (case.key, "\n".join(lines))
        if text.strip() and mark not in seen:
            seen.add(mark)
            count[case.key] = count.get(case.key, 0) + 1
            texts.append((case, text))
    for number, (case, text) in enumerate(texts):
        share = 1 / count[case.key]
        group = f"snippet {case.key}"
        yield Example(text, {case.owner: 1.0}, group, "run, whole", 2.0 * share)
        for form in chosen(f"{case.key} {number}", PER_TEXT):
            yield Example(forms.put(text, form), {case.owner: 1.0}, group, f"run, {form}", 0.2 * share)
    for case in catalogue.cases():
        if case.role is Role.BROKEN and case.key in catalogue.snippets:
            code = reader_part(catalogue.snippets[case.key].text)
            yield Example(code, {case.owner: 1.0}, f"snippet {case.key}", "code", 0.3)


def reader_part(text: str) -> str:
    """The lines of a snippet that a reader has."""
    try:
        return parts(text).code
    except PartsError:
        return text


def of_programs(printed: Iterable[tuple[Program, str]], every: bool = False) -> Iterator[Example]:
    """What programs printed, whole and in some forms, or in `every` one."""
    texts: dict[str, list[str]] = {}
    claims = {}
    codes = {}
    for program, text in printed:
        texts.setdefault(program.key, []).append(text)
        claims[program.key] = program.claim
        codes[program.key] = program.files["main.py"]
    for key, own in texts.items():
        claim, group = claims[key], f"program {key}"
        right = {claim.cause: 1.0}
        yield Example(codes[key], right, group, "code of program", 0.3)
        for number, text in enumerate(own):
            share = 1 / len(own)
            yield Example(text, right, group, "program, whole", 0.5 * share, claim.evidence)
            for form in forms.NAMES if every else chosen(f"{key} {number}", PER_PROGRAM):
                evidence = "none" if form in CUT else claim.evidence
                yield Example(forms.put(text, form), right, group, f"program, {form}", 0.12 * share, evidence)


def of_lookalikes(catalogue: Catalogue) -> Iterator[Example]:
    """The messages that people take for meta problems."""
    for other in catalogue.lookalikes.values():
        for text in other.messages:
            plain = text.replace("{", "").replace("}", "")
            yield Example(plain, {NOT_META: 1.0}, f"look-alike {other.id}", "look-alike", 0.3)


def of_everyday() -> Iterator[Example]:
    """Sentences that have nothing to do with the meta device: what common words are worth."""
    for line in EVERYDAY.read_text(encoding="utf-8").splitlines():
        yield Example(line, {NOT_META: 1.0}, f"everyday {line}", "everyday", 0.5)


EVERYDAY = Path(__file__).with_name("everyday.txt")


def of_entries(catalogue: Catalogue) -> Iterator[Example]:
    """What entries say of themselves: titles with their summary, and questions."""
    for cause in catalogue.causes.values():
        right, group = {cause.id: 1.0}, f"entry {cause.id}"
        yield Example(f"{cause.title}\n{cause.summary}", right, group, "entry", 0.5)
        yield Example(cause.cause, right, group, "entry", 0.3)
        told = [*(f"{fix.title}\n{fix.why}" for fix in cause.fixes), *(face.title for face in cause.faces)]
        told += [f"{trap.title}\n{trap.why}" for trap in cause.traps]
        for text in told:
            yield Example(text, right, group, "entry", 0.1)
        asks = {clue.ask for shown in cause.shown() for clue in shown.clues if clue.ask}
        for ask in sorted(asks):
            yield Example(ask, right, group, "question", 0.2)


def runs_of(root: Path, catalogue: Catalogue) -> Iterator[tuple[Case, Observation]]:
    """What broken snippets printed, of the runs that count and where their cause exists.

    Raises EvidenceError where a runs file cannot be read.
    """
    for run in evidence.counted(catalogue, evidence.load(root).values(), Role.BROKEN):
        if run.claimed:
            yield run.case, run.observation


def programs_of(
    root: Path, catalogue: Catalogue, printed: Path | None = None
) -> Iterator[tuple[Program, str]]:
    """What programs printed as they failed, equal texts once. Raises EvidenceError as runs_of().

    `printed` holds `<folder>--<name>.txt` of programs whose runs are not recorded.
    """
    recorded = set()
    seen: set[tuple[str, str]] = set()
    for runs in evidence.load(root).values():
        for key, program in catalogue.programs.items():
            observation = runs.snippets.get(key)
            if observation is None or observation.digest != program.broken.digest:
                continue
            # What stood on the screen: events alone lack what a program prints, and what it logs of errors.
            text = observation.output or printed_text(observation)
            lines = [line for line in text.split("\n") if not line.lstrip().startswith("File ")]
            mark = (key, _DIGITS.sub("0", "\n".join(lines)))
            if text.strip() and mark not in seen:
                seen.add(mark)
                recorded.add(key)
                yield program, text
    for key, program in catalogue.programs.items():
        path = printed / f"{key.removeprefix('programs/').replace('/', '--')}.txt" if printed else None
        if path and key not in recorded and path.is_file():
            yield program, path.read_text(encoding="utf-8")
