"""What was learnt, as text: nothing is lost but what the step rounds away."""

from hypothesis import given
from hypothesis import strategies as st

from unmeta.match.pack import BASE, NONE, STEP, coarse, pack, points, unpack

features = st.text(alphabet="abc_: .", min_size=1, max_size=12)
learnt = st.dictionaries(
    features,
    st.dictionaries(
        st.integers(0, 200),
        st.integers(-NONE, NONE - 5).filter(bool).map(lambda value: value * STEP),
        min_size=1,
        max_size=5,
    ),
    max_size=20,
)


@given(learnt)
def test_what_is_packed_comes_back(table):
    back = {feature: dict(points(posting)) for feature, posting in unpack(pack(table)).items()}
    assert back == table


def test_a_line_shares_the_beginning_of_the_one_above():
    assert pack({"f torch": {0: STEP}, "f torchao": {1: -STEP}}).split("\n")[1].startswith("7ao\t")


def test_points_are_rounded_and_bounded():
    assert coarse(STEP * 0.4) == 0
    assert coarse(STEP * 1.6) == 2 * STEP
    assert coarse(-1e9) == -NONE * STEP
    assert chr(BASE + NONE + coarse(1e9) // STEP).isascii()
