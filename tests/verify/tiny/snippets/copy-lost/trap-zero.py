"""Copy."""

value = 0

# goal
assert value == 2
