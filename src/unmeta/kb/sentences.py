"""How a clue is said, once: on the pages of an entry, and in an answer to a paste."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "through": "The traceback passes {}.",
    "not_through": "The traceback does not pass {}.",
    "earlier": "{} was printed before it.",
    "not_earlier": "{} was not printed before it.",
    "wording": "The message has the wording {}.",
    "not_wording": "The message does not have the wording {}.",
    "calls": "Your code has {}.",
    "says": "The text says {}.",
    "holes": "The message names {}.",
    "version": "The installed version is {}.",
}
"""By key of the clue; `{}` stands for the functions, messages, words or versions that it names."""
