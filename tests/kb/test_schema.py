"""The schemas in kb/schema are those of the models, and accept the committed entries."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from unmeta.kb.load import KINDS
from unmeta.kb.schema import SINGULAR, schemas


@pytest.mark.parametrize("name", sorted(schemas()))
def test_the_committed_schema_is_the_generated_one(root: Path, name: str) -> None:
    committed = (root / "kb" / "schema" / name).read_text(encoding="utf-8")
    assert committed == schemas()[name], "run `unmeta check --write-schemas`"


@pytest.mark.parametrize("folder", sorted(KINDS))
def test_editors_accept_what_the_loader_accepts(root: Path, folder: str) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schemas()[f"{SINGULAR[folder]}.json"]))
    for path in sorted((root / "kb" / folder).glob("*.yaml")):
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        errors = [e.message for e in validator.iter_errors(_typed(data))]
        assert errors == [], path.name


def _typed(value: object) -> object:
    """Numbers and booleans as YAML's core schema reads them; the base loader leaves all as text."""
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_typed(item) for item in value]
    if isinstance(value, str) and value.isdigit():
        return int(value)
    return value
