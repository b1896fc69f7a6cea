"""Where one cause stands among all, asked for thousands of pastes: the matcher weighs every cause for each.

What a cause claims of a paste depends on the paste's messages, its versions and whether its traceback is
whole, but for the clues that the paste's functions, code and words meet. So causes are weighed once for all
pastes that agree in the former, and again only where a clue is met. The order is that of the matcher.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unmeta.match.evidence import Evidence
from unmeta.match.score import Matcher, Told

NO_ANSWERS: Mapping[str, bool] = {}


class Places:
    """The places of causes in a matcher's answers."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        causes = matcher.index["causes"]
        self.at = {cause["id"]: at for at, cause in enumerate(causes)}
        self._having: dict[int, set[int]] = {}  # causes by place of a clue
        for at, cause in enumerate(causes):
            for _, _, rows in cause["shown"]:
                for row in rows:
                    self._having.setdefault(row, set()).add(at)
        self._alike: dict[Any, list[int]] = {}

    def before(self, cause: str, text: str) -> int:
        """How many causes the matcher would rank before one."""
        evidence = self.matcher.evidence(text)
        hits = self.matcher.hits(evidence)
        scores = [
            a + b for a, b in zip(self.matcher.residual(evidence), self._claimed(evidence), strict=True)
        ]
        met = {at for row in hits for at in self._having.get(row, ())}
        for at in met:
            scores[at] += self._points(at, evidence, hits) - self._claimed(evidence)[at]
        own = self.at[cause]
        least = scores[own]
        return sum(score > least for score in scores) + scores[:own].count(least)

    def _claimed(self, evidence: Evidence) -> list[int]:
        """What all causes claim, but for the clues that are met."""
        paste = evidence.paste
        seen = tuple((seen.symptom, seen.name) for seen in evidence.seen)
        alike = (seen, paste.complete, tuple(sorted(paste.versions.items())))
        if alike not in self._alike:
            self._alike[alike] = [self._points(at, evidence, {}) for at in range(len(self.at))]
        return self._alike[alike]

    def _points(self, at: int, evidence: Evidence, hits: Mapping[int, Told]) -> int:
        matcher = self.matcher
        claims, _ = matcher.claims(matcher.index["causes"][at], evidence, hits, NO_ANSWERS)
        return sum(matcher.index["weights"][group] * amount // 100 for group, amount in claims)
