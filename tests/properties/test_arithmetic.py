"""Soundness of the C operators on thread-vector polynomials.

Random expressions over threadIdx, parameters and constants are evaluated twice: abstractly by the domain, and for every
thread by the small evaluator below, which does C's arithmetic on Python integers and shares nothing with the domain.
The concrete values of all threads must lie in the abstract value:

  * without derived symbols the polynomial equals the value (modulo 2^bits where it is not exact),
  * with one derived symbol, the value of that symbol can be solved for: it must lie in the symbol's interval and
    congruence and be as uniform as its level says,
  * in any case the bounds hold, and lanes of a uniform value agree.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.shape import make_shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer, lane_bounds, level_of
from analysis_core.ir.types import INT, UINT, ScalarType

SHAPES = [(32, 1, 1), (64, 1, 1), (16, 4, 1), (24, 3, 1), (8, 4, 2), (40, 1, 1)]
PARAMETERS = ("n", "m")


# --- the concrete side: C arithmetic on Python integers ---------------------------------------------------------


class Undefined(Exception):
    """Undefined behaviour, or signed overflow (assumed absent): the sample says nothing."""


@dataclass(frozen=True)
class Node:
    op: str
    args: tuple[Node, ...] = ()
    value: int = 0
    unsigned: bool = False


def wrap(value: int, unsigned: bool) -> int:
    if unsigned:
        return value % 2**32
    if not -(2**31) <= value < 2**31:
        raise Undefined
    return value


def concrete(node: Node, thread: tuple[int, int, int], env: dict[str, int]) -> int:
    """C's value of the expression for one thread."""
    if node.op == "const":
        return wrap(node.value, node.unsigned)
    if node.op in "xyz":
        return thread["xyz".index(node.op)]
    if node.op in PARAMETERS:
        return env[node.op]
    if node.op == "select":
        test, a, b = (concrete(arg, thread, env) for arg in node.args)
        return wrap(a, node.unsigned) if test else wrap(b, node.unsigned)
    if node.op == "to_unsigned":
        return concrete(node.args[0], thread, env) % 2**32
    a, b = (concrete(arg, thread, env) for arg in node.args)
    if node.op in COMPARE:
        return int(COMPARE[node.op](a, b))
    if node.op in ("/", "%"):
        if b == 0:
            raise Undefined
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrap(quotient if node.op == "/" else a - quotient * b, node.unsigned)
    if node.op in ("<<", ">>"):
        if not 0 <= b < 32:
            raise Undefined
        return wrap(a << b if node.op == "<<" else a >> b, node.unsigned)
    ring = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}
    return wrap(ring[node.op], node.unsigned)


COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


# --- the abstract side ------------------------------------------------------------------------------------------


class Abstract:
    """The domain's evaluation of the same expressions."""

    def __init__(self, shape: tuple[int, int, int], grain: int) -> None:
        self.arithmetic = Arithmetic(make_shape(shape), SymbolSource())
        self.symbols = {
            name: self.arithmetic.source.fresh(
                name, Level.BLOCK, SymbolKind.PARAMETER, 0, 2**31 - 1, grain if name == "m" else 1
            )
            for name in PARAMETERS
        }

    def value(self, node: Node) -> Integer:
        type_: ScalarType = UINT if node.unsigned else INT
        if node.op == "const":
            return self.arithmetic.constant(node.value, type_)
        if node.op in "xyz":
            return Integer(pl.constant(self.arithmetic.shape.thread["xyz".index(node.op)]))
        if node.op in PARAMETERS:
            return Integer(pl.of_symbol(self.symbols[node.op]))
        args = [self.value(arg) for arg in node.args]
        kind = UINT if node.args[-1].unsigned else INT
        result: object
        if node.op == "select":
            test = self.arithmetic.test(args[0], INT)
            result = self.arithmetic.blend(test, args[1], args[2], type_)
        elif node.op == "to_unsigned":
            result = self.arithmetic.convert(args[0], INT, UINT)
        elif node.op in COMPARE:
            result = self.arithmetic.truth(self.arithmetic.compare(node.op, args[0], args[1], kind))
        elif node.op in ("+", "-", "*"):
            result = self.arithmetic.ring(node.op, args[0], args[1], type_)
        elif node.op in ("/", "%"):
            result = self.arithmetic.divide(node.op, args[0], args[1], type_)
        elif node.op in ("<<", ">>"):
            result = self.arithmetic.shift(node.op, args[0], args[1], type_)
        else:
            result = self.arithmetic.bitwise(node.op, args[0], args[1], type_)
        assert isinstance(result, Integer)
        return result


# --- random expressions -----------------------------------------------------------------------------------------

CONSTANTS = st.sampled_from([0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 100, 255, 1024])


@st.composite
def expressions(draw: st.DrawFn, depth: int, unsigned: bool) -> Node:
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        leaf = draw(st.sampled_from(["x", "y", "z", "n", "m", "const"]))
        if leaf == "const":
            return Node("const", (), draw(CONSTANTS), unsigned)
        inner = Node(leaf)
        return Node("to_unsigned", (inner,), 0, True) if unsigned else inner
    op = draw(st.sampled_from(["+", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "select", *COMPARE]))
    if op in COMPARE and unsigned:
        op = "+"
    if op in ("/", "%", "<<", ">>") and draw(st.booleans()):
        right = Node("const", (), draw(CONSTANTS), unsigned)
    else:
        right = draw(expressions(depth - 1, unsigned))
    left = draw(expressions(depth - 1, unsigned))
    if op == "select":
        return Node(op, (draw(expressions(depth - 1, False)), left, right), 0, unsigned)
    return Node(op, (left, right), 0, unsigned)


def base_value(poly: pl.Poly, lane: int, env: dict[Symbol, int]) -> int:
    """The polynomial's value for one lane, all of whose symbols are in `env`."""
    total = 0
    for monomial, coefficient in poly.terms.items():
        term = coefficient if isinstance(coefficient, int) else int(coefficient[lane])
        for symbol in monomial:
            term *= env[symbol]
        total += term
    return total


@pytest.mark.parametrize("unsigned", [False, True])
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_concrete_values_lie_in_the_abstract_value(unsigned: bool, data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(SHAPES))
    grain = data.draw(st.sampled_from([1, 8, 32]))
    node = data.draw(expressions(3, unsigned))
    env = {
        "n": data.draw(st.one_of(st.integers(0, 70), st.integers(0, 2**20))),
        "m": grain * data.draw(st.integers(0, 40)),
    }
    abstract = Abstract(shape, grain)
    value = abstract.value(node)
    check_contains(abstract, value, node, env, UINT if unsigned else INT)


def check_contains(abstract: Abstract, value: Integer, node: Node, env: dict[str, int], type_: ScalarType) -> None:
    shape = abstract.arithmetic.shape
    lanes = [lane for lane in range(shape.padded) if shape.real[lane]]
    threads = [tuple(int(axis[lane]) for axis in shape.thread) for lane in lanes]
    try:
        expected = [concrete(node, thread, env) for thread in threads]  # type: ignore[arg-type]
    except Undefined:
        assume(False)
    least, greatest = (np.broadcast_to(np.asarray(end), shape.padded) for end in lane_bounds(value, type_))
    for lane, want in zip(lanes, expected, strict=True):
        assert least[lane] <= want <= greatest[lane], (lane, want, least[lane], greatest[lane])
    known = {abstract.symbols[name]: env[name] for name in PARAMETERS}
    derived = value.poly.symbols() - set(known)
    if value.exact:
        assert_level(level_of(value), expected)
    if not derived:
        modulus = None if value.exact else 2**value.bits  # type: ignore[operator]
        for lane, want in zip(lanes, expected, strict=True):
            got = base_value(value.poly, lane, known)
            assert got == want if modulus is None else (got - want) % modulus == 0, (lane, got, want)
    elif len(derived) == 1 and value.exact:
        check_derived(value, min(derived), known, lanes, expected)


def assert_level(level: Level, values: list[int]) -> None:
    if level is Level.BLOCK:
        assert len(set(values)) == 1
    if level is Level.WARP:
        for start in range(0, len(values), 32):
            assert len(set(values[start : start + 32])) == 1


def check_derived(
    value: Integer, symbol: Symbol, known: dict[Symbol, int], lanes: list[int], expected: list[int]
) -> None:
    """Solves P = want for the one derived symbol, and checks what is claimed of it."""
    if any(monomial.count(symbol) > 1 for monomial in value.poly.terms):
        check_power(value, symbol, known, lanes, expected)
        return
    solved: list[int] = []
    for lane, want in zip(lanes, expected, strict=True):
        at_zero = base_value(value.poly, lane, {**known, symbol: 0})
        at_one = base_value(value.poly, lane, {**known, symbol: 1})
        if at_one - at_zero == 0:
            assert at_zero == want
            continue
        if symbol.kind is SymbolKind.CHOICE or (want - at_zero) % (at_one - at_zero) == 0:
            solution = (want - at_zero) // (at_one - at_zero)
            assert at_zero + solution * (at_one - at_zero) == want
            assert symbol.low is None or symbol.low <= solution
            assert symbol.high is None or solution <= symbol.high
            assert solution % symbol.modulus == symbol.residue
            solved.append(solution)
        else:
            raise AssertionError("no value of the symbol gives the concrete value")
    if symbol.level is Level.BLOCK and len(solved) > 1:
        assert len(set(solved)) == 1


def check_power(
    value: Integer, symbol: Symbol, known: dict[Symbol, int], lanes: list[int], expected: list[int]
) -> None:
    """The same where the symbol is multiplied by itself: one of the values that it may have gives the concrete one."""
    degree = max(monomial.count(symbol) for monomial in value.poly.terms)
    for lane, want in zip(lanes, expected, strict=True):
        at = [base_value(value.poly, lane, {**known, symbol: v}) - want for v in range(degree + 1)]
        roots = np.roots(np.polyfit(np.arange(degree + 1), np.array(at, dtype=float), degree)).real if any(at) else [0]
        near = {int(np.rint(root)) + off for root in roots for off in (-1, 0, 1)}
        assert any(
            base_value(value.poly, lane, {**known, symbol: v}) == want
            and (symbol.low is None or symbol.low <= v)
            and (symbol.high is None or v <= symbol.high)
            and v % symbol.modulus == symbol.residue
            for v in near
        ), (lane, want, near)


def test_unsigned_difference_as_a_range_check() -> None:
    """unsigned j = threadIdx.x - n; j < 32u is not decided by pretending that j is threadIdx.x - n."""
    abstract = Abstract((64, 1, 1), 1)
    j = Node("-", (Node("to_unsigned", (Node("x"),), 0, True), Node("to_unsigned", (Node("n"),), 0, True)), 0, True)
    test = Node("<", (j, Node("const", (), 32, True)), 0, False)
    value = abstract.value(test)
    for n in (0, 5, 40, 1000):
        check_contains(abstract, value, test, {"n": n, "m": 0}, INT)


def test_division_truncates_towards_zero() -> None:
    abstract = Abstract((64, 1, 1), 1)
    node = Node("/", (Node("-", (Node("x"), Node("const", (), 33))), Node("const", (), 4)))
    value = abstract.value(node)
    assert value.exact and value.poly.is_constant
    check_contains(abstract, value, node, {"n": 0, "m": 0}, INT)
