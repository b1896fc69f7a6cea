"""What `unmeta scan` follows from file to file, and what it does with files that it cannot follow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from unmeta.cli import main
from unmeta.scan.files import MAX_BYTES, files, scan
from unmeta.scan.linked import MOST_FILES, group
from unmeta.scan.read import findings
from unmeta.scan.rules import SAYS
from unmeta.scan.tree import SourceError

LOADS = 'def load(p):\n    return AutoModel.from_pretrained(p, device_map="auto")\n'
MOVES = "from loading import load\n\nmodel = load(p)\nmodel.cuda()\n"

PATHS = {  # the files, the last of them the program; how one of them is mended; what is found where
    "what an imported function returns": (
        {"loading.py": LOADS, "main.py": MOVES},
        {"loading.py": LOADS.replace('"auto"', '{"": 0}')},
        ("main.py", 4, "to-after-dispatch"),
    ),
    "an imported module": (
        {"loading.py": LOADS, "main.py": "import loading\n\nmodel = loading.load(p)\nmodel.cuda()\n"},
        {"main.py": "import loading\n\nmodel = loading.load(p)\nmodel.eval()\n"},
        ("main.py", 4, "to-after-dispatch"),
    ),
    "an import in an import": (
        {
            "loading.py": LOADS,
            "middle.py": "from loading import load\n\ndef ready(p):\n    return load(p).eval()\n",
            "main.py": "from middle import ready\n\nmodel = ready(p)\nmodel.cuda()\n",
        },
        {"loading.py": LOADS.replace(', device_map="auto"', "")},
        ("main.py", 4, "to-after-dispatch"),
    ),
    "an import one folder up": (
        {"app/loading.py": LOADS, "app/jobs/main.py": MOVES.replace("loading", "..loading")},
        {"app/loading.py": LOADS.replace(', device_map="auto"', "")},
        ("app/jobs/main.py", 4, "to-after-dispatch"),
    ),
    "an argument of an imported function": (
        {
            "place.py": "def place(model):\n    model.to(0)\n",
            "main.py": "from place import place\n\n"
            'model = AutoModel.from_pretrained(p, device_map="auto")\nplace(model)\n',
        },
        {"place.py": "def place(model):\n    model.eval()\n"},
        ("place.py", 2, "to-after-dispatch"),
    ),
    "what an imported function does to its argument": (
        {
            "place.py": "def spread(model):\n    dispatch_model(model, m)\n",
            "main.py": "from place import spread\n\nmodel = Net()\nspread(model)\nmodel.to(0)\n",
        },
        {"place.py": "def spread(model):\n    model.eval()\n"},
        ("main.py", 5, "to-after-dispatch"),
    ),
    "a class with a hidden buffer": (
        {
            "net.py": "class Net(nn.Module):\n    def __init__(self):\n"
            '        self.register_buffer("f", torch.arange(3), persistent=False)\n',
            "main.py": 'from net import Net\n\nwith torch.device("meta"):\n    net = Net()\n'
            "net.load_state_dict(sd, assign=True)\nnet(x)\n",
        },
        {
            "net.py": "class Net(nn.Module):\n    def __init__(self):\n"
            '        self.register_buffer("f", torch.arange(3))\n'
        },
        ("main.py", 5, "non-persistent-buffer-lost"),
    ),
    "a function that a constructor calls": (
        {
            "rates.py": "def rates(n):\n    return [r.item() for r in torch.linspace(0, 1, n)]\n",
            "main.py": "from rates import rates\n\nclass M(PreTrainedModel):\n"
            "    def __init__(self, c):\n        self.r = rates(c.n)\n",
        },
        {"rates.py": 'def rates(n):\n    return torch.linspace(0, 1, n, device="cpu").tolist()\n'},
        ("main.py", 5, "init-reads-values-on-meta"),
    ),
    "an option of argparse": (
        {
            "options.py": "def options():\n    parser = ArgumentParser()\n"
            '    parser.add_argument("--build-on", default="meta")\n    return parser.parse_args()\n',
            "main.py": "from options import options\n\nargs = options()\n"
            "with torch.device(args.build_on):\n    net = Net()\nnet.load_state_dict(sd)\n",
        },
        {
            "options.py": "def options():\n    parser = ArgumentParser()\n"
            '    parser.add_argument("--build-on", default="cpu")\n    return parser.parse_args()\n'
        },
        ("main.py", 6, "load-state-dict-no-op"),
    ),
    "a field of a class of settings": (
        {
            "settings.py": 'class Settings:\n    build_on: str = "meta"\n',
            "main.py": "from settings import Settings\n\ndef build(config: Settings):\n"
            "    with torch.device(config.build_on):\n        net = Net()\n"
            "    net.load_state_dict(sd)\n\nbuild(Settings())\n",
        },
        {"settings.py": 'class Settings:\n    build_on: str = "cpu"\n'},
        ("main.py", 6, "load-state-dict-no-op"),
    ),
}


def places(files: dict[str, str]) -> set[tuple[str, int, str]]:
    """What is found from the last of the files."""
    path, source = list(files.items())[-1]
    return {(found.path, found.line, found.cause) for found in findings(source, path, files.get)}


@pytest.mark.parametrize("path", PATHS)
def test_a_path_from_file_to_file_is_followed_and_what_is_mended_there_is_seen(path: str) -> None:
    wrong, mended, place = PATHS[path]
    assert places(wrong) == {place}
    assert places({**wrong, **mended}) == set()
    name, source = list(wrong.items())[-1]
    assert findings(source, name) == []


def test_an_option_of_the_file_itself_is_followed() -> None:
    source = (
        'parser.add_argument("--device", default="meta")\nargs = parser.parse_args()\n'
        "with torch.device(args.device):\n    net = Net()\nnet.load_state_dict(sd)\n"
    )
    assert [found.cause for found in findings(source)] == ["load-state-dict-no-op"]
    assert findings(source.replace('default="meta"', 'default="cpu"')) == []


def test_arguments_are_followed_where_all_calls_agree() -> None:
    source = (
        'def load(how):\n    m = A.from_pretrained(p, device_map="auto")\n'
        '    if how == "move":\n        m.cuda()\nload("move")\n'
    )
    assert [found.line for found in findings(source)] == [4]
    build = (
        "def build(device):\n    with torch.device(device):\n        net = Net()\n"
        '    net.load_state_dict(sd)\nbuild("meta")\n'
    )
    assert [found.cause for found in findings(build)] == ["load-state-dict-no-op"]
    assert findings(f'{build}build("cpu")\n') == []


def test_an_import_that_is_only_named_is_not_read_into_the_program() -> None:
    unused = {"loading.py": LOADS, "main.py": "from loading import load\n\ndef f(x: load) -> load: ...\n"}
    assert [path for path, _ in group("main.py", unused["main.py"], unused.get)] == ["main.py"]
    used = {**unused, "main.py": MOVES}
    assert [path for path, _ in group("main.py", used["main.py"], used.get)] == ["loading.py", "main.py"]


def test_imports_over_several_lines_are_read() -> None:
    source = "from loading import (  # two\n    load,\n    other,\n)\nimport os\nfrom place import place\n\n"
    files = {
        "loading.py": LOADS,
        "place.py": "def place(m):\n    m.cuda()\n",
        "main.py": f"{source}place(load(p))\n",
    }
    assert [path for path, _ in group("main.py", files["main.py"], files.get)] == [
        "loading.py",
        "place.py",
        "main.py",
    ]
    assert places(files) == {("place.py", 2, "to-after-dispatch")}


def test_imports_in_a_circle_end() -> None:
    circle = {
        "loading.py": f"from main import p\n{LOADS}",
        "main.py": MOVES.replace("model = ", "p = Path('x')\nmodel = "),
    }
    assert places(circle) == {("main.py", 5, "to-after-dispatch")}
    assert places({"main.py": f"from main import load\n{LOADS}\nm = load(p)\nm.cuda()\n"}) == {
        ("main.py", 6, "to-after-dispatch")
    }


def test_a_large_group_is_a_library_and_each_file_is_looked_at_alone() -> None:
    many = {f"m{n}.py": f"def f{n}(x):\n    return x\n" for n in range(MOST_FILES)}
    imports = "".join(f"from m{n} import f{n}\n" for n in range(MOST_FILES))
    uses = "".join(f"f{n}(1)\n" for n in range(MOST_FILES))
    assert places({"loading.py": LOADS, **many, "main.py": f"{imports}{uses}{MOVES}"}) == set()
    own = 'm = A.from_pretrained(p, device_map="auto")\nm.cuda()\n'
    (found,) = findings(f"{imports}{uses}{own}", "main.py", many.get)
    assert found.cause == "to-after-dispatch"


def test_what_is_imported_and_is_not_python_takes_nothing_from_the_file() -> None:
    own = 'm = A.from_pretrained(p, device_map="auto")\nm.cuda()\n'
    broken = {"loading.py": f"{LOADS}if:\n", "main.py": f"from loading import load\n\nload(p)\n{own}"}
    assert {cause for *_, cause in places(broken)} == {"to-after-dispatch"}


def write(folder: Path, texts: dict[str, str]) -> None:
    """Write files of a program."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_a_finding_in_an_imported_file_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        {
            "loading.py": f'{LOADS}m = A.from_pretrained(p, device_map="auto")\nm.cuda()\n',
            "main.py": MOVES,
            "other.py": MOVES,
        },
    )
    looked = scan(["."])
    assert [(item.path, item.line) for item in looked.found] == [
        ("loading.py", 4),
        ("main.py", 4),
        ("other.py", 4),
    ]
    assert {item.path for item in scan(["."], exclude=["loading.py"]).found} == {"main.py", "other.py"}
    assert scan(["."], ignore=["to-after-dispatch"]).found == []


def test_links_that_leave_the_folder_are_left_out_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"out/secret.py": LOADS, "in/main.py": MOVES, "in/here.py": "x = 1\n"})
    here = tmp_path / "in"
    (here / "away.py").symlink_to(tmp_path / "out" / "secret.py")
    (here / "folder").symlink_to(tmp_path / "out", target_is_directory=True)
    (here / "again").symlink_to(here, target_is_directory=True)
    (here / "nowhere.py").symlink_to(here / "gone.py")
    (here / "same.py").symlink_to(here / "here.py")
    monkeypatch.chdir(tmp_path)
    looked = scan(["in"])
    assert looked.found == []
    assert looked.left_out == [
        "in/away.py: left out, a link out of in",
        "in/nowhere.py: left out, no file",
    ]
    assert sorted(files(["in"])) == ["in/here.py", "in/main.py", "in/same.py"]
    assert main(["scan", "in"]) == 0
    assert "in/away.py: left out" in capsys.readouterr().err


def test_an_import_through_a_link_that_leaves_the_program_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"out/loading.py": LOADS, "app/src/main.py": MOVES})
    (tmp_path / "app" / "src" / "loading.py").symlink_to(tmp_path / "out" / "loading.py")
    assert scan([str(tmp_path / "app" / "src" / "main.py")]).found == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "loading.py")
    write(tmp_path, {"main.py": MOVES})
    looked = scan([str(tmp_path)])
    assert looked.found == []
    assert len(looked.left_out) == 1


UNREADABLE = {
    "a syntax error": (b'x = "meta"\nmodel.to(0)\ndef f(:\n', ":3: not Python"),
    "a byte of another encoding": (
        b'model.to("meta")\n# \xe9\n',
        ":2: cannot be read: a byte that is no utf-8",
    ),
    "an encoding that is none": (
        b"# coding: latin-17\nmodel.to(0)\n",
        ":1: cannot be read: unknown encoding",
    ),
    "a null byte": (b'model.to("meta")\n\0\n', ":1: not Python"),
    "a deep sum": (
        b'model.to("meta")\ny = ' + b"1 + " * 1500 + b"1\n",
        ":2: nested too deeply to be followed",
    ),
    "a deeper sum": (b'model.to("meta")\ny = ' + b"1 + " * 9000 + b"1\n", ":2: nested too deeply to be"),
    "deep brackets": (b'model.to("meta")\ny = ' + b"(" * 300 + b")" * 300 + b"\n", ":2: not Python"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_file_that_cannot_be_followed_is_told_with_its_line(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text, told = UNREADABLE[what]
    (tmp_path / "bad.py").write_bytes(text)
    assert main(["scan", "bad.py"]) == 2
    assert f"bad.py{told}" in capsys.readouterr().err
    (tmp_path / "app.py").write_text('m = A.from_pretrained(p, device_map="auto")\nm.cuda()\n')
    assert main(["scan", "."]) == 1


def test_a_file_in_the_encoding_that_it_names_is_read(tmp_path: Path) -> None:
    own = 'm = A.from_pretrained(p, device_map="auto")  # é\r\nm.cuda()\r\n'
    (tmp_path / "app.py").write_bytes(f"# coding: latin-1\r\n{own}".encode("latin-1"))
    assert [item.line for item in scan([str(tmp_path)]).found] == [3]


def test_a_huge_file_is_left_out_with_a_word_and_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "huge.py").write_text(
        'm = A.from_pretrained(p, device_map="auto")\nm.cuda()\n' + "#" * MAX_BYTES
    )
    assert main(["scan", "huge.py"]) == 0
    assert "huge.py: left out, larger than 2,000,000 bytes" in capsys.readouterr().err


def test_comments_and_long_strings_are_no_code() -> None:
    assert findings('"""\nmodel = A.from_pretrained(p, device_map="auto")\nmodel.cuda()\n"""\n') == []
    assert findings('# m = A.from_pretrained(p, device_map="auto")\n# m.cuda()\nm.cuda()\n') == []


@pytest.mark.parametrize("quote", ['"""', "'''"])
def test_strings_do_not_hide_code(quote: str) -> None:
    wrong = 'm = A.from_pretrained(p, device_map="auto")\nm.cuda()\n'
    for string in (
        f"{quote}a{quote}",
        f'"#"; b = {quote}# \' " {quote}',
        r'"\""',
        f"{quote}\\{quote}{quote}",
    ):
        assert [found.line for found in findings(f"a = {string}\n{wrong}")] == [3], string


def test_every_rule_tells_a_cause_by_its_id() -> None:
    with pytest.raises(SourceError, match=r"^x\.py:1: "):
        findings('"meta" (.to(', "x.py")
    assert all(says and not says.endswith(".") for says in SAYS.values())
