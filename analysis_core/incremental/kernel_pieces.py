"""The IR of a long kernel packed statement by statement, so that those of the last time need not be packed again.

Each outermost statement is a piece of its own, and so is all the rest.  What two statements share is then written down twice, and
whether it is one object or two equal ones makes no difference to the fingerprint: statements that were taken over from
another lowering (lower/relowering.py) share less.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise

from analysis_core.ir.nodes import Kernel, Stmt
from analysis_core.support.packing import Packed, pack, unpack

LONG = 24
"""Outermost statements of a kernel that is worth the trouble."""


class Pieces:
    """Packs kernels, and keeps the pieces of the last two long ones.  `long`: outermost statements from which on they are packed one
    by one."""

    def __init__(self, long: int = LONG) -> None:
        self._long = long
        self._known: dict[
            int, tuple[Stmt, Packed]
        ] = {}  # by identity; the statements are held, so that it stays their own
        self._older: dict[int, tuple[Stmt, Packed]] = {}

    def pack(self, kernel: Kernel) -> Packed:
        """The kernel in bytes, to be read by `unpack_kernel`."""
        if len(kernel.body) < self._long:
            return _joined([pack(kernel)])
        known = {id(stmt): self._piece(stmt) for stmt in kernel.body}
        self._known, self._older = known, self._known
        return _joined([pack(replace(kernel, body=())), *(piece for _, piece in known.values())])

    def _piece(self, stmt: Stmt) -> tuple[Stmt, Packed]:
        return self._known.get(id(stmt)) or self._older.get(id(stmt)) or (stmt, pack(stmt))


def unpack_kernel(packed: Packed) -> Kernel:
    """The kernel at the packed places."""
    data, counts = pickle.loads(packed.data)
    ends = pairwise(accumulate(counts, initial=0))
    values = [unpack(Packed(one, packed.spans[a:b])) for one, (a, b) in zip(data, ends, strict=True)]
    kernel: Kernel = values[0]
    return kernel if len(values) == 1 else replace(kernel, body=tuple(values[1:]))


def _joined(pieces: Sequence[Packed]) -> Packed:
    whole = [piece.data for piece in pieces], [len(piece.spans) for piece in pieces]
    return Packed(pickle.dumps(whole, 5), tuple(chain.from_iterable(piece.spans for piece in pieces)))
