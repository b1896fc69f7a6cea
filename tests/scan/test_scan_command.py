"""`unmeta scan` on the command line: forms, config, files that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unmeta.cli import main

WRONG = 'model = A.from_pretrained(p, device_map="auto")\nmodel.to("cuda")\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(WRONG)
    return tmp_path


def test_findings_are_told_with_place_and_address(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", "app.py"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("app.py:2:1: to-after-dispatch: ")
    assert "https://" in out
    assert here.joinpath("app.py").read_text() == WRONG


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
@pytest.mark.usefixtures("here")
def test_forms_for_machines(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", ".", "--format", form]) == 1
    out = capsys.readouterr().out
    if form == "github":
        assert out.startswith("::warning file=app.py,line=2,col=1,title=to-after-dispatch::")
        return
    data = json.loads(out)
    item = data["runs"][0]["results"][0] if form == "sarif" else data[0]
    assert item["ruleId" if form == "sarif" else "cause"] == "to-after-dispatch"


def test_clean_code_is_no_finding(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "app.py").write_text("x = 1\n")
    assert main(["scan"]) == 0
    assert "nothing found in 1 file" in capsys.readouterr().err


def test_pyproject_leaves_out_files_and_rules(here: Path) -> None:
    (here / "pyproject.toml").write_text('[tool.unmeta.scan]\nexclude = ["app.py"]\n')
    assert main(["scan"]) == 0
    (here / "pyproject.toml").write_text('[tool.unmeta.scan]\nignore = ["to-after-dispatch"]\n')
    assert main(["scan"]) == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[tool.unmeta.scan]\nexcluded = []\n", "not excluded"),
        ('[tool.unmeta.scan]\nignore = ["x"]\n', "no rule 'x'"),
        ("[tool", "pyproject.toml"),
    ],
)
def test_a_config_that_is_wrong_is_refused(
    text: str, told: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "pyproject.toml").write_text(text)
    assert main(["scan"]) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_looked_at(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "bad.py").write_bytes(b'x = "meta"\n\xff\xfe\n')
    (here / "worse.py").write_text('net.to("meta")\nif\n')
    assert main(["scan"]) == 1
    said = capsys.readouterr().err
    assert "bad.py:2: cannot be read" in said
    assert "worse.py:2: not Python" in said


@pytest.mark.usefixtures("here")
def test_a_path_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
