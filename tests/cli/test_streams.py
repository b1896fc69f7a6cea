"""Whatever stands behind the standard streams: a clear message, an exit code, nothing lost, no traceback."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from unmeta import cli
from unmeta.cli import door, streams
from unmeta.cli.entry import render
from unmeta.match.likely import entries_of
from unmeta.terminal import STEERING, Paper

PASTE = "NotImplementedError: Cannot copy out of meta tensor; no data!"
ENCODINGS = ["cp437", "cp850", "cp932", "cp1252", "ascii", "gbk", "koi8-r", "utf-8", "utf-16"]


def unmeta(
    command: str, stdin: bytes | None = b"", encoding: str = "", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command line of a shell in which `unmeta` is the command."""
    shell = f'unmeta() {{ "{sys.executable}" -m unmeta "$@"; }}\n{command}'
    known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    if encoding:
        env["PYTHONIOENCODING"] = encoding
    done = subprocess.run(
        ["sh", "-c", shell],
        input=stdin,
        capture_output=True,
        env={**known, **env},
        cwd=cwd,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("unmeta explain <&-", door.BAD, "standard input is closed: give a file"),
        ("unmeta explain </dev/null", door.BAD, "nothing was pasted"),
        ("unmeta explain .", door.BAD, "cannot read .: Is a directory"),
        ("unmeta explain nowhere.txt", door.BAD, "cannot read nowhere.txt: No such file or directory"),
        ("unmeta explain /dev/zero", door.BAD, "/dev/zero is binary"),
        ("unmeta explain /dev/urandom", door.BAD, "/dev/urandom is binary"),
        ("unmeta explain < /dev/urandom", door.BAD, "- is binary"),
        ("unmeta explain /proc/self/mem", door.BAD, "cannot read /proc/self/mem"),
        ("unmeta show no-data-to-copy >&-", door.BAD, "standard output is closed"),
        ("unmeta show no-data-to-copy >/dev/full", door.BAD, "cannot print: No space left on device"),
        ("unmeta show no-data-to-copy --json >/dev/full", door.BAD, "cannot print: No space left on device"),
        ("unmeta --help >/dev/full", door.BAD, "cannot print: No space left on device"),
        ("unmeta --version >/dev/full", door.BAD, "cannot print: No space left on device"),
        ("unmeta check --root /nowhere >/dev/full", door.BAD, "cannot print: No space left on device"),
        ("unmeta show \x1b[31mred", door.BAD, "nothing is called"),
        ("unmeta explain \x1b[2Jred", door.BAD, "cannot read red"),
    ],
)
def test_what_cannot_be_done_is_said(command: str, code: int, says: str) -> None:
    for unbuffered in ("", "1"):
        done = unmeta(command, stdin=None, PYTHONUNBUFFERED=unbuffered)
        assert done.returncode == code
        assert says in done.stderr.decode()
        assert b"\x1b" not in done.stderr


@pytest.mark.parametrize("command", ["show no-data-to-copy", "explain --json", "explain", "--help"])
def test_a_reader_that_leaves_is_no_failure(command: str) -> None:
    done = unmeta(f"{{ unmeta {command}; echo $? >&2; }} | head -c 10", stdin=PASTE.encode())
    assert len(done.stdout) == 10
    assert done.stderr.strip() in (b"0", b"141")


def test_errors_do_not_land_among_the_answers_where_there_is_no_place_for_them() -> None:
    done = unmeta("unmeta show nothing-of-this-name 2>&-", stdin=None)
    assert (done.returncode, done.stdout) == (door.BAD, b"")
    assert unmeta("unmeta show nothing-of-this-name 2>/dev/full", stdin=None).returncode == door.BAD


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "words",
    [
        ["explain"],
        ["explain", "--json"],
        ["show", "silent-offload-does-not-fit"],
        ["show", "--json", "no-data-to-copy"],
        ["check", "--root", "."],
        ["show", "ä→b"],
        ["--help"],
        [],
    ],
    ids=" ".join,
)
def test_any_encoding_will_do(
    words: list[str], encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paste = f"naïve – “{PASTE}” 日本".encode(encoding, "replace")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(paste)))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert cli.main(words) in (door.OK, door.NO, door.BAD)
    err.flush()
    text = out.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    err.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    if words == ["explain", "--json"]:
        assert json.loads(text)["symptoms"] == ["no-data-to-copy"]


def test_a_process_prints_in_the_encoding_it_was_given() -> None:
    for encoding in ("cp437", "cp932"):
        done = unmeta("unmeta show silent-offload-does-not-fit", None, encoding)
        assert done.returncode == door.OK
        assert "device_map" in done.stdout.decode(encoding)


def test_the_locale_of_nobody() -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = unmeta("unmeta explain", f"é {PASTE}".encode(), "", None, **plain)
    assert done.returncode == door.OK
    assert unmeta("unmeta show no-data-to-copy", None, "", None, **plain).stdout.isascii()
    assert unmeta("unmeta show 'ä'", None, "", None, **plain).returncode == door.BAD


@pytest.fixture(scope="module")
def printed(root: Path) -> str:
    data = entries_of(root)
    kinds = ("causes", "symptoms", "facts")
    return "".join(render(entry, Paper()) for kind in kinds for entry in data[kind])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_entry_can_be_printed(printed: str, encoding: str) -> None:
    streams.prepare()
    lost = set()
    for sign in set(printed):
        if sign != "?" and sign.encode(encoding, "unmeta-plain").decode(encoding) == "?":
            lost.add(sign)
    assert len(lost) <= 2, lost


def test_what_is_decoded_by_nobody_is_an_error() -> None:
    error = UnicodeDecodeError("utf-8", b"x", 0, 1, "why")
    with pytest.raises(UnicodeDecodeError):
        streams.plain(error)


@pytest.mark.parametrize("size", [10_000, 3_000_000])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
)
def test_pastes_come_in_any_encoding(encoding: str, size: int) -> None:
    text = f"größer als nötig: {PASTE}\n" + "é schön\n" * (size // 8)
    assert PASTE in (door.decoded(text.encode(encoding)) or "")
    assert "größer" in (door.decoded(text.encode(encoding)) or "")


def test_a_log_with_a_broken_byte_stays_what_it_is() -> None:
    raw = ("naïve\n" * 2_000).encode() + b"\xff\n" + PASTE.encode()
    assert (door.decoded(raw) or "").count("naïve") == 2_000


@pytest.mark.parametrize(
    "raw",
    [
        bytes(range(256)) * 40, b"\x7fELF" + b"\0" * 4_000, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
        b"PK\x03\x04" + bytes(range(40)) * 99, b"\x80\x04\x95" + b"\0\x01\x02abc" * 999, b"\0" * 100,
    ],
)  # fmt: skip
def test_what_is_no_text(raw: bytes) -> None:
    assert door.decoded(raw) is None


STEERS = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J \u202egnp.exe \x08\x08 \x00 \x7f \u2066x\u2069"


@pytest.mark.parametrize("command", ["explain", "explain --json"])
@pytest.mark.parametrize(
    "paste", [f"{PASTE} {STEERS}", f'File "{STEERS}", line 3, in {STEERS}\n{PASTE}\n{STEERS}']
)
def test_nothing_pasted_steers_the_terminal(command: str, paste: str) -> None:
    shown = unmeta(f"unmeta {command}", paste.encode()).stdout.decode()
    assert not STEERING.search(shown.replace("\n", ""))


def test_json_keeps_what_it_makes_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    door.print_json({"text": STEERS + "\u2028é\ud800"})
    shown = capsys.readouterr().out
    assert not STEERING.search(shown.replace("\n", ""))
    assert json.loads(shown) == {"text": STEERS + "\u2028é\ud800"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_paste_at_a_terminal_ends_with_one_ctrl_d(tmp_path: Path) -> None:
    host, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "unmeta", "explain"],
        stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    )  # fmt: skip
    os.close(terminal)
    os.write(host, PASTE.encode() + b"\n\x04")
    try:
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        os.close(host)
    assert process.returncode == door.OK, err
    assert b"Ctrl-D" in err
    assert PASTE.encode() in out


def test_a_long_log_is_skipped_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    with path.open("wb") as file:
        file.write(b"torch==2.13.0\n" + b"step\n" * (door.HEAD // 5))
        file.seek(3 << 30)  # a hole: reading it would take seconds
        file.write(b"\n" + b"\xc3\xa9step\n" * (door.TAIL // 7) + PASTE.encode())
    done = unmeta(f"unmeta explain --json {path}")
    assert done.returncode == door.OK
    assert json.loads(done.stdout)["symptoms"] == ["no-data-to-copy"]


@pytest.mark.parametrize("place", ["/dev/null/x", "/proc/nowhere"])
def test_a_place_that_cannot_be_written_to_is_named(
    place: str, capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    assert cli.main(["build", place, "--root", str(root / "tests" / "good")]) == door.BAD
    assert f"unmeta: cannot open {place}" in capsys.readouterr().err
