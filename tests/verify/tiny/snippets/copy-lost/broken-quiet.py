"""Copy."""

value = 1

# goal
assert value == 2
