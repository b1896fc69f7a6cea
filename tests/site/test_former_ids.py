"""A former id keeps every address it had."""

from __future__ import annotations

import json

from unmeta.site.build import generate
from unmeta.site.source import Source


def test_every_address_of_a_former_id_is_there(source: Source) -> None:
    files = generate(source).files
    now = {path for path in files if "half-copied" in path}
    for path in now:
        former = path.replace("half-copied", "old-name")
        assert former in files or former.replace(".ipynb", ".md") in files, former
    assert json.loads(files["e/old-name.json"]) == json.loads(files["e/half-copied.json"])
    assert "(half-copied.md)" in files["notebooks/old-name.md"]
    assert "(half-copied.md)" in files["e/old-name.md"]
