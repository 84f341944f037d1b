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
from analysis_core.support.store import Stage, Store

PIECES: Stage[int, tuple[Stmt, Packed]] = Stage("statements packed", 8_000_000, lambda piece: piece[1].size)
"""Statements by their identity, which stays their own since they are held; in bytes."""


def pack_kernel(kernel: Kernel, store: Store) -> Packed:
    """The kernel in bytes, to be read by `unpack_kernel`."""
    if len(kernel.body) < store.long:
        return _joined([pack(kernel)])
    return _joined([pack(replace(kernel, body=())), *(_piece(stmt, store) for stmt in kernel.body)])


def _piece(stmt: Stmt, store: Store) -> Packed:
    known = store.get(PIECES, id(stmt))
    if known is None:
        known = stmt, pack(stmt)
        store.put(PIECES, id(stmt), known)
    return known[1]


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
