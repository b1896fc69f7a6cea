"""How a clue is said, once: on the pages of an entry, and in an answer to a paste."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "through": "The traceback goes through {}.",
    "not_through": "The traceback does not go through {}.",
    "earlier": "{} was printed before it.",
    "not_earlier": "{} was not printed before it.",
    "wording": "The message has the wording {}.",
    "mentions": "The text mentions {}.",
    "not_mentions": "The text does not mention {}.",
    "version": "The installed version is {}.",
}
"""By key of the clue; `{}` stands for the functions, messages, words or versions that it names."""
