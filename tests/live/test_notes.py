"""An exception explained where it happened: the model in its frames decides."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
import torch
from torch import nn

import unmeta
from unmeta.live import notes

PROGRAM = """
import torch, unmeta
from torch import nn
unmeta.install()
unmeta.install()
with torch.device("meta"):
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
net.load_state_dict({"0.weight": torch.ones(2, 2), "0.bias": torch.ones(2)}, strict=False, assign=True)
net.to("cpu")
"""


def caught(model: nn.Module) -> BaseException:
    try:
        model.to("cpu")
    except NotImplementedError as error:
        return error
    raise AssertionError("moved")


def half_empty() -> nn.Sequential:
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    model.load_state_dict({"0.weight": torch.ones(2, 2), "0.bias": torch.ones(2)}, strict=False, assign=True)
    return model


def test_the_model_in_the_frames_tells_the_cause() -> None:
    answer = unmeta.explain(caught(half_empty()))
    assert answer.causes[0].id == "missing-keys-left-on-meta"
    assert answer.live.findings[0].tensors == ["1.weight", "1.bias"]


def test_what_is_shown_is_the_cause_that_the_look_put_first() -> None:
    answer = unmeta.explain(caught(half_empty()))
    assert answer.result.id == answer.causes[0].id
    assert answer.result.title in repr(answer)
    assert answer.result.title in answer._repr_html_()


def test_an_error_without_a_model_is_read_as_text() -> None:
    with pytest.raises(RuntimeError) as raised:
        torch.ones(1, device="meta").item()
    answer = unmeta.explain(raised.value)
    assert answer.known
    assert answer.live is None


def test_other_errors_get_no_note() -> None:
    error = ValueError("no such file")
    assert not notes.annotate(error)
    assert not hasattr(error, "__notes__")


def test_what_fails_in_the_look_is_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "note", lambda _: 1 / 0)
    error = NotImplementedError("Cannot copy out of meta tensor; no data! (once)")
    assert not notes.annotate(error)
    assert error.__notes__ == ["unmeta: could not look at this error (ZeroDivisionError)"]


def test_values_are_not_printed() -> None:
    secret = 0.123456789
    model = half_empty()
    with torch.no_grad():
        model[0].weight.fill_(secret)
    text = str(unmeta.explain(caught(model)).to_dict())
    assert "0.1234" not in text


def test_a_program_ends_as_before_with_one_note(tmp_path: Path) -> None:
    script = tmp_path / "load.py"
    plain = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("unmeta.install()", "pass")], capture_output=True, text=True
    )
    script.write_text(PROGRAM)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == plain.returncode == 1
    message = "NotImplementedError: Cannot copy out of meta tensor; no data!"
    assert message in plain.stderr
    lines = done.stderr.splitlines()
    note = lines[next(n for n, line in enumerate(lines) if line.startswith(message)) + 1 :]
    assert note[0].startswith("unmeta: ")
    assert 'net[1].to_empty(device="cpu", recurse=False)' in "\n".join(note)
    assert len(note) <= 6
    assert note[-1].strip().startswith("https://")


def test_a_thread_gets_its_note_and_the_hooks_come_off(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.excepthook, threading.excepthook
    threading.excepthook = threading.__excepthook__
    try:
        unmeta.install()
        thread = threading.Thread(target=lambda: nn.Linear(3, 3, device="meta").to("cpu"))
        thread.start()
        thread.join(30)
        unmeta.uninstall()
        assert threading.excepthook is threading.__excepthook__
    finally:
        sys.excepthook, threading.excepthook = before
    assert "unmeta: " in capsys.readouterr().err
