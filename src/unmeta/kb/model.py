"""What an entry is: causes, symptoms, facts and stacks as validated data.

The file name of an entry is its id; models therefore never repeat it in YAML. The loader
(`unmeta.kb.load`) fills `id` in from the path. Nothing here touches the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

ID_PATTERN = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
# Names of files that Windows keeps for devices; of our own folders beside entries; of a page.
RESERVED = frozenset({"con", "prn", "aux", "nul", "facts", "programs", "near-misses", "index"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}


def _free(value: str) -> str:
    if value in RESERVED:
        raise ValueError("is reserved for other files: choose another name")
    return value


def why_no_id(error: ValidationError) -> str:
    """What keeps a text from being an id, as the end of a sentence that begins with it."""
    found = error.errors()[0]
    if found["type"] == "value_error":
        return str(found["ctx"]["error"])
    if found["type"] == "string_too_long":
        return "is too long for an id: at most 60 characters"
    return "is not an id: lower-case words joined by single hyphens, such as 'tied-weights-broken'"


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=60)]
EntryId = Annotated[Id, AfterValidator(_free)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Url = Annotated[
    str,
    StringConstraints(pattern=r"^https://[A-Za-z0-9.-]+(:[0-9]+)?([/?#][A-Za-z0-9._~:/?#@!$&'*+,;=%-]*)?$"),
]
TypeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_.]*$", max_length=120)]

PACKAGES = (
    "python",
    "torch",
    "transformers",
    "accelerate",
    "safetensors",
    "peft",
    "diffusers",
    "sentence-transformers",
    "deepspeed",
    "bitsandbytes",
    "torchao",
    "timm",
)


def _specifier(value: str) -> str:
    try:
        SpecifierSet(value)
    except InvalidSpecifier as error:
        raise ValueError(f"{value!r} is not a version range such as '>=2.1,<2.4'") from error
    return value


def _version(value: str) -> str:
    try:
        Version(value)
    except InvalidVersion as error:
        raise ValueError(f"{value!r} is not a version such as '2.13.0'") from error
    return value


Range = Annotated[str, AfterValidator(_specifier)]
Release = Annotated[str, AfterValidator(_version)]


def _known_packages(value: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in value:
        if name not in PACKAGES:
            raise ValueError(f"unknown package {name!r}; known: {', '.join(PACKAGES)}")
    return value


Ranges = Annotated[dict[str, Range], AfterValidator(_known_packages)]
Releases = Annotated[dict[str, Release], AfterValidator(_known_packages)]


class Model(BaseModel):
    """Base of every model: unknown keys are errors, instances are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Area(StrEnum):
    """Which library the cause lives in."""

    TORCH = "torch"
    ACCELERATE = "accelerate"
    TRANSFORMERS = "transformers"
    PEFT = "peft"
    DISTRIBUTED = "distributed"
    DOWNSTREAM = "downstream"


class Kind(StrEnum):
    """How a symptom shows itself."""

    EXCEPTION = "exception"
    WARNING = "warning"
    LOG = "log"
    SILENT = "silent"


class OperationOutcome(StrEnum):
    """What an operation does with a meta operand: the columns of the operation table."""

    RAISES = "raises"
    STAYS_META = "stays-meta"
    GARBAGE = "returns-uninitialised"
    NOTHING = "does-nothing"
    WORKS = "works"


class Needs(Model):
    """What a machine must have to run a snippet; absent keys ask for nothing.

    `packages` are version ranges by package, `device` the accelerator, `processes` the number of
    ranks that the sandbox starts with torchrun's environment variables (1 is a group of one).
    """

    packages: Ranges = Field(default_factory=dict)
    device: Literal["cpu", "cuda"] | None = None
    processes: Annotated[int, Field(ge=1, le=4)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        """Accept the flat form of the YAML: `{peft: ">=0.10", device: cuda}`."""
        if not isinstance(value, dict) or "packages" in value:
            return value
        if asked := {"gpu", "cuda", "cpu"} & value.keys():
            raise ValueError(f"{asked.pop()!r} is no package: a GPU is asked for by `device: cuda`")
        own = {"device", "processes"}
        return {
            "packages": {k: v for k, v in value.items() if k not in own},
            **{k: v for k, v in value.items() if k in own},
        }

    def merged(self, other: Needs) -> Needs:
        """Both sets of needs; where both speak of one thing, `other` (the narrower) wins."""
        return Needs(
            packages={**self.packages, **other.packages},
            device=other.device or self.device,
            processes=other.processes or self.processes,
        )


OneOrMore = Annotated[list[Line], Field(min_length=1)]


CALL = re.compile(
    r"[A-Za-z_]\w*\((device_map=)?\)\.\w+|\w+\([\"'](\w+)[\"']\)|\w+=[\"']?\w*[\"']?|[a-z]+\.\w+|\w+",
    re.ASCII,
)
"""What `calls` may ask for; `unmeta.match.compile.feature_of` reads it."""


class Clue(Model):
    """One observation that speaks for or against a cause; exactly one key is given.

    A list means *any of these*. `through`/`not_through` name functions as `package.module:Qual.name`
    and are answered from the frames of the paste; ` > ` between functions asks for that order, and the
    module `user` stands for code of no library, `*` for any code. `earlier` is a symptom printed before;
    `wording` is the name of a message of the symptom; `version` a range; `calls` are names, calls and keyword
    arguments of the reader's code (`to_empty`, `assign=`, `device("meta")`,
    `from_pretrained(device_map=).to`); `says` are phrases of the reader's prose; `holes` are parts of what
    a message names, such as a key's prefix; `ask` is a question for the person.

    `unseen` stands beside `through` where no run and no report goes through one of its functions: why.
    """

    through: OneOrMore | None = None
    not_through: OneOrMore | None = None
    earlier: OneOrMore | None = None
    not_earlier: OneOrMore | None = None
    wording: OneOrMore | None = None
    calls: OneOrMore | None = None
    says: OneOrMore | None = None
    holes: OneOrMore | None = None
    version: Ranges | None = None
    ask: Line | None = None
    unseen: Line | None = None

    @field_validator(
        "through",
        "not_through",
        "earlier",
        "not_earlier",
        "wording",
        "calls",
        "says",
        "holes",
        mode="before",
    )
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @model_validator(mode="after")
    def _exactly_one(self) -> Clue:
        given = self._given()
        if len(given) != 1:
            raise ValueError(f"a clue has exactly one key; this one has {given or 'none'}")
        if self.unseen is not None and self.through is None:
            raise ValueError("`unseen` says why no run goes through a function, so it stands with `through`")
        for name in (self.through or []) + (self.not_through or []):
            if any(step.count(":") != 1 for step in name.split(" > ")):
                raise ValueError(f"{name!r} is not a function written as package.module:Qual.name")
        for call in self.calls or []:
            if not CALL.fullmatch(call):
                raise ValueError(f'{call!r} is no call, such as `name`, `name=` or `name("meta")`')
        return self

    def _given(self) -> list[str]:
        return [n for n in type(self).model_fields if n != "unseen" and getattr(self, n) is not None]

    @property
    def key(self) -> str:
        """Name of the one key that is given."""
        return self._given()[0]

    @property
    def value(self) -> Any:
        """Value of the one key that is given."""
        return getattr(self, self.key)


class Shown(Model):
    """A symptom as one cause shows it: whether it tells the cause alone, and the clues that do."""

    id: Id
    tells: Literal["alone", "with"]
    clues: list[Clue] = Field(default_factory=list)

    @model_validator(mode="after")
    def _clues_where_needed(self) -> Shown:
        if self.tells == "with" and not self.clues:
            raise ValueError("`tells: with` needs clues that single this cause out")
        return self


class Harmless(Model):
    """A symptom that is printed although all is well: a warning or a log line that is expected.

    `why` tells the reader so, where the symptom itself does not. `applies` are the versions that print
    it, where not all do that the snippet runs on.
    """

    id: Id
    why: Line | None = None
    applies: Ranges = Field(default_factory=dict)


class Fix(Model):
    """A way out that a run proves: `snippets/<cause>/fix-<id>.py` passes the goal.

    It prints what stands under `prints` and nothing else.
    """

    id: Id
    title: Line
    why: Text
    costs: Text | None = None
    prints: list[Harmless] = Field(default_factory=list)
    needs: Needs = Needs()
    face: Id | None = None


class Trap(Model):
    """Widely repeated wrong advice: `snippets/<cause>/trap-<id>.py` misses the goal.

    `ends` is `wrong-result` (fails at the goal) or the id of the symptom that it ends in.
    """

    id: Id
    title: Line
    why: Text
    ends: Id
    needs: Needs = Needs()
    face: Id | None = None


class Face(Model):
    """Another way the same cause shows: `snippets/<cause>/broken-<id>.py`, with its own symptoms.

    `holds` are fixes of the main snippet or of another face that hold here too, each proved by
    `snippets/<cause>/fix-<fix>-<id>.py`. `unproved` is the reason why no stack can run it.
    """

    id: Id
    title: Line
    symptoms: Annotated[list[Shown], Field(min_length=1)]
    applies: Ranges | None = None
    needs: Needs = Needs()
    holds: list[Id] = Field(default_factory=list)
    unproved: Line | None = None


class Reference(Model):
    """A public source behind a statement."""

    kind: Literal["source", "docs", "issue", "pull", "discussion"]
    url: Url
    note: Line


class Cause(Model):
    """One diagnosis with its symptoms, fixes and traps (`kb/causes/<id>.yaml`).

    `symptoms` are those of `broken.py`, in the order a run meets them. `reports` are public ones worth
    reading; the search learns from those in `kb/reports.jsonl`. `applies` says on which versions the
    cause exists; a face may narrow or replace it.
    """

    id: EntryId
    title: Line
    area: Area
    summary: Text
    symptoms: Annotated[list[Shown], Field(min_length=1)]
    cause: Text
    applies: Ranges = Field(default_factory=dict)
    needs: Needs = Needs()
    fixes: list[Fix] = Field(default_factory=list)
    traps: list[Trap] = Field(default_factory=list)
    faces: list[Face] = Field(default_factory=list)
    reports: list[Url] = Field(default_factory=list)
    references: list[Reference] = Field(default_factory=list)
    related: list[Id] = Field(default_factory=list)
    aliases: list[EntryId] = Field(default_factory=list)
    unproved: Line | None = None
    upstream: Line | None = None

    def shown(self) -> Iterator[Shown]:
        """Every symptom of every face, the main one first; an id may come more than once."""
        yield from self.symptoms
        for face in self.faces:
            yield from face.symptoms


OTHER, NOT_META = "other", "not-meta"  # causes of reports that have no entry


class PublicReport(Model):
    """A public report that was read and labelled (one line of `kb/reports.jsonl`).

    `source` is `owner/repository#number` or an address. `printed` is the machine output, `told` what was
    seen where nothing was printed, `context` what was done, both in our words. `cause` is an entry, OTHER
    for a meta problem that has none, or NOT_META; `also` are entries that would have been fair answers.
    `evidence` is how far an expert can tell the cause from the row: what decides is there, partly there, or
    not; None where nobody has judged it.
    """

    source: Line
    printed: str = ""
    told: str = ""
    context: str
    cause: Id
    also: list[Id] = Field(default_factory=list)
    evidence: Literal["decisive", "partial", "none"] | None = None

    def text(self) -> str:
        """All that a person asking for help had shown and said."""
        return "\n".join(filter(None, (self.printed or self.told, self.context)))


class Wording(Model):
    """One wording of a message: a template whose `{holes}` stand for any text.

    `since` and `until` (inclusive) are releases by package. `unseen` is the reason why no run on
    our machines prints it.
    """

    text: Text
    since: Releases = Field(default_factory=dict)
    until: Releases = Field(default_factory=dict)
    unseen: Line | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"text": value} if isinstance(value, str) else value

    def beyond(self, versions: Mapping[str, str]) -> Iterator[tuple[Literal["since", "until"], str, str]]:
        """Bounds that the given versions lie beyond: which, of what package, the release it names."""
        for package, first in self.since.items():
            if package in versions and Version(versions[package]) < Version(first):
                yield "since", package, first
        for package, last in self.until.items():
            if package in versions and Version(versions[package]) > Version(last):
                yield "until", package, last


class Symptom(Model):
    """One thing a person sees (`kb/symptoms/<id>.yaml`).

    `means` says in two sentences what the message means and what not to do; it opens the page.
    """

    id: EntryId
    title: Line
    kind: Kind
    type: list[TypeName] = Field(default_factory=list)
    messages: dict[Id, Wording] = Field(default_factory=dict)
    near_misses: list[Text] = Field(default_factory=list)
    means: Text | None = None
    looks_like: Text | None = None
    note: Text | None = None
    aliases: list[EntryId] = Field(default_factory=list)

    @field_validator("type", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @model_validator(mode="after")
    def _speaks(self) -> Symptom:
        if self.kind is Kind.SILENT:
            if self.messages or not self.looks_like:
                raise ValueError("a silent symptom has `looks_like` and no `messages`")
        elif not self.messages or not self.near_misses:
            raise ValueError("a printed symptom needs `messages` and at least one of `near_misses`")
        if self.kind in (Kind.EXCEPTION, Kind.WARNING) and not self.type:
            raise ValueError(f"a symptom of kind {self.kind} needs `type`, the class that is raised")
        return self


class Operation(Model):
    """A row of the operation table: `group` is the section, `call` the code, `outcome` the cell."""

    group: Literal[
        "moves",
        "reads",
        "arithmetic",
        "linear",
        "embedding",
        "normalisation",
        "convolution",
        "attention",
        "indexing",
        "joining",
        "in-place",
        "initialisation",
        "optimiser",
        "saving",
        "autocast",
        "compile",
        "contexts",
        "metadata",
    ]
    call: Line
    outcome: OperationOutcome
    symptom: Id | None = None


class Fact(Model):
    """A small true statement about the meta device, proved by `snippets/facts/<id>.py`."""

    id: EntryId
    statement: Line
    says: Text
    area: Area
    applies: Ranges = Field(default_factory=dict)
    prints: list[Harmless] = Field(default_factory=list)
    needs: Needs = Needs()
    operations: list[Operation] = Field(default_factory=list)
    references: list[Reference] = Field(default_factory=list)
    aliases: list[EntryId] = Field(default_factory=list)


class Noise(Model):
    """A message that has nothing to do with meta tensors and that a snippet cannot avoid (`kb/noise.toml`).

    `text` is a template; the judge passes over warnings and log records of this wording. The `reason` says
    why the library prints it.
    """

    kind: Literal["warning", "log"]
    text: Line
    reason: Line


class NoiseFile(Model):
    """All of `kb/noise.toml`."""

    noise: list[Noise] = Field(default_factory=list)


class Unbracketed(Model):
    """A bound beyond which no recorded run stands, and how it is known all the same (`kb/bounds.toml`).

    `entry` is a cause or a symptom, `part` the face or the wording where it is not the cause itself.
    """

    id: Id
    entry: Id
    part: Id | None = None
    package: Line
    bound: Line
    reason: Line


class Lookalike(Model):
    """Messages that people take for a meta-tensor problem (`kb/lookalikes.toml`), and what they are instead.

    `messages` are templates; where a symptom matches as well, the symptom wins. `strong` holds even where
    the text speaks of the meta device, `final` where nothing but notices about it came before; `weak` gives
    way to names that only programs with meta or offloaded weights use.
    """

    id: Id
    title: Line
    says: Text
    messages: OneOrMore
    strong: bool = False
    final: bool = False
    weak: bool = False


class Stack(Model):
    """A named environment (`kb/stacks.toml`): the versions that a proof depends on.

    `also` are further requirements that pip needs to make the stack work; no proof depends on them.
    `entries` are folders of `snippets/` that the stack is there for; all where empty.
    """

    id: Id
    title: Line
    reference: bool = False
    python: Release
    packages: Releases
    also: list[Line] = Field(default_factory=list)
    entries: list[Id] = Field(default_factory=list)

    @field_validator("id")
    @classmethod
    def _no_device(cls, value: str) -> str:
        if value.endswith("-cuda"):
            raise ValueError("a stack's name does not end in -cuda: so are its runs on a GPU called")
        return value

    @property
    def versions(self) -> dict[str, str]:
        """Release by package, Python included."""
        return {"python": self.python, **self.packages}


def inside(ranges: Mapping[str, str], versions: Mapping[str, str]) -> bool:
    """Whether every range holds for the given versions; a missing package is outside."""
    return all(
        package in versions and SpecifierSet(wanted).contains(versions[package], prereleases=True)
        for package, wanted in ranges.items()
    )
