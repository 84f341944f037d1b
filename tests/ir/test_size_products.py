"""Numbers of blocks and threads as sums of products of sizes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from analysis_core.lower.names.unit_tables import index
from analysis_core.program.host.size_products import Names, Sizes, is_part, least_times, returning, sizes_of, text_of
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read import tree as syn

HELPERS = """
    int up(int a, int b) { return (a + b - 1) / b; }
    int chosen(int a, int b) { return a % b ? a / b + 1 : a / b; }
    int recursive(int a) { return recursive(a) + 1; }
    int long_one(int a) { a++; return a; }
"""


def read(expression: str) -> Sizes | None:
    text = f"{HELPERS}\nint asked(int n, int w, int h, int b) {{ return {expression}; }}"
    unit = index(parse("p.cu", MemoryFiles({"p.cu": text.encode()}), Settings()), Settings())
    functions = [d for group in unit.functions.values() for d in group]
    body = next(d.body for d in functions if d.name == "asked")
    assert body is not None
    (statement,) = body.body
    assert isinstance(statement, syn.Return)
    assert statement.value is not None
    return sizes_of(statement.value, Names(functions=returning(functions)))


def product(**powers: int) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(powers.items()))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7 * 3", {(): 21}),
        ("1000 / 256", {(): 3}),
        ("(n + 255) / 256", {product(n=1): Fraction(1, 256), (): Fraction(255, 256)}),
        ("dim3(w / 16, h >> 4)", {product(w=1, h=1): Fraction(1, 256)}),
        ("up(n, b) * b", {product(n=1): 1, product(b=1): 1, (): -1}),
        ("chosen(n, 64)", {product(n=1): Fraction(1, 64), (): 1}),
        ("(int)ceil(n / 32.0)", {product(n=1): Fraction(1, 32)}),
        ("max(w, 2 * w)", {product(w=1): 2}),
        ("(n << 3) - 5", {product(n=1): 8, (): -5}),
    ],
)
def test_what_is_read(expression: str, expected: Sizes) -> None:
    assert read(expression) == expected


@pytest.mark.parametrize(
    "expression",
    ["n / (w + h)", "n % 4", "n / 0", "min(n, 64)", "recursive(n)", "long_one(n)", "missing(n)", "n ? w : n % 3"],
)
def test_what_is_not(expression: str) -> None:
    assert read(expression) is None


def test_a_part_has_fewer_names_and_the_size_of_a_block_is_none() -> None:
    assert is_part(product(w=1), product(w=1, h=1))
    assert is_part(product(w=1, b=-1), product(w=1, h=1, b=-1))
    assert not is_part(product(w=1, b=-1), product(w=1))
    assert not is_part(product(w=1), product(w=1))
    assert not is_part(product(w=2), product(w=1, h=1))


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [
        ({(): 32}, {(): 2048}, 64),
        ({(): 32}, {(("n", 1),): 1}, 32),
        ({(("n", 1),): 1}, {(("n", 1),): 8, (): -255}, 8),
        ({(("n", 1),): 2}, {(("n", 1), ("w", 1)): 1}, 512),
        ({(("n", 1), ("w", 1)): 1}, {(("n", 1),): 1}, 0),
        ({(("n", 1),): 1, (("w", 1),): 1}, {(("n", 1), ("w", 1)): 1}, 1024),
        ({(("n", 1),): 1}, {(("w", 1),): 1}, 0),
        ({(("n", 1),): 1}, {(): 4096}, 0),
    ],
)
def test_how_many_times_one_sum_another_is_at_least(one: Sizes, other: Sizes, times: int) -> None:
    assert least_times({p: Fraction(c) for p, c in one.items()}, {p: Fraction(c) for p, c in other.items()}) == times


def test_the_greatest_products_are_shown() -> None:
    sizes = {(("n", 1), ("w", 1)): Fraction(1, 256), (("n", 1),): Fraction(3), (): Fraction(1)}
    assert text_of(sizes) == "n * w / 256"
    assert text_of({(): Fraction(0)}) == "0" and text_of({(("n'2", 2),): Fraction(4)}) == "4 * n * n"
