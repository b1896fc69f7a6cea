"""Snippets: the scripts that prove an entry, and what each of them must do."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from unmeta.kb.model import Cause, Face, Fact, Fix, Harmless, Needs, Shown, Trap
from unmeta.kb.parts import Parts, PartsError, lines, parts

WRONG_RESULT = "wrong-result"


class Role(StrEnum):
    """What a snippet is to its entry; the first part of its file name."""

    BROKEN = "broken"
    FIX = "fix"
    TRAP = "trap"
    FACT = "fact"


@dataclass(frozen=True)
class Snippet:
    """One file below `snippets/`; `key` is its path there, such as `tied-weights-broken/broken.py`."""

    key: str
    text: str

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of the text's SHA-256, line endings normalised; ties a run to its code."""
        text = self.text.replace("\r\n", "\n").encode()
        return hashlib.sha256(text).hexdigest()[:12]

    @cached_property
    def tree(self) -> ast.Module | None:
        """The parsed text; None where it is not Python."""
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError):
            return None

    @cached_property
    def nodes(self) -> Sequence[ast.AST]:
        """Every node of the tree; several rules look at all of them."""
        return list(ast.walk(self.tree)) if self.tree is not None else []

    @cached_property
    def parts(self) -> Parts:
        """Stage, reader's part and goal; undivided where a marker is misplaced (see `misplaced`)."""
        try:
            return parts(self.text, self.tree)
        except PartsError:
            return Parts(lines(self.text))

    @cached_property
    def misplaced(self) -> PartsError | None:
        """What is wrong with the markers; None where nothing is."""
        try:
            parts(self.text, self.tree)
        except PartsError as error:
            return error
        return None


@dataclass(frozen=True)
class Case:
    """One snippet with all that its entry claims of it.

    `key` names the file whether or not it exists. `shows` are the symptoms in order (for a broken
    snippet), `prints` what a fix or fact prints besides, `ends` where a trap must end, `applies` the versions
    on which the claim is made.
    """

    key: str
    role: Role
    owner: str
    applies: dict[str, str] = field(default_factory=dict)
    needs: Needs = field(default_factory=Needs)
    shows: tuple[Shown, ...] = ()
    prints: tuple[Harmless, ...] = ()
    ends: str | None = None
    face: str | None = None
    name: str | None = None


def broken_key(cause: str, face: str | None = None) -> str:
    """Key of the broken snippet of a cause or of one of its faces."""
    return f"{cause}/broken{'-' + face if face else ''}.py"


def cases_of_cause(cause: Cause) -> Iterator[Case]:
    """Every snippet that a cause must have: broken, faces, fixes, traps, in page order."""
    faces: dict[str | None, Face] = {face.id: face for face in cause.faces}

    def applies(face: str | None) -> dict[str, str]:
        own = faces[face].applies if face in faces else None
        return cause.applies if own is None else own

    def needs(face: str | None, own: Needs) -> Needs:
        base = cause.needs.merged(faces[face].needs) if face in faces else cause.needs
        return base.merged(own)

    yield Case(broken_key(cause.id), Role.BROKEN, cause.id, cause.applies, cause.needs, tuple(cause.symptoms))
    for face in cause.faces:
        yield Case(
            broken_key(cause.id, face.id),
            Role.BROKEN,
            cause.id,
            applies(face.id),
            needs(face.id, Needs()),
            tuple(face.symptoms),
            face=face.id,
        )
    ways: list[tuple[Fix | Trap, str | None]] = [(way, way.face) for way in cause.fixes]
    fixes = {fix.id: fix for fix in cause.fixes}
    ways += [(fixes[fix], face.id) for face in cause.faces for fix in face.holds if fix in fixes]
    ways += [(way, way.face) for way in cause.traps]
    for way, face_id in ways:
        yield Case(
            way_key(cause.id, way, face_id),
            Role.FIX if isinstance(way, Fix) else Role.TRAP,
            cause.id,
            applies(face_id),
            needs(face_id, way.needs),
            prints=tuple(way.prints) if isinstance(way, Fix) else (),
            ends=way.ends if isinstance(way, Trap) else None,
            face=face_id,
            name=way.id,
        )


def way_key(cause: str, way: Fix | Trap, face: str | None = None) -> str:
    """Key of the snippet of a fix or trap; `face` names the one where a fix of elsewhere holds too."""
    role = Role.FIX if isinstance(way, Fix) else Role.TRAP
    return f"{cause}/{role}-{way.id}{'-' + face if face not in (None, way.face) else ''}.py"


def case_of_fact(fact: Fact) -> Case:
    """The one snippet of a fact."""
    return Case(
        f"facts/{fact.id}.py", Role.FACT, fact.id, fact.applies, fact.needs, prints=tuple(fact.prints)
    )
