"""`python -m unmeta` is the command `unmeta`."""

from unmeta.cli import entry_point

entry_point()
