"""A matcher of a few made-up entries."""

import json

from unmeta.kb.load import Catalogue
from unmeta.kb.model import Cause, Lookalike, Symptom
from unmeta.match.compile import PLAIN, compile_index, to_json
from unmeta.match.score import Matcher


def compiled(causes, symptoms, lookalikes=(), weights=PLAIN):
    """A matcher of bodies of entries by id, with its index as it travels: through JSON."""
    rest = {"area": "torch", "summary": "What happened.", "cause": "Why."}
    catalogue = Catalogue(
        {name: Cause.model_validate({"id": name, **rest, **body}) for name, body in sorted(causes.items())},
        {name: Symptom.model_validate({"id": name, **body}) for name, body in sorted(symptoms.items())},
        {}, {}, {},
        lookalikes={
            name: Lookalike.model_validate({"id": name, **body}) for name, body in dict(lookalikes).items()
        },
    )  # fmt: skip
    return Matcher(json.loads(to_json(compile_index(catalogue, "https://x.org/", weights))))
