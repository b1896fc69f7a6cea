"""Dress one traceback the way terminals, notebooks, launchers, loggers, forums and browsers do.

A traceback is a list of `Part`s (oldest first). Each function of `FORMS` prints it in one form; the same
frames and the same last message must be read out of all of them.
"""

from __future__ import annotations

import html
import json
import random
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unmeta.kb.runs import LINKS, Event, Frame

SITE = "/usr/lib/python3/dist-packages/"


@dataclass(frozen=True)
class Part:
    """One exception of a chain with its frames; `link` is the sentence that ties it to the one before."""

    type: str
    text: str
    frames: tuple[Frame, ...] = ()
    link: str = ""


def parts_of(event: Event) -> list[Part]:
    """The chain of a recorded exception."""
    return [
        Part(raised.type, raised.text, raised.frames, LINKS[raised.link] if raised.link else "")
        for raised in event.chain
    ]


def _path(frame: Frame, site: str) -> str:
    return site + frame.file if frame.library else frame.file


def _message(part: Part) -> str:
    return f"{part.type}: {part.text}" if part.text else part.type


def cpython(parts: Sequence[Part], site: str = SITE) -> str:
    """As the interpreter prints it."""
    lines: list[str] = []
    for part in parts:
        if part.link:
            lines += ["", part.link, ""]
        lines.append("Traceback (most recent call last):")
        for frame in part.frames:
            lines.append(f'  File "{_path(frame, site)}", line {frame.line}, in {frame.function}')
            if frame.code:
                lines += ["    " + frame.code, "    " + "~" * 8 + "^" * 6]
        lines.append(_message(part))
    return "\n".join(lines) + "\n"


def ipython(parts: Sequence[Part], verbose: bool = False) -> str:
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
                where = "~/miniconda3/envs/ml/lib/python3.11/site-packages/" if frame.library else "~/code/"
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


def ipython_verbose(parts: Sequence[Part]) -> str:
    """IPython 8 after `%xmode Verbose`."""
    return ipython(parts, verbose=True)


def ipython_7(parts: Sequence[Part]) -> str:
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


def rich_box(parts: Sequence[Part]) -> str:
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


def pytest_long(parts: Sequence[Part]) -> str:
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


def pytest_short(parts: Sequence[Part]) -> str:
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


def _each(text: str, prefix: Callable[[int], str]) -> str:
    return "".join(prefix(at) + line + "\n" for at, line in enumerate(text.splitlines()))


def torchrun(parts: Sequence[Part]) -> str:
    """`[rank0]:` before each line."""
    return _each(cpython(parts), lambda _: "[rank0]: ")


def interleaved(parts: Sequence[Part]) -> str:
    """Two ranks that print at once."""
    lines = cpython(parts).splitlines()
    return "".join(f"[rank{rank}]:{line}\n" for line in lines for rank in (1, 0))


def mpi(parts: Sequence[Part]) -> str:
    """`[1,0]<stderr>:` of mpirun."""
    return _each(cpython(parts), lambda _: "[1,0]<stderr>:")


def ray(parts: Sequence[Part]) -> str:
    """A worker of Ray, its traceback carried to the driver."""
    head = "ray.exceptions.RayTaskError(NotImplementedError): ray::Worker.load() (pid=4711, ip=10.0.0.7)\n"
    return _each(cpython(parts), lambda _: "(RayWorker pid=4711, ip=10.0.0.7) ") + head


def remote(parts: Sequence[Part]) -> str:
    """The traceback of a multiprocessing worker inside that of its parent."""
    inner = 'multiprocessing.pool.RemoteTraceback: \n"""\n' + cpython(parts) + '"""\n'
    return (
        inner + "\nThe above exception was the direct cause of the following exception:\n\n" + cpython(parts)
    )


def ansi(parts: Sequence[Part]) -> str:
    """Colours of a terminal."""
    lines = []
    for line in ipython(parts).splitlines():
        words = [
            f"\x1b[0;{31 + at % 6}m{word}\x1b[0m" if word else word for at, word in enumerate(line.split(" "))
        ]
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def logged(parts: Sequence[Part]) -> str:
    """A logger's time and level before each line."""
    return _each(cpython(parts), lambda at: f"2025-03-14 09:26:{at % 60:02d},535 - ERROR - ")


def docker(parts: Sequence[Part]) -> str:
    """docker compose."""
    return _each(cpython(parts), lambda _: "inference-1  | ")


def kubernetes(parts: Sequence[Part]) -> str:
    """Container logs of Kubernetes."""
    return _each(cpython(parts), lambda at: f"2025-03-14T09:26:{at % 60:02d}.535897932Z stderr F ")


def slurm(parts: Sequence[Part]) -> str:
    """`srun --label` around torchrun."""
    return _each(cpython(parts), lambda _: " 3: [rank3]: ")


def loguru(parts: Sequence[Part]) -> str:
    """A logger whose lines name the place that logged."""
    return _each(
        cpython(parts),
        lambda at: f"2025-03-14 09:26:{at % 60:02d}.535 | ERROR    | app.server:handle:{100 + at % 3} - ",
    )


def vllm(parts: Sequence[Part]) -> str:
    """A worker process of a server that logs for it."""
    prefix = "(VllmWorkerProcess pid=1234) ERROR 07-18 07:30:59 multiproc_worker_utils.py:226] "
    return _each(cpython(parts), lambda _: prefix)


def quoted(parts: Sequence[Part]) -> str:
    """Quoted in an answer on GitHub, in a fence."""
    return _each("```pytb\n" + cpython(parts) + "```", lambda _: "> ")


def escaped(parts: Sequence[Part]) -> str:
    """HTML source of a page."""
    return "<pre><code>" + html.escape(cpython(parts)) + "</code></pre>"


def broken_lines(parts: Sequence[Part]) -> str:
    """HTML with <br> for newlines."""
    return html.escape(cpython(parts)).replace("\n", "<br />")


def one_line(parts: Sequence[Part]) -> str:
    """All newlines lost."""
    return " ".join(cpython(parts).split())


def json_string(parts: Sequence[Part]) -> str:
    """A field of a JSON log."""
    return json.dumps({"level": "error", "exc": cpython(parts)})


def wrapped(parts: Sequence[Part]) -> str:
    """A terminal of 80 columns, copied with its line breaks."""
    lines = []
    for line in cpython(parts).splitlines():
        lines += [line[at : at + 80] for at in range(0, len(line), 80)] or [""]
    return "\n".join(lines) + "\n"


def windows(parts: Sequence[Part]) -> str:
    """Windows: other paths and line ends."""
    site = "C:\\Users\\Ann Lee\\venv\\Lib\\site-packages\\"
    lines = []
    for line in cpython(parts, site).splitlines():
        head, quote, rest = line.partition(site)
        if quote:
            path, end, tail = rest.partition('"')
            line = head + quote + path.replace("/", "\\") + end + tail
        lines.append(line)
    return "\r\n".join(lines) + "\r\n"


def zipped(parts: Sequence[Part]) -> str:
    """Packages inside an archive (Spark)."""
    return cpython(parts, "/tmp/spark-1/libs.zip/")


def smart(parts: Sequence[Part]) -> str:
    """A word processor's quotation marks, ellipses and blanks."""
    text = cpython(parts).replace('"', "\u201d").replace("'", "\u2019").replace("...", "\u2026")
    return text.replace("  File", "\u00a0\u00a0File").replace("meta", "me\u200bta")


def grouped(parts: Sequence[Part]) -> str:
    """An exception group."""
    head = (
        '  + Exception Group Traceback (most recent call last):\n  |   File "main.py", line 9, in <module>\n'
    )
    head += (
        "  |     asyncio.run(main())\n  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
    )
    return (
        head
        + "  +-+---------------- 1 ----------------\n"
        + _each(cpython(parts), lambda _: "    | ")
        + "    +"
        + "-" * 36
    )


def syslog(parts: Sequence[Part]) -> str:
    """journald."""
    return _each(cpython(parts), lambda _: "Mar 14 09:26:53 node-7 python3[4711]: ")


def renamed(parts: Sequence[Part], seed: int, share: float = 0.3) -> list[Part]:
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


FORMS: dict[str, Callable[[Sequence[Part]], str]] = {
    form.__name__: form
    for form in (
        cpython, ipython, ipython_verbose, ipython_7, rich_box, pytest_long, pytest_short, torchrun,
        interleaved, mpi, ray, remote, ansi, logged, docker, kubernetes, quoted, escaped, broken_lines,
        one_line, json_string, wrapped, windows, zipped, smart, grouped, syslog, slurm, loguru, vllm,
    )
}  # fmt: skip
