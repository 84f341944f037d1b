"""Every operator on every integer type, through the whole front end: text, reader, lowering, interpreter.

A kernel writes one byte at `out[expression]` for some random expressions, so that the address of the store is the value.
The values of all threads, computed by `c_expressions` on Python integers, must lie in the address polynomial, and those of
`if (expression)` in the branch's condition (tests/properties/kernels/containment.py).
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis_core.interp.core.events import Events
from analysis_core.text.span import Span
from tests.properties.c_expressions import (
    PARAMETERS,
    SHAPES,
    Node,
    Undefined,
    environments,
    evaluate,
    expressions,
    threads,
    to_text,
)
from tests.properties.kernels.comparison import analyse
from tests.properties.kernels.containment import Known, holds, truth

BASE = 1 << 20


def kernel_text(nodes: list[Node]) -> str:
    parameters = "".join(f", {t.name} {name}" for name, t in PARAMETERS.items())
    body = "".join(f"    out[(long long)({to_text(n)})] = 1;\n    if ({_bare(n)}) out[0] = 2;\n" for n in nodes)
    return f"__global__ void k(char *out{parameters}) {{\n{body}}}\n"


CASES = (
    st.lists(expressions(3), min_size=3, max_size=3),
    st.sampled_from(SHAPES),
    st.lists(environments(), min_size=3, max_size=3),
    st.booleans(),
)
"""Expressions of one kernel, its block, values of its parameters, whether the analysis is given the first of them."""


@settings(max_examples=80, deadline=None)
@given(*CASES)
def test_values_of_all_threads_lie_in_the_abstract_value(
    nodes: list[Node], shape: tuple[int, int, int], samples: list[dict[str, int]], given_values: bool
) -> None:
    examine(nodes, shape, samples, given_values)


@pytest.mark.nightly
@settings(max_examples=4000, deadline=None)
@given(*CASES)
def test_values_of_all_threads_lie_in_the_abstract_value_at_night(
    nodes: list[Node], shape: tuple[int, int, int], samples: list[dict[str, int]], given_values: bool
) -> None:
    examine(nodes, shape, samples, given_values)


def examine(nodes: list[Node], shape: tuple[int, int, int], samples: list[dict[str, int]], given_values: bool) -> None:
    """Analyses the kernel of the expressions once and compares it with every sample."""
    text = kernel_text(nodes)
    values = samples[0] if given_values else {}
    _, events = analyse(text, shape, values)
    for node in nodes:
        for env in samples[:1] if given_values else samples:
            try:
                expected = [evaluate(node, thread, env) for thread in threads(shape)]
            except Undefined:
                continue
            check(node, expected, events, text, {**env, "&out": BASE})


def check(node: Node, expected: list[int], events: Events, text: str, numbers: dict[str, int]) -> None:
    """The store at `out[node]` and the branch on it hold the values of all threads."""
    known = Known(numbers)
    spelled = to_text(node)
    stores = [e for e in events.accesses if _spelled(text, e.access.span) == f"out[(long long)({spelled})]"]
    branches = [e for e in events.branches if _spelled(text, e.span) == _bare(node)]
    assert stores and branches, spelled
    for warp in range(-(-len(expected) // 32)):
        mine = expected[32 * warp : 32 * warp + 32]
        lanes = np.arange(32) < len(mine)
        addresses = [BASE + v for v in mine]
        e = stores[0]
        assert holds(e.address.poly, e.address.bits, warp, lanes, addresses, known), (spelled, numbers, warp, mine)
        said = truth(branches[0].conditions[0], warp, known)
        wrong = [i for i, v in enumerate(mine) if said[i] not in (None, v != 0)]
        assert not wrong, (spelled, numbers, warp, wrong)


def _spelled(text: str, span: Span) -> str:
    return text[span.start : span.end]  # ASCII: bytes are characters


def _bare(node: Node) -> str:
    """The text without its outermost parentheses, which are no part of a condition's place."""
    text = to_text(node)
    return text[1:-1] if text.startswith("(") and node.op != "cast" else text
