"""Fits the ranking: catalogue, reports, programs and runs become examples, and examples `kb/weights.json`.

Nothing at run time knows this room; it reads pastes with `unmeta.match`, as everyone does.
"""
