"""What a look at a model found, and its forms: text, HTML, JSON. Standard library only."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

SHOWN_NAMES = 8
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])\d+(?![A-Za-z0-9_])")


class MetaTensorError(RuntimeError):
    """Raised by `Report.raise_for_findings()`; `report` is what was found."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report


@dataclass(frozen=True)
class ModelFinding:
    """One thing found in a model.

    `cause` is the entry that explains it. A *problem* needs a change; a *note* is fine as long as the
    advice is kept. `tensors` are full names of parameters and buffers, `evidence` what was looked at,
    `change` lines of code in the names of this model. `sure` says that no other cause leaves this behind.
    """

    cause: str
    says: str
    level: Literal["problem", "note"] = "problem"
    tensors: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    sure: bool = False

    @property
    def url(self) -> str:
        """Address of the entry."""
        from unmeta.address import entry_url

        return entry_url(self.cause)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `unmeta doctor --json` prints it."""
        return {
            "cause": self.cause,
            "level": self.level,
            "says": self.says,
            "tensors": list(self.tensors),
            "evidence": list(self.evidence),
            "change": list(self.change),
            "url": self.url,
        }


@dataclass(frozen=True)
class Report:
    """All findings about one model, problems first. True where nothing needs a change."""

    subject: str
    findings: tuple[ModelFinding, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def problems(self) -> tuple[ModelFinding, ...]:
        """Findings that need a change."""
        return tuple(finding for finding in self.findings if finding.level == "problem")

    @property
    def ok(self) -> bool:
        """Whether no finding is a problem."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def raise_for_findings(self) -> Report:
        """Raise MetaTensorError where there is a problem; return the report itself where there is none."""
        if not self.ok:
            raise MetaTensorError(self)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "subject": self.subject,
            "ok": self.ok,
            "counts": dict(self.counts),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def __str__(self) -> str:
        return "\n".join([self._head(), *(_text(finding) for finding in self.findings)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        parts = [f"<p><strong>{escape(self._head())}</strong></p>"]
        for finding in self.findings:
            sign = "✗" if finding.level == "problem" else "i"
            parts.append(f"<p>{sign} {escape(finding.says)}<br>")
            parts += [f"<code>{escape(name)}</code><br>" for name in folded(finding.tensors)]
            parts += [f"<small>{escape(line)}</small><br>" for line in finding.evidence]
            parts.append("</p>")
            if finding.change:
                parts.append(f"<pre>{escape(chr(10).join(finding.change))}</pre>")
            parts.append(f'<p><a href="{escape(finding.url)}">{escape(finding.cause)}</a></p>')
        return "".join(parts)

    def _head(self) -> str:
        problems, notes = len(self.problems), len(self.findings) - len(self.problems)
        counted = ", ".join(f"{count:,} {name}" for name, count in self.counts.items() if count)
        told = (
            f"{_counted(problems, 'problem')}, {_counted(notes, 'note')}"
            if self.findings
            else "nothing found"
        )
        return f"{self.subject}: {told} ({counted})" if counted else f"{self.subject}: {told}"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _text(finding: ModelFinding) -> str:
    lines = [f"{'✗' if finding.level == 'problem' else 'i'} {finding.says}"]
    lines += [f"    {name}" for name in folded(finding.tensors)]
    lines += [f"  {line}" for line in finding.evidence]
    if finding.change:
        lines += ["  Change:", *(f"    {line}" for line in finding.change)]
    lines.append(f"  {finding.url}")
    return "\n".join(lines)


def folded(names: tuple[str, ...], most: int = SHOWN_NAMES) -> list[str]:
    """Names with their numbers folded: `layers.{0…31}.weight (32)` in place of thirty-two lines."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_NUMBER.sub("#", name), []).append(name)
    lines = []
    for shape, members in groups.items():
        if len(members) == 1:
            lines.append(members[0])
            continue
        columns = zip(*(_NUMBER.findall(name) for name in members), strict=True)
        text = shape
        for column in columns:
            values = sorted({int(value) for value in column})
            shown = str(values[0]) if len(values) == 1 else f"{{{values[0]}…{values[-1]}}}"
            text = text.replace("#", shown, 1)
        lines.append(f"{text} ({len(members)})")
    if len(lines) > most:
        lines = [*lines[:most], f"… and {len(lines) - most} more"]
    return lines
