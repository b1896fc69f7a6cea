"""JSON Schemas of the entry files, for editors; generated from the models, never written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unmeta.kb.load import KINDS

SINGULAR = {"causes": "cause", "symptoms": "symptom", "facts": "fact"}


def schemas() -> dict[str, str]:
    """Text of each schema by file name below `kb/schema/`."""
    texts = {}
    for folder, model in KINDS.items():
        schema: dict[str, Any] = model.model_json_schema(mode="validation")
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        # The file name is the id; the key is refused in YAML.
        schema["properties"].pop("id")
        schema["required"].remove("id")
        _accept_short_forms(schema)
        texts[f"{SINGULAR[folder]}.json"] = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    return texts


def _accept_short_forms(schema: dict[str, Any]) -> None:
    """The loader takes a word for a list of one, a text for a wording, and flat needs."""
    definitions = schema.get("$defs", {})
    if "Clue" in definitions:
        for part in definitions["Clue"]["properties"].values():
            options = part.get("anyOf", [])
            if any(option.get("type") == "array" for option in options):
                options.append({"type": "string"})
        keys = [key for key in definitions["Clue"]["properties"] if key != "unseen"]
        definitions["Clue"]["oneOf"] = [{"required": [key]} for key in keys]
        definitions["Clue"]["dependentRequired"] = {"unseen": ["through"]}
    if "Wording" in definitions:
        definitions["Wording"] = {"anyOf": [{"type": "string"}, definitions["Wording"]]}
    if "Needs" in definitions:
        needs = definitions["Needs"]
        packages = needs["properties"].pop("packages")
        needs["additionalProperties"] = packages["additionalProperties"]
    if "type" in schema["properties"]:
        schema["properties"]["type"] = {"anyOf": [{"type": "string"}, schema["properties"]["type"]]}


def write(folder: Path) -> list[Path]:
    """Write the schemas into `folder`; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in schemas().items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths
