"""From which release on a snippet shows something else."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from packaging.version import Version

import unmeta
from unmeta.verify.bisect import BisectError, between, first_change

RELEASES = [Version(f"1.{minor}") for minor in range(40)]


@pytest.mark.parametrize("first_new", [1, 7, 20, 39])
def test_halves_until_two_neighbours_differ(first_new: int) -> None:
    asked: list[Version] = []

    def shows(release: Version) -> str:
        asked.append(release)
        return "new" if release >= RELEASES[first_new] else "old"

    change = first_change(RELEASES, shows)
    assert (change.before, change.after) == (RELEASES[first_new - 1], RELEASES[first_new])
    assert (change.old, change.new, change.last, change.skipped) == ("old", "new", "new", ())
    assert len(asked) == len(set(asked)) <= 8


def test_passes_over_what_cannot_be_run_and_says_so() -> None:
    broken = set(RELEASES[15:25])

    def shows(release: Version) -> str | None:
        return None if release in broken else ("new" if release >= RELEASES[20] else "old")

    change = first_change(RELEASES, shows)
    assert (change.before, change.after) == (RELEASES[14], RELEASES[25])
    assert set(change.skipped) == broken


def test_a_second_change_is_told() -> None:
    change = first_change(RELEASES, lambda release: str(min(int(release.minor) // 12, 2)))
    assert (change.before, change.after, change.new, change.last) == (
        Version("1.11"),
        Version("1.12"),
        "1",
        "2",
    )


def test_ends_that_show_the_same_or_nothing_are_refused() -> None:
    with pytest.raises(BisectError, match="show the same: old"):
        first_change(RELEASES, lambda _: "old")
    with pytest.raises(BisectError, match=r"1\.0 could not be run"):
        first_change(RELEASES, lambda _: None)


def test_ends_are_final_releases_in_order() -> None:
    released = ["1.0", "1.1rc1", "1.1", "1.10", "1.9", "2.0"]
    assert list(map(str, between(released, "1.0", "1.10"))) == ["1.0", "1.1", "1.9", "1.10"]
    with pytest.raises(BisectError, match=r"1\.2 was not released"):
        between(released, "1.0", "1.2")
    with pytest.raises(BisectError, match="not older"):
        between(released, "1.1", "1.1")


def wheel(folder: Path, version: str, source: str) -> None:
    """A release of `fakelib` that pip can install."""
    info = f"fakelib-{version}.dist-info"
    files = {
        "fakelib.py": source,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: fakelib\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(text.encode())}\n")
    files[f"{info}/RECORD"] = "".join([*rows, f"{info}/RECORD,,\n"])
    with zipfile.ZipFile(folder / f"fakelib-{version}-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def test_over_wheels_of_an_index_in_an_environment_of_its_own(
    tmp_path: Path, tiny: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder is the index; the environment sees the packages of this one, and pip writes into it alone."""
    index, home, root = tmp_path / "index", tmp_path / "venv", tmp_path / "catalogue"
    index.mkdir()
    warns = "import warnings\n\ndef warn():\n    warnings.warn('nothing was copied')\n\n"
    for minor in range(6):
        error = "NotImplementedError('no data!')" if minor < 4 else "NotImplementedError('no data for x!')"
        wheel(index, f"1.{minor}", warns + f"def fail():\n    raise {error}\n")
    for name, text in tiny.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    here = sysconfig.get_path("purelib")
    there = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
    ours = Path(unmeta.__file__).parents[1]  # an editable install is a .pth file too: not followed
    measured = (
        "import os; 'COVERAGE_PROCESS_CONFIG' in os.environ and __import__('coverage').process_startup()"
    )
    (Path(there) / "here.pth").write_text(f"{here}\n{ours}\n{measured}\n", encoding="utf-8")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    command = [str(home / "bin" / "python"), "-m", "unmeta.verify.bisect", "--root", str(root)]
    told = subprocess.run(
        [*command, "snippets/copy-lost/broken.py", "fakelib", "1.0", "1.5"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert "copy-lost/broken.py changes between fakelib 1.3 and 1.4:" in told.stdout
    assert "1.3: raised: nothing-copied (plain), no-data (plain)" in told.stdout
    assert "1.4: raised: nothing-copied (plain), no-data (named)" in told.stdout
    assert not (Path(here) / "fakelib.py").exists()
    refused = subprocess.run(
        [*command, "nothing/broken.py", "fakelib", "1.0", "1.5"], capture_output=True, text=True, check=False
    )
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "no entry speaks of snippets/nothing/broken.py" in refused.stderr
