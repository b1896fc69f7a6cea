"""The messages of a catalogue as the matcher seeks them."""

from __future__ import annotations

from typing import Any

from unmeta.kb.load import Catalogue
from unmeta.kb.model import Kind, Symptom
from unmeta.match.evidence import wording
from unmeta.match.template import Template, fold


def wordings_of(catalogue: Catalogue) -> list[Any]:
    """Every wording of every symptom, ready to be sought; symptoms by their place in the catalogue."""
    return [
        wording(at, name, folded)
        for at, symptom in enumerate(catalogue.symptoms.values())
        for name, message in symptom.messages.items()
        for folded in sought(symptom, Template(message.text))
    ]


def sought(symptom: Symptom, template: Template) -> list[list[str]]:
    """Literals to seek; a message that says little by itself must follow the name of its exception."""
    key = symptom.kind is Kind.EXCEPTION and not any(" " in literal for literal in template.literals)
    telling = template.weight >= 18 or (template.weight >= 12 and "meta" in "".join(template.folded))
    if telling and not key:  # a KeyError's message is a mere name, such as stands in any list of weights
        return [template.folded]
    names = [name.rpartition(".")[2] for name in symptom.type] or [""]
    return [[fold(name + ":") + template.folded[0], *template.folded[1:]] for name in names]
