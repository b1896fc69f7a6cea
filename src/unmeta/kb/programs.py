"""Programs: realistic code that fails for a cause, and the same with the cause's fix applied.

`programs/<cause>/<name>/` holds `program.yaml`, `main.py` with its helper modules, and in `repaired/`
the files that the fix changes. Programs below `programs/near-misses/` fail for reasons that have
nothing to do with meta tensors.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from unmeta.kb.model import NOT_META, Id, Line, Model, Needs, Text

FOLDER, NEAR_MISSES, REPAIRED = "programs", "near-misses", "repaired"


class ProgramClaim(Model):
    """What is claimed of a program (`program.yaml`).

    `fix` is the fix of the cause that the repaired copy applies, absent where `why` says that none of them
    holds here; near misses have neither fix nor copy. `evidence` is
    what an expert needs to tell the cause from what is printed: it is there, partly there, or not.
    `run` is the command line behind `python`.
    """

    says: Line
    cause: Id
    fix: Id | None = None
    evidence: Literal["decisive", "partial", "none"]
    why: Text | None = None
    run: Annotated[list[Line], Field(min_length=1, max_length=20)] = Field(
        default_factory=lambda: ["main.py"]
    )
    needs: Needs = Needs()


@dataclass(frozen=True)
class Edition:
    """A program as it is run: broken, or repaired. `key` names its runs, `files` are all it consists of."""

    key: str
    files: Mapping[str, str]
    argv: tuple[str, ...]
    processes: int | None

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that tie a run to the files and the command line."""
        held = json.dumps([self.argv, self.processes, sorted(self.files.items())])
        return hashlib.sha256(held.encode()).hexdigest()[:12]

    @property
    def main(self) -> str:
        """The file that is run."""
        return self.argv[0]


@dataclass(frozen=True)
class Program:
    """One program with its files by name; `key` is its path, such as `programs/meta-copy/nightly-export`."""

    key: str
    claim: ProgramClaim
    files: Mapping[str, str]
    repairs: Mapping[str, str]

    @property
    def folder(self) -> str:
        """The folder it lies in: its cause's, or that of near misses."""
        return self.key.split("/")[1]

    @property
    def near_miss(self) -> bool:
        """Whether it fails for another reason."""
        return self.claim.cause == NOT_META

    @cached_property
    def broken(self) -> Edition:
        """The program as it fails."""
        return Edition(self.key, self.files, tuple(self.claim.run), self.claim.needs.processes)

    @cached_property
    def repaired(self) -> Edition | None:
        """The program with the fix applied; None for near misses."""
        if self.near_miss:
            return None
        files = {**self.files, **self.repairs}
        return Edition(f"{self.key}/{REPAIRED}", files, tuple(self.claim.run), self.claim.needs.processes)

    def editions(self) -> list[Edition]:
        """What is run of it."""
        return [self.broken, *([self.repaired] if self.repaired else [])]
