"""The IR of a kernel in bytes, packed statement by statement where it is long, so that those of the last time need not be packed again.

Pieces of their own are its launches, the kernel with claims and that with other sizes (of which names count), each outermost statement of a long one, and all the rest.  What
two pieces share is then written down twice, and whether it is one object or two equal ones makes no difference to the fingerprint: statements and launches that were taken over from
another lowering (lower/relowering.py, host.py) share less.  `float` constants and names of variables are written apart, since most of them are no part
of the fingerprint (unread.py).
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from types import MappingProxyType
from typing import Any

from analysis_core.incremental.unread import Flow, flow_of, meanings, read_in, single_names, spelled
from analysis_core.ir.nodes import Const, Kernel, Stmt, Variable, VarId
from analysis_core.ir.types import Type
from analysis_core.support.packing import Packed, fingerprint, pack, unpack
from analysis_core.support.store import Stage, Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """`numbers`: the `float` constants, which `packed` speaks of by their numbers here."""

    packed: Packed
    numbers: tuple[str, ...]
    flows: tuple[Flow, ...]


PIECES: Stage[int, tuple[Stmt, _Piece]] = Stage("statements packed", 8_000_000, lambda piece: piece[1].packed.size)
"""Statements by their identity, which stays their own since they are held; in bytes."""


def pack_kernel(kernel: Kernel, store: Store) -> tuple[Packed, bytes]:
    """The kernel in bytes, to be read by `unpack_kernel`, and a digest of what of it the analysis reads."""
    launches, names = _piece_of(kernel.launches, ()), single_names(kernel)
    further = [_Piece(pack(one), (), ()) for one in (kernel.claimed, kernel.resized)]
    rest = replace(kernel, launches=(), claimed=None, resized=None)
    if len(kernel.body) < store.long:
        return _joined([launches, *further, _piece_of(rest, kernel.body, names)], names)
    head = _piece_of(replace(rest, body=()), (), names)
    return _joined([launches, *further, head, *(_piece(stmt, store) for stmt in kernel.body)], names)


def _piece(stmt: Stmt, store: Store) -> _Piece:
    known = store.get(PIECES, id(stmt))
    if known is None:
        known = stmt, _piece_of(stmt, (stmt,))
        store.put(PIECES, id(stmt), known)
    return known[1]


def _piece_of(value: object, body: Sequence[Stmt], names: Mapping[VarId, str] = MappingProxyType({})) -> _Piece:
    """`names`: those that are left out."""
    numbers: dict[str, int] = {}

    def reduced(const: Const) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        if not isinstance(const.value, float):
            return Const, (const.value, const.type)
        return _number, (numbers.setdefault(spelled(const.value), len(numbers)), const.type)

    def nameless(one: Variable) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        if one.id in names:
            return _variable, (one.id, one.type, one.span)
        return Variable, (one.id, one.name, one.type, one.span, one.parameter)

    packed = pack(value, {Const: reduced, Variable: nameless})
    return _Piece(packed, tuple(numbers), tuple(map(flow_of, body)))


def _number(number: int, type: Type) -> Const:
    """How a `float` constant is written: as a call of this, which whoever reads answers from the list of numbers."""
    raise pickle.UnpicklingError(f"constant {number} without its list")


def _variable(number: VarId, type: Type, span: Span) -> Variable:
    """How a variable is written whose name stands apart."""
    raise pickle.UnpicklingError(f"variable {number} without its name")


def unread_names(packed: Packed) -> tuple[str, ...]:
    """The names of a packed kernel that are no part of its fingerprint, in order."""
    *_, unread = pickle.loads(packed.data)
    return tuple(unread)


def unpack_kernel(packed: Packed) -> Kernel:
    """The kernel at the packed places."""
    data, counts, numbers, names, _ = pickle.loads(packed.data)
    ends = pairwise(accumulate(counts, initial=0))

    def value(piece: bytes, a: int, b: int, own: Sequence[str]) -> Any:
        def const(number: int, type: Type) -> Const:
            return Const(float.fromhex(own[number]), type)

        def variable(number: VarId, type: Type, span: Span) -> Variable:
            return Variable(number, names[number], type, span)

        return unpack(Packed(piece, packed.spans[a:b]), {_number.__name__: const, _variable.__name__: variable})

    values = [value(one, a, b, own) for one, (a, b), own in zip(data, ends, numbers, strict=True)]
    launches, claimed, resized, kernel, *body = values
    further = {"launches": launches, "claimed": claimed, "resized": resized}
    whole: Kernel = replace(kernel, **further, body=(*kernel.body, *body))
    return whole


def _joined(pieces: Sequence[_Piece], names: Mapping[VarId, str]) -> tuple[Packed, bytes]:
    data, counts = [piece.packed.data for piece in pieces], [len(piece.packed.spans) for piece in pieces]
    spans = tuple(chain.from_iterable(piece.packed.spans for piece in pieces))
    numbers = [piece.numbers for piece in pieces]
    variables, read = read_in([flow for piece in pieces for flow in piece.flows])
    seen = meanings(list(chain.from_iterable(numbers)), read)
    named = [name for var, name in names.items() if var in variables]
    unread = [name for var, name in names.items() if var not in variables]
    digest = fingerprint(Packed(pickle.dumps((data, counts), 5), spans), seen, named)
    return Packed(pickle.dumps((data, counts, numbers, dict(names), unread), 5), spans), digest
