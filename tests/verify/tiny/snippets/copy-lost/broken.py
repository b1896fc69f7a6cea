"""Copy."""

import fakelib

value = 1
fakelib.warn()
fakelib.fail()

# goal
assert value == 2
