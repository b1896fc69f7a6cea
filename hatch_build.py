"""Put the compiled index, the entries and the guide into the wheel, so that readers need no checkout."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[misc]
    """Compiles kb/ when a wheel is built; an editable install compiles as its checkout changes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write two files below the build folder, and name their places and the guide's in the wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        from unmeta.kb.entries import to_lines
        from unmeta.match.compile import compile_root, to_json
        from unmeta.match.likely import entries_of

        out = Path(self.directory) / "compiled"
        out.mkdir(parents=True, exist_ok=True)
        index, entries = out / "index.json", out / "entries.jsonl"
        index.write_text(to_json(compile_root(root)), encoding="utf-8")
        entries.write_text(to_lines(entries_of(root)), encoding="ascii", newline="\n")
        build_data["force_include"][str(index)] = "unmeta/match/index.json"
        build_data["force_include"][str(entries)] = "unmeta/kb/entries.jsonl"
        for page in sorted((root / "docs" / "guide").glob("*.md")):
            build_data["force_include"][str(page)] = f"unmeta/assist/guide/{page.name}"
