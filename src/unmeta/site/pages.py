"""Entries as Markdown pages: a pure function of the catalogue and its proof."""

from __future__ import annotations

import difflib
import html
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import jinja2

from unmeta.kb.change import change
from unmeta.kb.model import Area, Cause, Face, Fact, Fix, Kind, OperationOutcome, Shown, Symptom, Trap
from unmeta.kb.programs import Program
from unmeta.kb.runs import Event, Observation, Runs, printed_text
from unmeta.kb.snippets import Case, Role, broken_key, way_key
from unmeta.match.card import sentences
from unmeta.match.likely import causes_of
from unmeta.match.proved import ordered, ran, releases
from unmeta.match.reported import Ending, endings
from unmeta.site import about, text, words
from unmeta.site.links import Linker, badge, relative
from unmeta.site.proof import SIGNS, WORDS, Cell, CellState, Proof
from unmeta.site.source import Source
from unmeta.verify import programs
from unmeta.verify.judge import Recognised, State, recognise

TEMPLATES = Path(__file__).parent / "templates"
MAIN = ("transformers", "torch")
"""Packages whose releases order the columns and head them."""
BESIDES = ("bitsandbytes",)
"""Packages that a stack is named for, where it has them."""
RIVALS = 4
SHOWN = 3
"""Programs that a cause's page shows."""
ASKS = 3
"""Questions that a cause's page asks; more of them nobody answers."""
Way = TypeVar("Way", Fix, Trap)


@dataclass(frozen=True)
class Sight:
    """A symptom as a page shows it: the text as printed, where there is one."""

    shown: Shown
    symptom: Symptom
    printed: str
    causes: int


@dataclass(frozen=True)
class Printed:
    """What one snippet printed, the same on all of these stacks."""

    stacks: Sequence[Runs]
    text: str


@dataclass(frozen=True)
class InCode:
    """A realistic program that a fix repaired: which fix, what changed, on how many stacks it ran."""

    key: str
    says: str
    fix: str
    change: str
    stacks: int


@dataclass(frozen=True)
class Does:
    """What operations do with a meta tensor, the message that it ends in, and the operations by fact."""

    outcome: OperationOutcome
    symptom: str | None
    calls: list[tuple[list[str], Fact]]


class Site:
    """Renders pages; everything it shows comes from its source and the proof."""

    def __init__(self, source: Source, proof: Proof, linker: Linker) -> None:
        self.source = source
        self.catalogue = source.catalogue
        self.proof = proof
        self.linker = linker
        self.env = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=jinja2.select_autoescape(["xml.j2", "html.j2"]),
        )
        self.env.filters |= {
            "plain": text.plain,
            "bare": text.bare,
            "unlinked": linker.unlinked,
            "markup": text.markup,
            "fence": text.fence,
            "python": text.python,
            "printout": text.printout,
            "json": lambda value: json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"),
            "versions": words.versions,
            "needs": words.needs,
            "spread": words.spread,
            "address": words.address,
            "data": lambda value: html.escape(json.dumps(value, separators=(",", ":"))),
            "cell": lambda value: value.replace("|", "\\|").replace("\n", " "),
        }
        self.env.globals |= {
            "site": self,
            "words": words,
            "signs": SIGNS,
            "states": WORDS,
            "Kind": Kind,
            "Area": Area,
        }

    def render(self, template: str, path: str, **values: Any) -> str:
        """A template as the text of the page at `path`."""

        def prose(value: str) -> str:
            return self.linker.entry_prose(value, path)

        def link(name: str, shown: str | None = None, mark: bool = True) -> str:
            return self.linker.to(name, path, shown, mark=mark)

        def to(target: str) -> str:
            return relative(target, path)

        return self.env.get_template(template).render(prose=prose, link=link, to=to, path=path, **values)

    # What templates ask.

    @property
    def columns(self) -> Sequence[Runs]:
        """Runs in the order of the stacks, a GPU's after its CPU's."""
        return self.proof.columns

    def stack_title(self, runs: Runs) -> str:
        """Name of a column."""
        stack = self.catalogue.stacks.get(runs.stack)
        title = stack.title if stack else runs.stack
        return title if runs.device == "cpu" else f"{title}, {runs.device.upper()}"

    def stack_label(self, runs: Runs) -> str:
        """What tells a column from the others: its releases of transformers and torch."""
        told = [f"{name} {runs.versions[name]}" for name in MAIN if name in runs.versions]
        extra = [name for name in BESIDES if name in runs.versions]
        device = [] if runs.device == "cpu" else [runs.device.upper()]
        return ", ".join([*told, *extra, *device])

    @cached_property
    def newest_first(self) -> Sequence[Runs]:
        """The columns of tables: a phone shows the first of them."""
        return list(reversed(self.columns))

    @cached_property
    def heads(self) -> list[tuple[str, list[str]]]:
        """Rows that head a table of runs: a package and its release by column, empty where it has none."""
        rows = [
            (name, [runs.versions.get(name, "") for runs in self.newest_first])
            for name in (*MAIN, *BESIDES)
            if name in MAIN or any(name in runs.versions for runs in self.columns)
        ]
        devices = ["" if runs.device == "cpu" else runs.device.upper() for runs in self.newest_first]
        return [*rows, ("device", devices)] if any(devices) else rows

    def summary_head(self, cause: Cause) -> str:
        """The first sentence of a cause's summary: what to do."""
        return sentences(cause.summary, links=True)[0]

    def description(self, entry: Cause | Symptom | Fact) -> str:
        """What search engines show below the title."""
        return about.description(self, entry)

    def card(self, entry: Cause | Symptom | Fact) -> dict[str, Any]:
        """What is drawn beside a link to the page."""
        return asdict(about.card(self, entry))

    def structured(self, entry: Cause | Symptom | Fact) -> dict[str, Any]:
        """What search engines read beside the text."""
        return about.structured(self, entry)

    def badge(self, entry: str) -> str:
        """Mark of an entry's proof."""
        return badge(self.proof.standing(entry))

    @cached_property
    def causes_of(self) -> Mapping[str, list[Cause]]:
        """Causes by symptom, the likeliest first."""
        return causes_of(self.catalogue, self.endings)

    @cached_property
    def endings(self) -> Mapping[str, Ending]:
        """What public reports say of the symptoms that they end in."""
        return endings(self.catalogue)

    @cached_property
    def common_symptoms(self) -> list[Symptom]:
        """Symptoms that are printed, the most shared first."""
        printed = [s for s in self.catalogue.symptoms.values() if s.kind is not Kind.SILENT]

        def weight(symptom: Symptom) -> tuple[int, int, str]:
            causes = self.causes_of[symptom.id]
            return (-sum(len(cause.reports) + 1 for cause in causes), -len(causes), symptom.id)

        return sorted(printed, key=weight)

    def sights(self, cause: Cause, face: Face | None = None) -> list[Sight]:
        """What a person sees of a cause, as printed on the reference stack where it ran there."""
        shown = face.symptoms if face else cause.symptoms
        known = [item for item in shown if item.id in self.catalogue.symptoms]
        observation = self.proof.reference(broken_key(cause.id, face.id if face else None))
        printed: dict[str, str] = {}
        for event in observation.events if observation else ():
            if seen := recognise(event, self.catalogue):
                printed.setdefault(seen.symptom, _line(event))
        return [
            Sight(
                item,
                symptom := self.catalogue.symptoms[item.id],
                printed.get(item.id) or self.wording(symptom, next(iter(symptom.messages), "")),
                len(self.causes_of[item.id]),
            )
            for item in known
        ]

    @cached_property
    def examples(self) -> Mapping[tuple[str, str], str]:
        """A line that a run printed, by symptom and wording; that of the first column where it came."""
        found: dict[tuple[str, str], str] = {}
        known: dict[tuple[str, str, str], Recognised | None] = {}
        for runs in self.columns:
            for observation in runs.snippets.values():
                for event in observation.events:
                    key = (event.kind, event.type, event.text)
                    if key not in known:
                        known[key] = seen = recognise(event, self.catalogue)
                        if seen is not None:
                            found.setdefault((seen.symptom, seen.wording), _line(event))
        return found

    def wording(self, symptom: Symptom, name: str) -> str:
        """A wording as a run printed it, else with its slots in words; empty for a silent symptom."""
        if name not in symptom.messages:
            return ""
        prefix = f"{symptom.type[0]}: " if symptom.type else ""
        slots = prefix + text.slots(symptom.messages[name].text)
        return self.examples.get((symptom.id, name)) or slots

    def doctor_says(self, cause: Cause) -> str:
        """What doctor says where the cause's script fails; nothing of a script that changed since."""
        said = self.source.doctor.get(cause.id)
        snippet = self.source.catalogue.snippets.get(broken_key(cause.id))
        if said is None or snippet is None or said["digest"] != snippet.digest:
            return ""
        return str(said["says"])

    def way_diff(self, cause: Cause, way: Fix | Trap, face: str | None) -> str:
        """What a fix or trap changes in the reader's code of a face, as HTML; empty without both files."""
        before = self.catalogue.snippets.get(broken_key(cause.id, face))
        after = self.catalogue.snippets.get(way_key(cause.id, way, face))
        return text.diff(change(before.text, after.text)) if before and after else ""

    def way_unified(self, cause: Cause, way: Fix | Trap, face: str | None) -> str:
        """The same as text, with signs."""
        before = self.catalogue.snippets.get(broken_key(cause.id, face))
        after = self.catalogue.snippets.get(way_key(cause.id, way, face))
        return change(before.text, after.text).diff if before and after else ""

    def way_file(self, cause: Cause, way: Fix | Trap, face: str | None) -> str:
        """File name of the snippet of a fix or trap."""
        return way_key(cause.id, way, face).rpartition("/")[2]

    def way_script(self, cause: Cause, way: Fix | Trap, face: str | None) -> str:
        """The whole script of a fix or trap; empty without the file."""
        snippet = self.catalogue.snippets.get(way_key(cause.id, way, face))
        return snippet.text if snippet else ""

    def way_badge(self, cause: Cause, way: Fix | Trap, face: str | None) -> str:
        """Sign and words for the runs of one fix or trap."""
        key = way_key(cause.id, way, face)
        case = next((case for case in self.proof.cases(cause.id) if case.key == key), None)
        return badge(self.proof.standing_of([case])) if case else ""

    def ran_on(self, cause: Cause, fix: Fix, face: str | None) -> list[dict[str, Any]]:
        """The runs of a fix, the newest release last: versions, day, and whether it `held`."""
        days = self.ran.get(way_key(cause.id, fix, face), {})
        return [
            {**self.releases[name], "day": on[name], "held": kind == "ran"}
            for name in self.releases
            for kind, on in days.items()
            if name in on
        ]

    @cached_property
    def ran(self) -> Mapping[str, dict[str, dict[str, str]]]:
        """By fix the days of its runs, see `unmeta.match.proved.ran`."""
        return ran(self.catalogue, self._runs)

    @cached_property
    def releases(self) -> Mapping[str, dict[str, str]]:
        """Versions that readers are asked for, by name of the runs."""
        return releases(self._runs)

    @property
    def _runs(self) -> list[Runs]:
        return ordered(item for item in self.columns if item.stack in self.catalogue.stacks)

    def held(self, cause: Cause, face: Face) -> list[Fix]:
        """Fixes of elsewhere that hold on a face too, in its order."""
        fixes = {fix.id: fix for fix in cause.fixes}
        return [fixes[name] for name in face.holds if name in fixes]

    def questions(self, cause: Cause, symptom: str) -> list[str]:
        """What to ask a person whether it is this cause, as Markdown; never empty for clues that exist."""
        clues = [clue for shown in cause.shown() if shown.id == symptom for clue in shown.clues]
        return list(dict.fromkeys(text.plain(clue.ask) for clue in clues if clue.ask))

    def rivals(self, cause: Cause) -> list[tuple[Symptom, list[Cause], int]]:
        """Other causes of the symptoms that do not tell this cause alone, the likeliest first."""
        result = []
        for name in dict.fromkeys(shown.id for shown in cause.symptoms if shown.tells == "with"):
            others = [other for other in self.causes_of.get(name, []) if other.id != cause.id]
            if others and name in self.catalogue.symptoms:
                result.append((self.catalogue.symptoms[name], others[:RIVALS], len(others)))
        return result

    @cached_property
    def _repaired(self) -> Mapping[str, int]:
        """On how many stacks the repaired copy of a program reaches its end, by its key."""
        table = programs.cells(self.catalogue, {runs.name: runs for runs in self.columns})
        return Counter(key for (key, _), verdict in table.items() if verdict.state is State.HOLDS)

    def programs_of(self, cause: Cause) -> list[InCode]:
        """Programs that a fix of the cause repaired, those of its first fix first."""
        order = {fix.id: fix.title for fix in cause.fixes}
        found: list[InCode] = []
        for program in self.catalogue.programs.values():
            edition, fix = program.repaired, program.claim.fix
            if program.claim.cause != cause.id or edition is None or fix not in order:
                continue
            if stacks := self._repaired.get(edition.key, 0):
                title = f"Fix: {order[fix]}."
                found.append(InCode(program.key, program.claim.says, title, _unified(program), stacks))
        return sorted(found, key=lambda item: (item.fix != f"Fix: {next(iter(order.values()))}.", item.key))[
            :SHOWN
        ]

    def rows(self, entry: str) -> list[tuple[Case, list[Cell]]]:
        """The table of runs: for every snippet of the entry its cells, those of the newest stack first."""
        return [
            (case, [self.proof.cell(case, runs.name) for runs in self.newest_first])
            for case in self.proof.cases(entry)
        ]

    def days(self, entry: str) -> list[str]:
        """Day of the newest run of an entry's snippets on each stack; empty where none ran."""
        return [
            max((self.proof.cell(case, runs.name).date for case in self.proof.cases(entry)), default="")
            for runs in self.newest_first
        ]

    def case_title(self, case: Case) -> str:
        """A snippet's name as a column of that table."""
        return case.key.rpartition("/")[2]

    def printed(self, case: Case) -> list[Printed]:
        """What a snippet printed, equal outputs together; that of the reference stack first."""
        by_text: dict[str, list[Runs]] = {}
        reference = self.proof.reference(case.key)
        for runs in self.columns:
            observation = self.proof.cell(case, runs.name).observation
            if observation and (output := _whole(observation)):
                by_text.setdefault(output, []).append(runs)
        first = _whole(reference) if reference else ""
        return [
            Printed(stacks, out) for out, stacks in sorted(by_text.items(), key=lambda pair: pair[0] != first)
        ]

    def case_heading(self, cause: Cause, case: Case) -> str:
        """What a snippet of a cause shows, as a heading."""
        if case.role is Role.BROKEN:
            return self.face_title(cause, case.face) if case.face else "What goes wrong"
        ways: Sequence[Fix | Trap] = cause.fixes if case.role is Role.FIX else cause.traps
        way = next(item for item in ways if item.id == case.name)
        label = "Fix" if case.role is Role.FIX else "Not this"
        where = f" ({self.face_title(cause, case.face)})" if case.face and case.face != way.face else ""
        return f"{label}: {way.title}{where}"

    def standing_words(self, entry: str) -> str:
        """An entry's standing as a badge that spells it out."""
        standing = self.proof.standing(entry)
        sign = standing.sign.split()[0]
        return (
            f'<span class="um-proof um-{standing.state}"><span aria-hidden="true">{sign}</span> '
            f"{html.escape(standing.sentence)}</span>"
        )

    def face_title(self, cause: Cause, face: str) -> str:
        """Title of one of a cause's faces."""
        return next((item.title for item in cause.faces if item.id == face), face)

    def ways(self, ways: Sequence[Way], face: str | None) -> list[Way]:
        """Fixes or traps of the main snippet, or of one face."""
        return [way for way in ways if way.face == face]

    def groups(self, symptom: str) -> list[tuple[Area, list[Cause]]]:
        """A symptom's causes by field, the field with the likeliest cause first."""
        found: dict[Area, list[Cause]] = {}
        for cause in self.causes_of[symptom]:
            found.setdefault(cause.area, []).append(cause)
        return list(found.items())

    def share(self, symptom: str, causes: Sequence[Cause]) -> int:
        """How many public reports of a symptom had one of these causes."""
        ending = self.endings.get(symptom)
        return sum(ending.fits.get(cause.id, 0) for cause in causes) if ending else 0

    def asks(self, cause: Cause) -> list[str]:
        """What a person can ask whether it is this cause, those of the main symptoms first."""
        clues = [clue for shown in cause.shown() for clue in shown.clues]
        return list(dict.fromkeys(text.plain(clue.ask) for clue in clues if clue.ask))[:ASKS]

    def symptoms_of_kind(self, kind: Kind) -> list[Symptom]:
        """Symptoms of a kind, those with most causes first."""
        found = [symptom for symptom in self.catalogue.symptoms.values() if symptom.kind is kind]
        return sorted(found, key=lambda symptom: (-len(self.causes_of[symptom.id]), symptom.id))

    def call(self, code: str) -> str:
        """The code of an operation as a table cell."""
        code = code.strip("`").replace("|", "\\|")
        ticks = "``" if "`" in code else "`"
        return f"{ticks}{code}{ticks}"

    def outcome(self, outcome: OperationOutcome) -> str:
        """What an operation does, as a sign and words."""
        sign, said = words.OUTCOMES[outcome]
        return f'<span class="um-does um-{outcome}"><span aria-hidden="true">{sign}</span> {said}</span>'

    def names_of(self, stack: str) -> list[str]:
        """Names of a stack's columns: its own, and that of its GPU runs where there are any."""
        return [stack, *(runs.name for runs in self.columns if runs.stack == stack and runs.device != "cpu")]

    def mark(self, entry: str, runs: str) -> str:
        """State of an entry on one stack as a cell of the matrix."""
        state = self.proof.on(entry, runs)
        said = f'title="{WORDS[state]}" aria-label="{WORDS[state]}"'
        return f'<td class="um-cell um-{state}" {said}>{SIGNS[state]}</td>'

    def cells_in(self, state: CellState) -> list[Cell]:
        """Every cell in one state, by snippet."""
        return sorted(
            (cell for cell in self.proof.cells.values() if cell.state == state),
            key=lambda cell: (cell.case.key, cell.runs),
        )

    def unproved(self) -> list[Cause]:
        """Causes that no run can show, by their own word."""
        return [cause for cause in self.catalogue.causes.values() if cause.unproved]

    def never_run(self) -> list[str]:
        """Entries without a single run, those that say why aside."""
        entries = [c.id for c in self.catalogue.causes.values() if not c.unproved]
        entries += list(self.catalogue.facts)
        return [entry for entry in entries if self.proof.standing(entry).state == "not-run"]

    def example(self, cause: str) -> str:
        """What a cause's own snippet printed on the reference stack; empty where it never ran."""
        observation = self.proof.reference(broken_key(cause))
        return text.visible(printed_text(observation)) if observation else ""

    def by_area(self, kind: str) -> list[tuple[Area, list[Any]]]:
        """Causes or facts by area, areas in their own order."""
        entries: list[Cause | Fact] = [*self.catalogue.causes.values()]
        if kind == "facts":
            entries = [*self.catalogue.facts.values()]
        groups = [(area, [entry for entry in entries if entry.area is area]) for area in Area]
        return [(area, found) for area, found in groups if found]

    def operations(self) -> list[tuple[str, list[Does]]]:
        """Rows of the operation table by section: what ends alike shares a row."""
        rows: dict[str, dict[tuple[OperationOutcome, str | None], Does]] = {name: {} for name in words.GROUPS}
        for fact in self.catalogue.facts.values():
            for item in fact.operations:
                key = (item.outcome, item.symptom)
                row = rows[item.group].setdefault(key, Does(item.outcome, item.symptom, []))
                call = item.call.strip("`")
                if row.calls and row.calls[-1][1] is fact:
                    row.calls[-1][0].append(call)
                else:
                    row.calls.append(([call], fact))
        return [(words.GROUPS[name], list(found.values())) for name, found in rows.items() if found]

    def facts_of(self, symptom: str) -> list[Fact]:
        """Facts whose operations end in a symptom."""
        return [
            fact
            for fact in self.catalogue.facts.values()
            if any(operation.symptom == symptom for operation in fact.operations)
        ]

    def related(self, cause: Cause) -> list[str]:
        """Related entries that exist."""
        return [name for name in cause.related if name in self.linker.known]


def _unified(program: Program) -> str:
    """What the repaired copy of a program changes, as `diff -u` shows it."""
    lines: list[str] = []
    for name, after in program.repairs.items():
        before = program.files.get(name, "").splitlines()
        lines += list(difflib.unified_diff(before, after.splitlines(), name, name, n=2, lineterm=""))[1:]
    return "\n".join(lines)


def _whole(observation: Observation) -> str:
    return text.visible(observation.output + printed_text(observation)).strip()


def _line(event: Event) -> str:
    shown = event.text if event.kind == "log" or not event.type else f"{event.type}: {event.text}"
    return text.visible(shown)


def entry_pages(site: Site) -> dict[str, str]:
    """Pages of all entries and the redirects of their former ids."""
    pages: dict[str, str] = {}
    kinds: list[tuple[str, Mapping[str, Any]]] = [
        ("cause", site.catalogue.causes),
        ("symptom", site.catalogue.symptoms),
        ("fact", site.catalogue.facts),
    ]
    for kind, entries in kinds:
        for name, entry in entries.items():
            path = f"e/{name}.md"
            pages[path] = site.render(f"{kind}.md.j2", path, entry=entry)
            for alias in entry.aliases:
                path = f"e/{alias}.md"
                pages[path] = site.render("redirect.md.j2", path, target=name, folder="e")
    return pages


def run_pages(site: Site) -> dict[str, str]:
    """What was run for each cause and what it printed, as a notebook shows it."""
    pages: dict[str, str] = {}
    for name, cause in site.catalogue.causes.items():
        path = f"notebooks/{name}.md"
        pages[path] = site.render("notebook.md.j2", path, entry=cause)
        for alias in cause.aliases:
            path = f"notebooks/{alias}.md"
            pages[path] = site.render("redirect.md.j2", path, target=name, folder="notebooks")
    return pages


LISTS = {name: f"{name}.md" for name in ("causes", "messages", "facts", "operations", "stacks", "status")}
LISTS["notebooks"] = "notebooks/index.md"


def list_pages(site: Site) -> dict[str, str]:
    """Pages that list entries: indexes, areas, the operation table, stacks and the status of proof."""
    pages = {path: site.render(f"{name}.md.j2", path) for name, path in LISTS.items()}
    causes, facts = dict(site.by_area("causes")), dict(site.by_area("facts"))
    for area in Area:
        path = f"areas/{area}.md"
        pages[path] = site.render(
            "area.md.j2", path, area=area, causes=causes.get(area, []), facts=facts.get(area, [])
        )
    return pages
