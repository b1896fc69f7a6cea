"""Fit the weights: a conditional logit over what entries claim, and a regularised residual over features.

The score of a cause is the sum of its claims, each kind with one weight, and of a weight for each pair of
feature and cause. All weights are found together by maximum likelihood with a quadratic penalty, so that
what is learnt only corrects what is claimed. Deterministic: no draws, one thread of arithmetic.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from unmeta.match.compile import AGAINST, CLAIMS
from unmeta.match.pack import STEP, coarse
from unmeta.match.score import CROWDED, Matcher, shared
from unmeta.train.examples import Example

Array = NDArray[np.float64]

PENALTY = 0.08  # on what is learnt: how unlikely large corrections of the claims are
CLAIM_PENALTY = 0.2  # on the weights of claims, that keeps them near CLAIMED
CLAIMED = 1.0  # logits that a claim counts before anything was seen
SLIGHT = 0.12  # logits from which on what is learnt is worth its room in the index
LEAST = 2  # groups that a feature must stand in
LEAST_SIGN = 4  # groups that a sign must stand in, for there are few other problems to weigh it by
WORDS = "yha"  # zones of words
CLAIMED_ONLY = "i"  # zones that entries ask for and nothing is learnt from
WORD = 0.5  # what one of them counts beside a feature of code or frames
KNOWN_PENALTY = 2.0
STRICT = {"!": 0.1, "a": 6.0}  # times that, by zone: words alone must not decide
ELSE = 1.5  # times that, for the others
MISTAKEN = {"! trace": 0.04, "! words": 0.08}  # share of near misses that may be taken for meta problems
TURNS = 60


@dataclass(frozen=True)
class Read:
    """An example as the matcher reads it."""

    example: Example
    features: tuple[str, ...]
    claims: Array  # by cause and kind of claim, in logits of CLAIMED
    signs: tuple[str, ...]  # of a problem of the meta device, and of others


def read(examples: Sequence[Example], matcher: Matcher) -> list[Read]:
    """Every example read by the matcher that answers at run time, whose index has plain weights."""
    place = {name: at for at, name in enumerate(CLAIMS)}
    done = []
    for example in examples:
        evidence = matcher.evidence(example.text)
        claims = np.zeros((len(matcher.index["causes"]), len(CLAIMS)))
        hits = matcher.hits(evidence)
        for at, cause in enumerate(matcher.index["causes"]):
            for group, amount in matcher.claims(cause, evidence, hits, {})[0]:
                claims[at, place[group]] += amount / 100
        features = tuple(feature for feature in evidence.features if feature[0] not in CLAIMED_ONLY)
        done.append(Read(example, features, claims, tuple(matcher.signs(evidence))))
    return done


@dataclass(frozen=True)
class Ranking:
    """Fitted weights in logits: by kind of claim, and by feature and cause; the last row is the bias."""

    causes: tuple[str, ...]
    groups: Array
    features: Mapping[str, int]
    weights: Array

    def scores(self, rows: Sequence[Read]) -> Array:
        """Logits by row and cause."""
        claims = np.array([row.claims for row in rows])
        scores: Array = design(rows, self.features) @ self.weights + claims @ self.groups
        return scores


def scale(feature: str) -> float:
    """How much of a feature's weight the penalty lets pass."""
    return WORD if feature[0] in WORDS else 1.0


def design(rows: Sequence[Read], features: Mapping[str, int]) -> csr_matrix:
    """The features of rows as a matrix; the last column is 1."""
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for row in rows:
        crowd: dict[str, int] = defaultdict(int)
        for feature in row.features:
            crowd[feature[0]] += 1
        for feature in row.features:
            if (column := features.get(feature)) is not None:
                share = shared(crowd[feature[0]]) / 100 if feature[0] in CROWDED else 1.0
                columns.append(column)
                values.append(share * scale(feature))
        columns.append(len(features))
        values.append(1.0)
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(rows), len(features) + 1))


def common(rows: Sequence[Read], of: Callable[[Read], Sequence[str]], least: int = LEAST) -> dict[str, int]:
    """Features that stand in several groups, in order."""
    groups: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for feature in of(row):
            groups[feature].add(row.example.group)
    return {
        name: at for at, name in enumerate(sorted(name for name, own in groups.items() if len(own) >= least))
    }


def weights_of(rows: Sequence[Read]) -> Array:
    """Weights of examples, as many as there are groups in all."""
    own: Array = np.array([row.example.weight for row in rows])
    return np.asarray(own * len({row.example.group for row in rows}) / own.sum())


def fit_ranking(rows: Sequence[Read], causes: Sequence[str], penalty: float = PENALTY) -> Ranking:
    """Fit the ranking to the rows whose cause has an entry.

    Twice: what the first fit finds to be worth less than SLIGHT is left out of the second, so that the index
    need not carry it and the rest makes up for it. The weights are as coarse as the index keeps them.
    """
    place = {name: at for at, name in enumerate(causes)}
    rows = [row for row in rows if next(iter(row.example.right)) in place]
    features = common(rows, lambda row: row.features)
    problem = _Problem(rows, place, design(rows, features), penalty)
    learnt, groups = problem.solved(np.zeros(problem.shape), problem.prior)
    scales = np.array([*(scale(name) for name in features), 1.0])[:, None]
    telling = np.abs(learnt) * scales >= SLIGHT
    telling[-1] = True
    learnt, groups = problem.solved(learnt, groups, telling)
    kept = np.array([[coarse(100 * weight) for weight in row] for row in learnt * scales]) / 100 / scales
    kept[-1] = np.round(learnt[-1], 2)
    return Ranking(tuple(causes), np.round(groups, 2), features, kept)


class _Problem:
    """Rows as the arrays that a fit of the ranking needs; single precision is enough and halves the time."""

    def __init__(
        self, rows: Sequence[Read], place: Mapping[str, int], matrix: csr_matrix, penalty: float
    ) -> None:
        self.penalty = penalty
        self.shape = (matrix.shape[1], len(place))
        self.matrix = matrix.astype(np.float32)
        self.turned = self.matrix.T.tocsr()
        self.claims = csr_matrix(
            np.array([row.claims for row in rows], dtype=np.float32).reshape(-1, len(CLAIMS))
        )
        self.claims_turned = self.claims.T.tocsr()
        self.target = np.zeros((len(rows), len(place)), dtype=np.float32)
        for at, row in enumerate(rows):
            for name, share in row.example.right.items():
                if name in place:
                    self.target[at, place[name]] = share
        self.target /= self.target.sum(axis=1, keepdims=True)
        self.weight = weights_of(rows)[:, None].astype(np.float32)
        self.prior = np.array([CLAIMED if name not in AGAINST else -0.3 for name in CLAIMS])

    def solved(
        self, learnt: Array, groups: Array, telling: NDArray[np.bool_] | None = None
    ) -> tuple[Array, Array]:
        """What is learnt and the weights of claims, from these on; what is not `telling` stays 0."""
        chosen = np.flatnonzero(np.ones(self.shape) if telling is None else telling)
        whole = np.zeros(self.shape, dtype=np.float32)

        def loss(vector: Array) -> tuple[float, Array]:
            own, claims = vector[: len(chosen)], vector[len(chosen) :]
            whole.flat[chosen] = own
            scores = self.matrix @ whole
            scores += (self.claims @ claims.astype(np.float32)).reshape(scores.shape)
            scores -= scores.max(axis=1, keepdims=True)
            parts = np.exp(scores)
            sums = parts.sum(axis=1, keepdims=True)
            off = claims - self.prior
            total = -float((self.weight * self.target * (scores - np.log(sums))).sum(dtype=np.float64))
            total += 0.5 * self.penalty * float(own @ own) + 0.5 * CLAIM_PENALTY * float(off @ off)
            step = self.weight * (parts / sums - self.target)
            return total, np.concatenate(
                [
                    (self.turned @ step).ravel()[chosen] + self.penalty * own,
                    self.claims_turned @ step.ravel() + CLAIM_PENALTY * off,
                ]
            )

        start = np.concatenate([learnt.ravel()[chosen], groups])
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": TURNS, "maxcor": 8})
        result = np.zeros(self.shape)
        result.flat[chosen] = found.x[: len(chosen)]
        return result, found.x[len(chosen) :]


@dataclass(frozen=True)
class Known:
    """The rule that tells a meta problem from others: a bias, and a weight for each sign."""

    bias: float
    signs: Mapping[str, float]

    def score(self, signs: Sequence[str]) -> float:
        """Logits that a text with these signs is about the meta device, as the matcher counts them."""
        return min(self.total(signs), sum(self.signs.get(sign, 0.0) for sign in signs[1:]))

    def total(self, signs: Sequence[str]) -> float:
        """The same where the kind of text alone may decide."""
        return self.bias + sum(self.signs.get(sign, 0.0) for sign in signs)


def fit_known(rows: Sequence[Read], penalty: float = KNOWN_PENALTY) -> Known:
    """Fit the rule to rows of both kinds, each kind with the same weight in all; as coarse as it is kept."""
    features = common(rows, lambda row: row.signs, LEAST_SIGN)
    columns = [features[sign] for row in rows for sign in row.signs if sign in features]
    ends = np.cumsum([0, *(sum(sign in features for sign in row.signs) for row in rows)])
    matrix = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), len(features)))
    target = np.array([1.0 if row.example.meta else -1.0 for row in rows])
    weight = weights_of(rows)
    weight = np.where(target > 0, weight, weight * weight[target > 0].sum() / weight[target < 0].sum())
    strict = penalty * np.array([STRICT.get(name[0], ELSE) for name in features])

    def loss(vector: Array) -> tuple[float, Array]:
        margin = target * (matrix @ vector[:-1] + vector[-1])
        total = float((weight * np.logaddexp(0, -margin)).sum())
        step = -weight * target / (1 + np.exp(margin))
        pull = strict * vector[:-1]
        return total + 0.5 * float(vector[:-1] @ pull), np.append(matrix.T @ step + pull, step.sum())

    found = minimize(loss, np.zeros(len(features) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    kept = {name: STEP * round(100 * found.x[at] / STEP) / 100 for name, at in features.items()}
    return Known(round(float(found.x[-1]), 2), {name: weight for name, weight in kept.items() if weight})


def steadied(known: Known, unseen: Sequence[tuple[Read, float]]) -> Known:
    """The rule with a threshold for each kind of text, set by what it said to near misses that it had not
    seen: MISTAKEN of them may be called meta.
    """
    signs = dict(known.signs)
    for kind, share in MISTAKEN.items():
        others = sorted(
            (score for row, score in unseen if kind in row.signs and not row.example.meta and pasted(row)),
            reverse=True,
        )
        if others:
            signs[kind] = signs.get(kind, 0.0) - max(0.0, others[int(share * len(others))])
    return Known(known.bias, signs)


def pasted(row: Read) -> bool:
    """Whether a row is what people paste, and none of what only teaches words."""
    kind = row.example.kind
    return row.example.group.split()[0] in ("report", "program") and kind not in (
        "report, context only",
        "code of program",
    )


def fold(group: str, folds: int) -> int:
    """The fold that tests a group."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % folds


def heat(scores: Array, right: NDArray[np.bool_]) -> float:
    """The temperature at which shares of unseen rows are as right as they say."""
    best, least = 1.0, np.inf
    for value in np.arange(0.5, 3.01, 0.05):
        parts = np.exp((scores - scores.max(axis=1, keepdims=True)) / value)
        parts /= parts.sum(axis=1, keepdims=True)
        loss = -np.log(np.maximum((parts * right).sum(axis=1), 1e-9)).mean()
        if loss < least:
            best, least = float(value), float(loss)
    return best


def to_weights(model: Ranking, known: Known, temperature: float, sure: int, guess: int) -> dict[str, Any]:
    """The fitted weights as `kb/weights.json` keeps them: hundredths of a logit."""
    learnt: dict[str, dict[str, int]] = {}
    for feature, row in model.features.items():
        points = {
            cause: value
            for cause, weight in zip(model.causes, model.weights[row], strict=True)
            if (value := coarse(100 * weight * scale(feature)))
        }
        if points:
            learnt[feature] = points
    return {
        "heat": round(100 * temperature),
        "sure": sure,
        "guess": guess,
        "groups": {name: round(100 * float(value)) for name, value in zip(CLAIMS, model.groups, strict=True)},
        "bias": {
            cause: round(100 * float(value))
            for cause, value in zip(model.causes, model.weights[-1], strict=True)
        },
        "known": {
            "bias": round(100 * known.bias),
            "weights": {sign: round(100 * weight) for sign, weight in known.signs.items()},
        },
        "learnt": learnt,
    }  # fmt: skip
