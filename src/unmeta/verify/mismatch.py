"""The exception of a run that is not what its entry claims; light, so that pytest starts fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unmeta.kb.evidence import Reason
    from unmeta.kb.load import Catalogue
    from unmeta.kb.runs import Observation
    from unmeta.kb.snippets import Case


class MismatchError(Exception):
    """A run that is not what its entry claims."""

    def __init__(
        self,
        case: Case | None,
        observation: Observation | None,
        reasons: tuple[Reason, ...],
        catalogue: Catalogue | None = None,
        turn: int = 0,
    ) -> None:
        super().__init__("; ".join(reason.message for reason in reasons))
        self.case = case
        self.observation = observation
        self.reasons = reasons
        self.catalogue = catalogue
        self.turn = turn
