"""Copy."""

value = 2

# goal
assert value == 2
