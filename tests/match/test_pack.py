"""Packed postings say the same as the lists they were made of."""

from hypothesis import given
from hypothesis import strategies as st

from unmeta.match.pack import STEP, coarse, pack, tally, unpack

KEYS = st.text("abcdefghijklmnopqrstuvwxyz_:/", min_size=1, max_size=12)
PAIRS = st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 20).map(lambda n: n * STEP)), max_size=6)


@given(st.dictionaries(KEYS, PAIRS))
def test_nothing_is_lost(table):
    text = pack({key: [number for pair in pairs for number in pair] for key, pairs in table.items()})
    packed = unpack(text)
    assert set(packed) == set(table)
    for key, pairs in table.items():
        wanted: dict[int, int] = {}
        for cause, points in pairs:
            wanted[cause] = wanted.get(cause, 0) + points
        assert tally(packed, [key]) == wanted


def test_keys_add_up_and_unknown_ones_are_passed_over():
    packed = unpack(pack({"lora": [0, 8, 1, 4], "merge": [1, 12]}))
    assert tally(packed, ["lora", "merge", "unheard"]) == {0: 8, 1: 16}
    assert unpack("") == {}


def test_points_come_in_steps():
    assert [coarse(points) for points in (0, 1.9, 2.1, 9)] == [0, 0, 4, 8]
