"""Drawings of the guide: SVG inside the page, so that they follow its colours, and one made from the runs.

What people wrote is cleaned of all SVG; these are put back unchanged afterwards (`safe.content`).
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from unmeta.site.proof import CellState, Proof

FOLDER = Path(__file__).parent / "pictures"
TIMELINE = "timeline"
PACKAGE = "transformers"

SHOWS: Mapping[str, Sequence[str]] = {
    "life": (
        "tensor-to-raises", "copy-into-meta-does-nothing", "to-empty-allocates-uninitialised",
        "to-empty-then-load-restores-parameters", "assign-takes-the-tensors", "module-to-meta-drops-weights",
        "hooks-bring-offloaded-layers-in",
    ),
    "load": (
        "older-from-pretrained-builds-for-real", "from-pretrained-builds-on-meta",
        "non-persistent-buffer-lost", "mismatched-or-new-head",
    ),
    "offload": (
        "hooks-bring-offloaded-layers-in", "move-with-offload-raises",
        "state-dict-of-an-offloaded-model-is-meta",
        "writing-to-an-offloaded-weight-is-ignored", "offloaded-weights-can-be-read-through-the-hook",
        "trainer-moves-dispatched", "save-offloaded-model",
    ),
    "decide": (),
}  # fmt: skip
"""The hand-made drawings, and the entries whose runs show what they say; a test asks that each holds."""


@dataclass(frozen=True)
class PictureRow:
    """A line of the timeline: what happens, scripts of which one shows it, some that show the opposite."""

    title: str
    keys: tuple[str, ...]
    against: tuple[str, ...] = ()


ROWS = (
    PictureRow("A plain load builds on meta", ("facts/from-pretrained-builds-on-meta.py",),
        ("facts/older-from-pretrained-builds-for-real.py",)),
    PictureRow("Under a meta context: the model is not whole",
        tuple(f"default-device-leak/broken-transformers-4-{minor}.py" for minor in (36, 46, 51, 55))),
    PictureRow("Under a meta context: refuses", ("default-device-leak/broken.py",)),
    PictureRow("Two threads: later modules go to meta",
        ("concurrent-from-pretrained/broken-transformers-4-57.py",)),
    PictureRow("Two threads: a tied model stays on meta", ("concurrent-from-pretrained/broken.py",)),
    PictureRow("Computed buffers are lost", ("non-persistent-buffer-lost/broken-transformers-5.py",)),
    PictureRow("save_pretrained() after cpu_offload(): no data",
        ("save-offloaded-model/broken-save-pretrained.py",)),
    PictureRow("Trainer trains the resident part only", ("trainer-moves-dispatched/broken.py",)),
)  # fmt: skip
_LEFT, _TOP, _ROW, _STEP = 8, 46, 52, 58


def names() -> list[str]:
    """What `<!-- unmeta: picture NAME -->` may name."""
    return [*SHOWS, TIMELINE]


def figure(name: str, proof: Proof) -> str:
    """A drawing as one line of HTML. Raises KeyError for a name that is none."""
    svg = timeline(proof) if name == TIMELINE else _drawn(name)
    return f'<figure class="um-picture um-picture-{name}">{svg}</figure>'


def _drawn(name: str) -> str:
    if name not in SHOWS:
        raise KeyError(name)
    lines = (FOLDER / f"{name}.svg").read_text(encoding="utf-8").splitlines()
    return "".join(line.strip() for line in lines)


def timeline(proof: Proof) -> str:
    """When something began and ended, by release, as runs show it: one row each, one column a release."""
    releases = sorted(
        {runs.versions[PACKAGE] for runs in proof.columns if PACKAGE in runs.versions}, key=Version
    )
    states = [[_state(proof, row, release) for release in releases] for row in ROWS]
    centres = [_LEFT + _STEP * number + _STEP // 2 for number in range(len(releases))]
    width, foot = _LEFT * 2 + _STEP * len(releases), _TOP + _ROW * len(ROWS) + 22
    parts = [
        _text("small", at, 22, release, middle=True) for at, release in zip(centres, releases, strict=True)
    ]
    parts += [f'<path class="p-grid" d="M{at} 32V{foot - 22}"/>' for at in centres]
    for number, (row, here) in enumerate(zip(ROWS, states, strict=True)):
        y = _TOP + _ROW * number + 34
        parts.append(_text("label", _LEFT, y - 16, row.title))
        pairs = zip(centres, here, here[1:], strict=False)
        parts += [
            f'<path class="p-span" d="M{at} {y}h{_STEP}"/>' for at, *two in pairs if two == ["holds"] * 2
        ]
        parts += [_mark(at, y, state) for at, state in zip(centres, here, strict=True)]
    parts += [_mark(_LEFT + 8, foot - 5, "holds"), _text("soft", _LEFT + 22, foot, "happens")]
    parts += [_mark(_LEFT + 108, foot - 5, "absent"), _text("soft", _LEFT + 120, foot, "does not")]
    parts.append(_text("soft", _LEFT + 208, foot, "no mark: not run there"))
    on = [[r for r, state in zip(releases, here, strict=True) if state == "holds"] for here in states]
    said = (f"{row.title}: {', '.join(shown) or 'none'}." for row, shown in zip(ROWS, on, strict=True))
    named = 'role="img" aria-labelledby="um-timeline-title um-timeline-desc"'
    title = f'<title id="um-timeline-title">What changed, by release of {PACKAGE}, as runs show it</title>'
    told = f'<desc id="um-timeline-desc">{html.escape(" ".join(said))}</desc>'
    return f'<svg viewBox="0 0 {width} {foot + 8}" {named}>{title}{told}{"".join(parts)}</svg>'


def _text(look: str, x: int, y: int, text: str, *, middle: bool = False) -> str:
    anchor = ' text-anchor="middle"' if middle else ""
    return f'<text class="p-{look}" x="{x}" y="{y}"{anchor}>{html.escape(text)}</text>'


def _mark(x: int, y: int, state: CellState) -> str:
    if state == "holds":
        return f'<circle class="p-dot" cx="{x}" cy="{y}" r="7"/>'
    return f'<circle class="p-ring" cx="{x}" cy="{y}" r="5"/>' if state == "absent" else ""


def _state(proof: Proof, row: PictureRow, release: str) -> CellState:
    """What one of the row's scripts shows on the release: there, not there, or nothing known."""
    here = [runs.name for runs in proof.columns if runs.versions.get(PACKAGE) == release]

    def states(keys: Sequence[str]) -> set[CellState]:
        return {cell.state for key in keys for name in here if (cell := proof.cells.get((key, name)))}

    if "holds" in states(row.keys):
        return "holds"
    return "absent" if "absent" in states(row.keys) or "holds" in states(row.against) else "not-run"
