"""The notebook chapter of the guide prints, executed anew, what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What each code cell prints to standard output, without addresses, which differ from run to run."""
    return [
        re.sub(r"0x[0-9a-f]+", "0x", "".join(out.text for out in cell.outputs if out.get("name") == "stdout"))
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the Jupyter client, not of the notebook
def test_five_minutes_prints_what_it_shows(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    notebook = nbformat.read(root / "docs" / "guide" / "five-minutes.ipynb", as_version=4)
    shown = printed(notebook)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any(shown)
    assert printed(notebook) == shown
