"""One page by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from unmeta.cli import main


def test_one_page_as_the_site_renders_it(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["preview", "init-on-device-meta-covers-buffers", "--out", str(tmp_path), "--root", str(root)]
    assert main(arguments) == 0
    page = Path(capsys.readouterr().out.strip())
    assert page == tmp_path / "e" / "init-empty-weights-keeps-buffers-real.html"
    text = page.read_text(encoding="utf-8")
    assert "um-proof" in text
    assert "init_empty_weights" in text
    assert 'href="../assets/stylesheets/unmeta.css"' in text
    assert (tmp_path / "assets/stylesheets/unmeta.css").is_file()


def test_a_page_that_is_none(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preview", "to-after-dispach", "--out", str(tmp_path), "--root", str(root)]) == 2
    assert "did you mean 'to-after-dispatch'?" in capsys.readouterr().err
