"""Text that is safe to put on a page: Markdown escaping, fences, code highlighted as a difference."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from unmeta.kb.change import CONTEXT, Change

# A fenced block or a code span: what Markdown leaves alone.
CODE = re.compile(
    r"(?P<fence>^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[^\n]*\n.*?^[ \t]*(?P=mark)[`~]*[ \t]*$)"
    r"|(?P<span>(?<![`\\])(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`))",
    re.MULTILINE | re.DOTALL,
)
_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~]")
_TAG = re.compile(r"<(?!https?://)(?=[A-Za-z/!?])")
_DUNDER = re.compile(r"(?<![\w`])__(\w+?)__(?!\w)")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_PYTHON, _HTML = PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)
# Names, numbers, operators, punctuation: most of the mark-up of code, and its least telling colours.
_COLOURLESS = re.compile(r'<span class="(?:n|nn|nb|fm|o|p|w|bp|mi|mf)">([^<]*)</span>')

_STRINGS = re.compile(r'<span class="(?:s1|s2|sa|sd|si|se)">([^<]*)</span>')


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to all of a Markdown text but its fenced blocks and code spans."""
    parts: list[str] = []
    end = 0
    for match in CODE.finditer(text):
        parts += [change(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, change(text[end:])])


def plain(text: str) -> str:
    """A title as inline Markdown: code spans stay, everything else is literal."""

    def escape(part: str) -> str:
        part = part.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return _SPECIAL.sub(lambda m: "\\" + m[0], part)

    return outside_code(" ".join(text.split()), escape)


def bare(text: str) -> str:
    """A title without any mark-up, for attributes, feeds and terminals."""
    return " ".join(text.split()).replace("`", "")


def markup(text: str) -> str:
    """A title as HTML: code spans become `<code>`, everything else is literal."""
    parts: list[str] = []
    end = 0
    text = " ".join(text.split())
    for match in CODE.finditer(text):
        code = match[0].strip("`").strip()
        parts += [html.escape(text[end : match.start()]), f"<code>{html.escape(code)}</code>"]
        end = match.end()
    return "".join([*parts, html.escape(text[end:])])


def slots(template: str) -> str:
    """A message template for readers: `{own_shape}` as ‹own shape›, doubled braces as single ones."""
    named = re.sub(r"(?<!\{)\{([a-z0-9_]+)\}", lambda m: f"‹{m[1].replace('_', ' ')}›", template)
    return named.replace("{{", "{").replace("}}", "}")


def visible(output: str) -> str:
    """What a run printed as a page can show it: without colours and other control characters."""
    return _CONTROL.sub("", _ANSI.sub("", output))


def prose(text: str) -> str:
    """Markdown written in an entry: no HTML and no attributes get through, dunder names are not emphasis."""

    def escape(part: str) -> str:
        return _DUNDER.sub(r"\\_\\_\1\\_\\_", _TAG.sub("&lt;", part).replace("{", "&#123;"))

    return outside_code(text.strip(), escape)


def fence(code: str, info: str = "text") -> str:
    """A fenced block, its fence longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark} {info}\n{code.rstrip()}\n{mark}"


def lean(markup: str) -> str:
    """Highlighted code without the elements that no colour depends on: two thirds of a script's."""
    return _COLOURLESS.sub(r"\1", markup).replace("<span></span>", "")


@lru_cache(maxsize=8192)
def python_lines(code: str) -> tuple[str, ...]:
    """Highlighted HTML of Python code, line by line."""
    shown = lean(highlight(code, _PYTHON, _HTML))
    return tuple(shown.rstrip("\n").split("\n"))


@lru_cache(maxsize=8192)
def diff(change: Change) -> str:
    """HTML of what a fix changes in the reader's code, in Python colours; copying it yields the new code.

    Lines far from a change carry `um-far`, so that the page can fold them away. `data-change` and
    `data-diff` hold what the buttons copy.
    """
    imports, old, new = (
        iter(python_lines("\n".join(part))) for part in (change.imports, change.old, change.new)
    )
    rows: list[tuple[str, str]] = []
    for number, (sign, _) in enumerate(change.rows):
        if number < len(change.imports):
            rows.append((sign, next(imports)))
        elif change.imports and number == len(change.imports):
            rows.append((sign, ""))
        elif sign == "-":
            rows.append((sign, next(old)))
        else:
            rows.append((sign, next(new)))
            if sign == " ":
                next(old)
    near = _near([sign for sign, _ in rows])
    lines = "".join(_diff_line(sign, line, kept) for (sign, line), kept in zip(rows, near, strict=True))
    copies = f'data-change="{_attribute(change.code)}" data-diff="{_attribute(change.diff)}"'
    return f'<div class="um-diff highlight no-copy" {copies}><pre><code>{lines}</code></pre></div>'


def _attribute(value: str) -> str:
    """Text as the value of an attribute; line ends are escaped, for a blank line would end the HTML."""
    return html.escape(value).replace("\n", "&#10;")


def _near(signs: list[str]) -> list[bool]:
    """Which lines stand close to a change; gaps too short to be worth folding count as close."""
    marked = [n for n, sign in enumerate(signs) if sign != " "]
    near = [any(abs(n - m) <= CONTEXT for m in marked) for n in range(len(signs))]
    for start, end in _runs(near):
        if end - start < CONTEXT:
            near[start:end] = [True] * (end - start)
    return near


def _runs(near: list[bool]) -> Iterator[tuple[int, int]]:
    start = None
    for n, kept in enumerate([*near, True]):
        if not kept and start is None:
            start = n
        elif kept and start is not None:
            yield start, n
            start = None


def _diff_line(sign: str, line: str, near: bool) -> str:
    # Blank lines inside raw HTML would end it for some Markdown parsers; a zero-width word joiner is
    # not copied as code, so an empty span keeps the line instead.
    body = line or "<span></span>"
    if sign == " ":
        return f'<span class="um-line{"" if near else " um-far"}">{body}\n</span>'
    tag = "ins" if sign == "+" else "del"
    return f'<{tag} class="um-line">{body}\n</{tag}>'


def printout(output: str) -> str:
    """What a run printed as HTML lines, none of them blank: that would end the HTML for some parsers."""
    return "\n".join(html.escape(line, quote=False) or "<span></span>" for line in output.splitlines())


def python(code: str, *, strings: bool = True) -> str:
    """HTML of a whole script in Python colours; without those of `strings` it has half the elements."""
    lines = "\n".join(line or "<span></span>" for line in python_lines(code))
    lines = lines if strings else _STRINGS.sub(r"\1", lines)
    return f'<div class="highlight"><pre><code>{lines}\n</code></pre></div>'
