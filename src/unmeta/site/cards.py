"""Cards that other sites show beside a link: the message, or the title, drawn as a picture.

Pictures hold 256 shades, the first half from paper to ink and the second from paper to the accent: drawing
and compressing them takes a third of the time of full colour. The fonts are DejaVu, cut to the characters
in use.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).parent / "fonts"
WIDTH, HEIGHT, MARGIN = 1200, 630, 84
PAPER, INK, ACCENT = (253, 253, 251), (27, 33, 38), (10, 106, 96)
HALF = 127
SOFT = 86  # of the shades between paper and ink
BOTTOM = HEIGHT - 150
SANS, BOLD, MONO = "DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono"
SIZES = (60, 52, 46, 40, 34)
VERSION = 1  # of the drawing: a change of it draws every card anew


@dataclass(frozen=True)
class Card:
    """What one card says: a line above, the text, and whether that is as printed."""

    above: str
    text: str
    printed: bool = False

    @property
    def digest(self) -> str:
        """Names the picture in a cache."""
        held = f"{VERSION}\0{self.above}\0{self.text}\0{self.printed}"
        return hashlib.sha256(held.encode()).hexdigest()[:20]


def draw(card: Card) -> bytes:
    """The card as a PNG of 1200 by 630 pixels, the size that sites ask for."""
    picture = Image.new("P", (WIDTH, HEIGHT), 0)
    picture.putpalette(_palette())
    # Shades are drawn on a picture of grey values, which become the places of the palette.
    grey = Image.new("L", (WIDTH, HEIGHT), 0)
    pen = ImageDraw.Draw(grey)
    pen.rectangle((0, 0, 18, HEIGHT), fill=255)
    pen.text((MARGIN, 72), _fitting(card.above, _font(SANS, 30)), font=_font(SANS, 30), fill=SOFT)
    face = MONO if card.printed else BOLD
    size, lines = _set(card.text, face)
    top = 140 + max(0, (BOTTOM - 140 - len(lines) * size * 1.36) * 0.42)
    for number, line in enumerate(lines):
        pen.text((MARGIN, top + number * size * 1.36), line, font=_font(face, size), fill=HALF)
    _mark(pen, MARGIN, HEIGHT - 104)
    pen.text((MARGIN + 62, HEIGHT - 103), "unmeta", font=_font(BOLD, 34), fill=HALF)
    said = "PyTorch meta-tensor errors, with fixes that were run"
    width = _font(SANS, 26).getlength(said)
    pen.text((WIDTH - MARGIN - width, HEIGHT - 97), said, font=_font(SANS, 26), fill=SOFT)
    picture.frombytes(grey.tobytes())
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=3)
    return file.getvalue()


def icon() -> bytes:
    """The logo as a PNG of 512 by 512 pixels, for devices that keep the site."""
    small = Image.new("L", (64, 64), 0)
    _mark(ImageDraw.Draw(small), 10, 10)
    picture = Image.new("P", (512, 512), 0)
    picture.putpalette(_palette())
    picture.frombytes(small.resize((512, 512), Image.Resampling.NEAREST).tobytes())
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _mark(pen: ImageDraw.ImageDraw, left: int, top: int) -> None:
    """The logo: a dashed square around a full one."""
    step, size = 11, 44
    for at in range(0, size, step):
        for box in (
            (left + at, top, left + at + 6, top + 4),
            (left + at, top + size - 4, left + at + 6, top + size),
            (left, top + at, left + 4, top + at + 6),
            (left + size - 4, top + at, left + size, top + at + 6),
        ):
            pen.rectangle(box, fill=255)
    pen.rectangle((left + 13, top + 13, left + size - 13, top + size - 13), fill=255)


def _set(text: str, face: str) -> tuple[int, list[str]]:
    """The largest size at which a text fits, and its lines; of what fits at none the end is left out."""
    lines: list[str] = []
    for size in SIZES:
        lines = _wrapped(text, _font(face, size))
        room = int((BOTTOM - 140) / (size * 1.36))
        if len(lines) <= min(room, 7):
            return size, lines
    lines = lines[:room]
    return size, [*lines[:-1], lines[-1][:-2].rstrip() + " …"]


def _wrapped(text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    room = WIDTH - 2 * MARGIN
    lines, line = [], ""
    for word in text.split():
        while font.getlength(word) > room:  # a path or a name as long as a line
            cut = next(n for n in range(len(word), 0, -1) if font.getlength(word[:n]) <= room)
            lines += [line, word[:cut]] if line else [word[:cut]]
            line, word = "", word[cut:]
        longer = f"{line} {word}" if line else word
        if font.getlength(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def _fitting(text: str, font: ImageFont.FreeTypeFont) -> str:
    while font.getlength(text) > WIDTH - 2 * MARGIN:
        text = text[:-2].rstrip(" …") + "…"
    return text


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    # The basic engine is everywhere the same, and takes any text.
    return ImageFont.truetype(str(FONTS / f"{name}.ttf"), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _palette() -> list[int]:
    shades = []
    for place in range(256):
        end, share = (INK, place / HALF) if place <= HALF else (ACCENT, (place - HALF) / (255 - HALF))
        shades += [round(paper + (colour - paper) * share) for paper, colour in zip(PAPER, end, strict=True)]
    return shades
