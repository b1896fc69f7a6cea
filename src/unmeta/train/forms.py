"""Put what a program printed into the ways in which people paste it.

A form takes a printed text, tracebacks as the interpreter prints them among other lines, and gives the
text as a terminal, notebook, launcher, logger, worker, forum or hurried person would. All are
deterministic; `every(text)` gives each form by name.
"""

from __future__ import annotations

import html
import json
import random
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unmeta.kb.runs import LINKS, Event, Frame

HEADER = "Traceback (most recent call last):"
SITE = "/usr/lib/python3/dist-packages/"
CONDA = "/home/ann/miniconda3/envs/llm/lib/python3.11/site-packages/"
_FILE = re.compile(r'  File "(.+?)", line (\d+), in (\S+)')
_INSTALLED = re.compile(r".*(?:site|dist)-packages/|.*/lib/python[0-9.]+/")


@dataclass(frozen=True)
class Chained:
    """One exception of a chain with its frames; `link` is the sentence that ties it to the one before."""

    type: str
    text: str
    frames: tuple[Frame, ...] = ()
    link: str = ""


def parts_of(event: Event) -> list[Chained]:
    """The chain of a recorded exception."""
    return [
        Chained(raised.type, raised.text, raised.frames, LINKS[raised.link] if raised.link else "")
        for raised in event.chain
    ]


def split(text: str) -> list[str | list[Chained]]:
    """A printed text as stretches of lines and chains of exceptions in turn."""
    pieces: list[str | list[Chained]] = []
    lines = text.split("\n")
    at, plain = 0, 0
    chain: list[Chained] = []
    link = ""

    def close() -> None:
        nonlocal chain, link
        if chain:
            pieces.append(chain)
        chain, link = [], ""

    while at < len(lines):
        if lines[at] != HEADER:
            if lines[at] in LINKS.values() and chain:
                link = lines[at]
            elif lines[at].strip() and chain:
                close()
                plain = at
            at += 1
            continue
        if not chain and at > plain:
            pieces.append("\n".join(lines[plain:at]) + "\n")
        part, at = _part(lines, at + 1, link)
        chain.append(part)
        link, plain = "", at
    close()
    if plain < len(lines) and "\n".join(lines[plain:]).strip():
        pieces.append("\n".join(lines[plain:]))
    return pieces


def _part(lines: Sequence[str], at: int, link: str) -> tuple[Chained, int]:
    frames: list[Frame] = []
    while at < len(lines) and (lines[at].startswith("  ") or not lines[at]):
        if found := _FILE.match(lines[at]):
            path = found[1]
            inner = _INSTALLED.match(path)
            code = lines[at + 1].strip() if at + 1 < len(lines) and lines[at + 1].startswith("    ") else ""
            file = path[inner.end() :] if inner else path[path.rfind("/") + 1 :]
            frames.append(Frame(file, int(found[2]), found[3], code, inner is not None))
        at += 1
    message = [lines[at]] if at < len(lines) else [""]
    at += 1
    while at < len(lines) and lines[at].strip() and lines[at] != HEADER:
        message.append(lines[at])
        at += 1
    kind, _, text = "\n".join(message).partition(": ")
    return Chained(kind, text, tuple(frames), link), at


def _path(frame: Frame, site: str) -> str:
    return site + frame.file if frame.library else frame.file


def _message(part: Chained) -> str:
    return f"{part.type}: {part.text}" if part.text else part.type


# --- tracebacks -------------------------------------------------------------------------------------


def cpython(parts: Sequence[Chained], site: str = SITE) -> str:
    """As the interpreter prints it."""
    lines: list[str] = []
    for part in parts:
        if part.link:
            lines += ["", part.link, ""]
        lines.append(HEADER)
        for frame in part.frames:
            lines.append(f'  File "{_path(frame, site)}", line {frame.line}, in {frame.function}')
            if frame.code:
                lines += ["    " + frame.code, "    " + "~" * 8 + "^" * 6]
        lines.append(_message(part))
    return "\n".join(lines) + "\n"


def conda(parts: Sequence[Chained]) -> str:
    """The same from a conda environment."""
    return cpython(parts, CONDA)


def ipython(parts: Sequence[Chained], verbose: bool = False) -> str:
    """IPython 8 and Jupyter."""
    lines: list[str] = []
    for part in parts:
        if part.link:
            lines += ["", part.link, ""]
        lines += ["-" * 75, f"{part.type:<42}Traceback (most recent call last)"]
        for at, frame in enumerate(part.frames):
            if not frame.library and at == 0:
                lines.append(f"Cell In[3], line {frame.line}")
            else:
                where = CONDA if frame.library else "~/code/"
                self = (
                    "self=Linear(in_features=4, out_features=2), *args=('cpu',)"
                    if verbose
                    else "self, *args, **kwargs"
                )
                lines.append(f"File {where}{frame.file}:{frame.line}, in {frame.function}({self})")
            lines += [f"   {max(1, frame.line - 1)} # what comes before", f"-> {frame.line} {frame.code}"]
            if verbose:
                lines += ["        self = Linear(in_features=4, out_features=2)", "        args = ('cpu',)"]
            lines.append("")
        lines.append(_message(part))
    return "\n".join(lines) + "\n"


def ipython_verbose(parts: Sequence[Chained]) -> str:
    """IPython 8 after `%xmode Verbose`."""
    return ipython(parts, verbose=True)


def ipython_plain(parts: Sequence[Chained]) -> str:
    """IPython after `%xmode Plain`, the cell's frame named as IPython does."""
    return cpython(parts, CONDA).replace(", in <module>", " in <module>", 1)


def ipython_7(parts: Sequence[Chained]) -> str:
    """IPython 7, Colab's older form."""
    lines: list[str] = []
    for part in parts:
        if part.link:
            lines += ["", part.link, ""]
        lines += ["-" * 75, f"{part.type:<42}Traceback (most recent call last)"]
        for at, frame in enumerate(part.frames):
            if not frame.library and at == 0:
                lines.append("<ipython-input-3-0c5ef5ad29c4> in <module>")
            else:
                where = "/usr/local/lib/python3.8/dist-packages/" if frame.library else "~/code/"
                lines.append(f"{where}{frame.file} in {frame.function}(self, *args, **kwargs)")
            lines += [f"    {max(1, frame.line - 1)} ", f"--> {frame.line} {frame.code}", ""]
        lines.append(_message(part))
    return "\n".join(lines) + "\n"


def jupyter(parts: Sequence[Chained]) -> str:
    """Jupyter's output copied with its colours."""
    lines = []
    for line in ipython(parts).splitlines():
        words = [
            f"\x1b[0;{31 + at % 6}m{word}\x1b[0m" if word else word for at, word in enumerate(line.split(" "))
        ]
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def rich_box(parts: Sequence[Chained]) -> str:
    """rich's traceback in a box of 100 columns."""
    lines: list[str] = []
    for part in parts:
        if part.link:
            lines += ["", part.link, ""]
        inner = []
        for frame in part.frames:
            inner += [f"{_path(frame, SITE)}:{frame.line} in {frame.function}", ""]
            inner += [f"  {max(1, frame.line - 1)} │   # before", f"❱ {frame.line} │   {frame.code}", ""]
        lines.append("╭" + " Traceback (most recent call last) ".center(98, "─") + "╮")
        for line in inner:
            lines += [
                f"│ {piece:<96} │" for piece in (textwrap.wrap(line, 96, drop_whitespace=False) or [""])
            ]
        lines += ["╰" + "─" * 98 + "╯", *textwrap.wrap(_message(part), 100)]
    return "\n".join(lines) + "\n"


def pytest_long(parts: Sequence[Chained]) -> str:
    """pytest's long form: code, then `E` lines, then the place."""
    lines = ["=" * 30 + " FAILURES " + "=" * 30, "_" * 30 + " test_model " + "_" * 30, ""]
    for part in parts:
        if part.link:
            lines += ["", part.link, ""]
        for frame in part.frames[:-1]:
            lines += [
                f">       {frame.code}",
                "",
                f"{_path(frame, 'site-packages/')}:{frame.line}: in {frame.function}",
            ]
            lines += ["_ " * 40, ""]
        if part.frames:
            last = part.frames[-1]
            lines += [f">       {last.code}", f"E       {_message(part)}", ""]
            lines.append(f"{_path(last, 'site-packages/')}:{last.line}: {part.type}")
    return "\n".join(lines) + "\n"


def pytest_short(parts: Sequence[Chained]) -> str:
    """pytest --tb=short."""
    lines: list[str] = []
    for part in parts:
        for frame in part.frames:
            lines += [
                f"{_path(frame, 'site-packages/')}:{frame.line}: in {frame.function}",
                f"    {frame.code}",
            ]
        lines.append(f"E   {_message(part)}")
    return "\n".join(lines) + "\n"


def ray(parts: Sequence[Chained]) -> str:
    """A worker of Ray, its traceback carried to the driver."""
    head = "ray.exceptions.RayTaskError(NotImplementedError): ray::Worker.load() (pid=4711, ip=10.0.0.7)\n"
    return _each(cpython(parts), lambda _: "(RayWorker pid=4711, ip=10.0.0.7) ") + head


def futures(parts: Sequence[Chained]) -> str:
    """The traceback of a worker of concurrent.futures inside that of its parent."""
    last = Chained(parts[-1].type, parts[-1].text, _DRIVER)
    inner = 'concurrent.futures.process._RemoteTraceback: \n"""\n' + cpython(parts) + '"""\n'
    return f"{inner}\n{LINKS['cause']}\n\n{cpython([last])}"


def multiprocess(parts: Sequence[Chained]) -> str:
    """The traceback of a multiprocessing worker inside that of its parent."""
    inner = 'multiprocessing.pool.RemoteTraceback: \n"""\n' + cpython(parts) + '"""\n'
    return f"{inner}\n{LINKS['cause']}\n\n{cpython(parts[-1:])}"


def celery(parts: Sequence[Chained]) -> str:
    """A task of celery that failed."""
    head = "[2025-03-14 09:26:53,535: ERROR/ForkPoolWorker-1] Task jobs.embed[6f1c] raised unexpected: "
    said = f"{parts[-1].type.rpartition('.')[2]}({parts[-1].text!r})\n"
    return head + said + cpython(parts)


def uvicorn(parts: Sequence[Chained]) -> str:
    """An error of a request served by uvicorn."""
    first = replace(parts[0], frames=(*_SERVED, *parts[0].frames))
    head = 'INFO:     127.0.0.1:49312 - "POST /v1/generate HTTP/1.1" 500 Internal Server Error\n'
    return head + "ERROR:    Exception in ASGI application\n" + cpython([first, *parts[1:]])


def wrapper(parts: Sequence[Chained]) -> str:
    """The application's own error raised from it."""
    last = Chained("app.errors.ModelLoadError", "could not start after 2 attempts", _APP, LINKS["cause"])
    return cpython([*parts, last])


_DRIVER = (
    Frame("run_pool.py", 14, "<module>", "print(future.result())", False),
    Frame("concurrent/futures/_base.py", 449, "result", "return self.__get_result()"),
    Frame("concurrent/futures/_base.py", 401, "__get_result", "raise self._exception"),
)
_SERVED = (
    Frame("uvicorn/protocols/http/h11_impl.py", 411, "run_asgi", "result = await app("),
    Frame("fastapi/applications.py", 1054, "__call__", "await super().__call__(scope, receive, send)"),
    Frame("starlette/routing.py", 73, "app", "response = await f(request)"),
)
_APP = (
    Frame(
        "service.py",
        31,
        "start",
        'raise ModelLoadError("could not start after 2 attempts") from error',
        False,
    ),
)


# --- whole texts ------------------------------------------------------------------------------------


def _each(text: str, prefix: Callable[[int], str]) -> str:
    return "".join(prefix(at) + line + "\n" for at, line in enumerate(text.splitlines()))


def torchrun(text: str) -> str:
    """`[rank0]:` before each line."""
    return _each(text, lambda _: "[rank0]: ")


def interleaved(text: str) -> str:
    """Two ranks that print at once."""
    return "".join(f"[rank{rank}]:{line}\n" for line in text.splitlines() for rank in (1, 0))


def mpi(text: str) -> str:
    """`[1,0]<stderr>:` of mpirun."""
    return _each(text, lambda _: "[1,0]<stderr>:")


def logged(text: str) -> str:
    """A logger's time and level before each line."""
    return _each(text, lambda at: f"2025-03-14 09:26:{at % 60:02d},535 - ERROR - ")


def docker(text: str) -> str:
    """docker compose."""
    return _each(text, lambda _: "inference-1  | ")


def kubernetes(text: str) -> str:
    """Container logs of Kubernetes."""
    return _each(text, lambda at: f"2025-03-14T09:26:{at % 60:02d}.535897932Z stderr F ")


def slurm(text: str) -> str:
    """`srun --label` around torchrun."""
    return _each(text, lambda _: " 3: [rank3]: ")


def loguru(text: str) -> str:
    """A logger whose lines name the place that logged."""
    return _each(
        text,
        lambda at: f"2025-03-14 09:26:{at % 60:02d}.535 | ERROR    | app.server:handle:{100 + at % 3} - ",
    )


def vllm(text: str) -> str:
    """A worker process of a server that logs for it."""
    return _each(
        text, lambda _: "(VllmWorkerProcess pid=1234) ERROR 07-18 07:30:59 multiproc_worker_utils.py:226] "
    )


def journald(text: str) -> str:
    """journald."""
    return _each(text, lambda _: "Mar 14 09:26:53 node-7 python3[4711]: ")


def quoted(text: str) -> str:
    """Quoted in a mail or an answer on GitHub, in a fence."""
    return _each("```pytb\n" + text.strip("\n") + "\n```", lambda _: "> ")


def issue(text: str) -> str:
    """The body of an issue with its environment."""
    return f"{_ISSUE[0]}```\n{text}\n```\n{_ISSUE[1]}"


_ISSUE = (
    "### System Info\n\n- Platform: Linux-5.15.0-113-generic-x86_64-with-glibc2.35\n"
    "- Python version: 3.11.9\n\n"
    "### Who can help?\n\n_No response_\n\n### Information\n\n- [ ] The official example scripts\n"
    "- [x] My own modified scripts\n\n### Reproduction\n\n",
    "\n### Expected behavior\n\nNo error.\n",
)


def escaped(text: str) -> str:
    """HTML source of a page."""
    return "<pre><code>" + html.escape(text) + "</code></pre>"


def breaks(text: str) -> str:
    """HTML with <br> for newlines."""
    return html.escape(text).replace("\n", "<br />")


def one_line(text: str) -> str:
    """All newlines lost."""
    return " ".join(text.split())


def json_field(text: str) -> str:
    """A field of a JSON log."""
    return json.dumps({"level": "error", "msg": "load failed", "exc_info": text})


def http_body(text: str) -> str:
    """The last line in the body of an HTTP error."""
    return json.dumps({"detail": last_line(text).partition(": ")[2] or last_line(text)})


def wrapped(text: str) -> str:
    """A terminal of 80 columns, copied with its line breaks."""
    lines = []
    for line in text.splitlines():
        lines += [line[at : at + 80] for at in range(0, len(line), 80)] or [""]
    return "\n".join(lines) + "\n"


def windows(text: str) -> str:
    """Windows: other paths and line ends."""
    site = "C:\\Users\\Ann Lee\\venv\\Lib\\site-packages\\"
    lines = []
    for line in text.splitlines():
        found = _FILE.match(line)
        if found:
            inner = _INSTALLED.match(found[1])
            path = site + found[1][inner.end() :] if inner else "C:\\work\\" + found[1]
            line = line.replace(found[1], path.replace("/", "\\"))
        lines.append(line)
    return "\r\n".join(lines) + "\r\n"


def zipped(text: str) -> str:
    """Packages inside an archive (Spark)."""
    return text.replace(SITE, "/tmp/spark-1/libs.zip/")


def smart(text: str) -> str:
    """A word processor's quotation marks, ellipses and blanks."""
    text = text.replace('"', "\u201d").replace("'", "\u2019").replace("...", "\u2026")
    return text.replace("  File", "\u00a0\u00a0File").replace("meta", "me\u200bta")


def grouped(text: str) -> str:
    """An exception group."""
    head = (
        '  + Exception Group Traceback (most recent call last):\n  |   File "main.py", line 9, in <module>\n'
        "  |     asyncio.run(main())\n  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
        "  +-+---------------- 1 ----------------\n"
    )
    return head + _each(text, lambda _: "    | ") + "    +" + "-" * 36


def big_log(text: str) -> str:
    """At the end of some hundred lines of a training log."""
    line = "2025-01-02 03:04:{:02d},678 INFO trainer step {} loss {:.4f} lr 3e-05\n"
    return "".join(line.format(at % 60, at, 2 - at / 400) for at in range(400)) + text


def last_line(text: str) -> str:
    """The last line alone."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def last_ten(text: str) -> str:
    """The last ten lines."""
    return "\n".join(text.rstrip("\n").split("\n")[-10:])


def renamed(parts: Sequence[Chained], seed: int, share: float = 0.3) -> list[Chained]:
    """The same with other paths and line numbers, and a share of the functions renamed."""
    chance = random.Random(seed)
    return [
        replace(
            part,
            frames=tuple(
                replace(
                    frame,
                    line=chance.randint(1, 4000),
                    file=frame.file if frame.library else f"project/run_{chance.randint(1, 99)}.py",
                    function=f"{frame.function}_v{chance.randint(2, 9)}"
                    if chance.random() < share and not frame.function.startswith("<")
                    else frame.function,
                )
                for frame in part.frames
            ),
        )
        for part in parts
    ]


TRACEBACKS: dict[str, Callable[[Sequence[Chained]], str]] = {
    form.__name__: form
    for form in (
        cpython, conda, ipython, ipython_verbose, ipython_plain, ipython_7, jupyter, rich_box, pytest_long,
        pytest_short, ray, futures, multiprocess, celery, uvicorn, wrapper,
    )
}  # fmt: skip
TEXTS: dict[str, Callable[[str], str]] = {
    form.__name__: form
    for form in (
        torchrun, interleaved, mpi, logged, docker, kubernetes, slurm, loguru, vllm, journald, quoted, issue,
        escaped, breaks, one_line, json_field, http_body, wrapped, windows, zipped, smart, grouped, big_log,
        last_line, last_ten,
    )
}  # fmt: skip
NAMES = (*TRACEBACKS, *TEXTS)


def put(text: str, name: str) -> str:
    """A printed text in the form of that name. Raises KeyError for no form."""
    if name in TEXTS:
        return TEXTS[name](text)
    form = TRACEBACKS[name]
    return "".join(piece if isinstance(piece, str) else form(piece) for piece in split(text))


def every(text: str) -> dict[str, str]:
    """A printed text in each form."""
    return {name: put(text, name) for name in NAMES}


FORMS: dict[str, Callable[[Sequence[Chained]], str]] = {
    **TRACEBACKS,
    **{name: (lambda parts, form=form: form(cpython(parts))) for name, form in TEXTS.items()},  # type: ignore[misc]
}
"""Every form of a chain of exceptions."""
