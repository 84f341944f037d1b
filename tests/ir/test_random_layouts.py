"""Random records against g++: sizes, alignments and where members lie.  What is not certain is an unknown, never another number."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from analysis_core.ir.nodes import Const, Expr, Kernel, PtrAdd, Store, UnknownExpr
from analysis_core.ir.walk import statements
from tests.ir import gpp
from tests.ir.lowering import kernel
from tests.ir.random_records import Records

COUNT = 40
"""Records in one program."""


def _offset(address: Expr) -> int | None:
    total = 0
    while isinstance(address, PtrAdd):
        if not isinstance(address.index, Const) or not isinstance(address.scale, Const):
            return None
        total += int(address.index.value) * int(address.scale.value) + address.offset
        address = address.pointer
    return None if isinstance(address, UnknownExpr) else total


def answers(records: Records, places: list[tuple[str, str]]) -> tuple[list[int | None], list[int | None]]:
    """Sizes and alignments in turn; offsets of places.  None: not known."""
    sizes = " ".join(f"o[0] = sizeof({r.name}); o[0] = alignof({r.name});" for r in records.made)
    parameters = "".join(f", {r.name} *p{r.name}" for r in records.made)
    stores = " ".join(f"p{record}->{member} = {{}};" for record, member in places)
    found: Kernel = kernel(f"{records.text()}\n__global__ void k(long long *o{parameters}) {{ {sizes} {stores} }}")
    made = [stmt for stmt in statements(found.body) if isinstance(stmt, Store)]
    values = [stmt.values[0] for stmt in made[: 2 * len(records.made)]]
    known = [int(v.value) if isinstance(v, Const) else None for v in values]
    return known, [_offset(stmt.address) for stmt in made[2 * len(records.made) :]]


@pytest.mark.parametrize("settled", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_random_records_lie_where_the_compiler_puts_them(seed: int, settled: bool, tmp_path: Path) -> None:
    """`settled`: nothing that compilers lay out differently, so that every question has an answer."""
    records = Records(Random(seed), COUNT, settled)
    places = [(r.name, member) for r in records.made if not r.virtual for member in r.scalars]
    questions = [q for r in records.made for q in (f"sizeof({r.name})", f"alignof({r.name})")]
    offsets = [f"__builtin_offsetof({record}, {member})" for record, member in places]
    theirs = gpp.integers(records.text(), [*questions, *offsets], tmp_path)
    sizes, lies = answers(records, places)
    ours = dict(zip([*questions, *offsets], [*sizes, *lies], strict=True))
    wrong = {q: (ours[q], t) for q, t in zip(ours, theirs, strict=True) if ours[q] not in (None, t)}
    assert not wrong, records.text()
    assert not settled or None not in ours.values()
