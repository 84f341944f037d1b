"""The integer functions that interpretation applies to known operands give what the simulator's, written apart, compute on the same bits."""

from __future__ import annotations

import random

import numpy as np
import pytest

from analysis_core.domains import polynomial as pl
from analysis_core.domains.shape import make_shape
from analysis_core.domains.thread_value import Integer, settle
from analysis_core.interp.core.bit_functions import NUMBERS, UNSIGNED, of_known
from analysis_core.ir.nodes import Const, Intrinsic
from analysis_core.ir.types import INT, LONG, UINT, ULONG, ScalarType
from analysis_core.simulate.integer_functions import INTEGER

SHAPE = make_shape((64, 1, 1))
WIDE = ("popc", "clz", "ctz", "ffs", "brev", "mulhi")
"""Those that exist for 64 bits, too."""

OPERANDS = {"byte_perm": 3, "sad": 3, "mulhi": 2, "hadd": 2, "rhadd": 2}
SIGNED_TOO = ("mulhi", "hadd", "rhadd", "sad")


def _types(name: str) -> list[tuple[ScalarType, ScalarType]]:
    """Types of the first operands and of the result."""
    counts = name in ("popc", "clz", "ctz", "ffs")
    types = [UINT, *([ULONG] if name in WIDE else []), *([INT] if name in SIGNED_TOO else [])]
    types += [LONG] if name == "mulhi" else []
    return [(t, INT if counts else UINT if name == "sad" else t) for t in types]


CASES = [(name, *types) for name in sorted({*UNSIGNED, *NUMBERS}) for types in _types(name)]


@pytest.mark.parametrize(("name", "operand", "result"), CASES, ids=[f"{n}-{t.size}{t.signed}" for n, t, _ in CASES])
def test_known_operands_have_the_value_that_the_simulator_computes(
    name: str, operand: ScalarType, result: ScalarType
) -> None:
    rng = random.Random(name)
    kind = np.dtype(f"{'i' if operand.signed else 'u'}{operand.size}")
    # Of unsigned 64-bit numbers those below 2^63 are known exactly.
    bits = 8 * operand.size - (operand == ULONG)
    edges = [0, 1, 2, 31, 32, 33, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1]
    count = OPERANDS.get(name, 3 if name.startswith("funnel") else 1)
    raw = [[*edges, *(rng.getrandbits(rng.randint(1, bits)) for _ in range(55))] for _ in range(count)]
    for column in raw[1:]:
        rng.shuffle(column)
    if name == "ctz":
        raw[0] = [word or 1 for word in raw[0]]  # of 0 it has no value
    arrays = [np.array(column, dtype=np.uint64).astype(kind) for column in raw]
    if name == "sad":
        arrays[2] = np.array(raw[2], dtype=np.uint64).astype(np.uint32)
    types = [UINT if name == "sad" and i == 2 else operand for i in range(count)]
    operands = [settle(pl.constant(a.astype(np.int64)), None, t) for a, t in zip(arrays, types, strict=True)]
    node = Intrinsic(name, tuple(Const(0, t) for t in types), result)
    found = of_known(node, operands, SHAPE)
    assert isinstance(found, Integer)
    expected = np.asarray(INTEGER[name](*arrays)).astype(np.int64)
    mask = (1 << (8 * result.size)) - 1
    words = pl.coefficient_vector(found.poly.constant, SHAPE.padded)
    assert [int(w) & mask for w in words] == [int(e) & mask for e in expected]


def test_what_is_not_known_in_every_thread_is_left_to_others() -> None:
    node = Intrinsic("brev", (Const(0, UINT),), UINT)
    assert of_known(node, [Integer(pl.constant(1), 8)], SHAPE) is None
    assert of_known(Intrinsic("sqrt", (Const(0, UINT),), UINT), [Integer(pl.constant(1))], SHAPE) is None
