"""What the upstream page gives maintainers is run: each script prints what stands under it."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from unmeta.site.links import each_link

PAGE = Path(__file__).resolve().parents[2] / "docs" / "upstream.md"
SECTION = re.compile(
    r"^### (?P<title>.+?) \{ #(?P<id>[\w-]+) \}\n(?P<body>.*?)(?=^##+ |\Z)", re.MULTILINE | re.DOTALL
)
SCRIPT = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
DEFECTS, _, REQUESTS = PAGE.read_text(encoding="utf-8").partition("## Requests {")
SECTIONS = {
    match["id"]: (match["body"], part is DEFECTS)
    for part in (DEFECTS, REQUESTS)
    for match in SECTION.finditer(part)
}
WITH_SCRIPT = [name for name, (body, _) in SECTIONS.items() if "```python" in body]


@pytest.mark.parametrize("name", WITH_SCRIPT)
def test_a_script_prints_what_stands_under_it(name: str, tmp_path: Path) -> None:
    body, _ = SECTIONS[name]
    ((script, printed),) = SCRIPT.findall(body)
    if "bitsandbytes" in script and not importlib.util.find_spec("bitsandbytes"):
        pytest.skip("runs on the stack bitsandbytes")
    (tmp_path / "reproduce.py").write_text(script, encoding="utf-8")
    quiet = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "CUDA_VISIBLE_DEVICES": ""}
    told = subprocess.run(
        [sys.executable, "reproduce.py"],
        cwd=tmp_path,
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert told.returncode == 0, told.stderr[-2000:]
    # The Trainer prints its own figures between.
    lines = [
        line
        for line in told.stdout.splitlines()
        if not line.startswith(("{", "[", "Setting")) or line in printed
    ]
    assert "\n".join(lines).strip() == printed.strip()


@pytest.mark.parametrize("name", [name for name, (_, defect) in SECTIONS.items() if defect])
def test_a_defect_can_be_filed_as_it_stands(name: str) -> None:
    body, _ = SECTIONS[name]
    for part in ("```python", "**Expected:**", "**Function:**", "**A repair must keep:**"):
        assert part in body, f"{name} lacks {part}"
    linked: list[str] = []
    each_link(body, lambda match: linked.append(match["id"]) or match[0])  # type: ignore[func-returns-value]
    assert linked, f"{name} names no entry that shows it"
    code = SCRIPT.findall(body)[0][0]
    assert len(code.splitlines()) <= 35
