"""Count."""

assert 1 == 1
