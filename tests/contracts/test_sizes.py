"""What conditions say of sizes: whatever is proved of two costs under them holds for all small sizes that keep them."""

from __future__ import annotations

import random
from itertools import product

from analysis_core.contracts.sizes import Names, is_plain, learned
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.term_expressions import expression_of
from analysis_core.lower.names.annotation_values import constant_value
from analysis_core.syntax.read.annotation_terms import Piece, read_term
from analysis_core.syntax.read.annotation_tree import Term
from analysis_core.text.span import FileId

NAMES: Names = {name: ex.symbol(name) for name in "nmw"}
VALUES = (*range(12), 15, 16, 24, 31, 32, 33, 48, 64)


def _term(text: str) -> Term:
    return read_term(Piece(text, 0, FileId("k.cu")), {})


def _cost(rng: random.Random, depth: int = 2) -> str:
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(("n", "n", "m", "w", str(rng.randrange(9))))
    a, b, d = _cost(rng, depth - 1), _cost(rng, depth - 1), rng.choice((2, 4, 8, 32))
    return rng.choice((f"({a} + {b})", f"({a} - {b})", f"{rng.randrange(1, 6)}*{a}", f"ceil(({a})/{d})", f"(({a})/{d})", f"(({a}) % {d})",
                       f"max({a}, {b})", f"min({a}, {b})", f"({a})*({b})"))  # fmt: skip


def _condition(rng: random.Random) -> str:
    name, other = rng.choice("nmw"), rng.choice("nmw")
    return rng.choice((f"{name} % {rng.choice((2, 4, 8, 32))} == 0", f"{name} >= {rng.randrange(40)}", f"{rng.randrange(70)} >= {name}",
                       f"{name} == {rng.randrange(40)}", f"{name} == 2*{other}", f"{name} == {other}", f"{name} < {other}", f"{name} != 3",
                       f"{name} <= {rng.randrange(9)} || {other} > 3", f"0 == {name} % 4"))  # fmt: skip


def test_what_is_proved_holds() -> None:
    rng, proved = random.Random(5), 0
    for _ in range(700):
        conditions = [_term(_condition(rng)) for _ in range(rng.randrange(3))]
        left, right = _term(_cost(rng)), _term(_cost(rng))
        sizes = learned((condition, NAMES) for condition in conditions)
        a, b = expression_of(left, NAMES.get), expression_of(right, NAMES.get)
        if a is None or b is None or not all(is_plain(term, NAMES, sizes) for term in (left, right)):
            continue
        if sizes.at_most(a, b) is not True:
            continue
        proved += 1
        for point in product(VALUES, repeat=3):
            known = dict(zip("nmw", point, strict=True))
            if all(constant_value(condition, known) for condition in conditions):
                low, high = constant_value(left, known), constant_value(right, known)
                assert low is None or high is None or low <= high, (conditions, left, right, known)
    assert proved > 60
