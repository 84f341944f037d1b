"""What compilers hold at once because they load ahead: all that one piece of code loads is asked for before the first of it is used.

    for (int i = 0; i < n; i++) sum += in[i];      4 rounds are made one, and again 4 of these: 16 words, one address

A piece of code ends at barriers, at branches, and for memory that may be the same at stores.  Rounds differ by a constant, so that one address
serves them all, or have an address each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from analysis_core.ir.effects import lets_others_in
from analysis_core.ir.layout import size_of
from analysis_core.ir.loop_info import LoopInfo, loops_of
from analysis_core.ir.nodes import (
    Access,
    AccessId,
    AddressOf,
    Assign,
    Binary,
    Block,
    Builtin,
    Cast,
    Const,
    Expr,
    If,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Store,
    Switch,
    Unary,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.straight_lines import rounds_of, straight_lines
from analysis_core.ir.types import ScalarType, Space, Type
from analysis_core.ir.walk import blocks_of, fold, subexpressions
from analysis_core.text.records import dataclass

ROUNDS = 4
"""Rounds that nvcc makes one of where their number is not known, if it is not told another; of what has no branches and stores nothing ptxas does so once more."""

_ADDRESS = 2
"""Words of an address of global memory."""


def words_of(type_: Type) -> int:
    return max(1, -(-(size_of(type_) or 4) // 4))


def words_ahead(kernel: Kernel) -> Mapping[AccessId, int]:
    """By the first access of each piece of code, what it loads and the addresses of its rounds, in words."""
    walk = _Pieces(kernel)
    walk.block(kernel.body, _Piece(0, 1, frozenset(), False))
    return walk.words()


@dataclass(frozen=True, slots=True)
class _Piece:
    """`scope`: what branches and loops hold it; `copies` of it in a row; `counters` of the loops of which these are rounds; `stores`: one of these stores to global memory."""

    scope: int
    copies: int
    counters: frozenset[VarId]
    stores: bool


class _Pieces:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.scopes, self.stretch, self.stored = kernel, 0, 0, 0
        self.loops = {id(info.loop): info for info in loops_of(kernel)}
        self.unrolled = straight_lines(kernel).unrolled
        self.shared = {one.id for one in kernel.objects if one.space is not Space.GLOBAL}
        self.numbers: dict[tuple[object, ...], int] = {}
        self.follows: dict[VarId, bool] = {}
        self.firsts: dict[tuple[int, int], AccessId] = {}
        self.addresses: dict[tuple[int, int], dict[int, int]] = {}
        self.loaded: dict[tuple[int, int], Counter[int]] = {}

    def block(self, block: Block, piece: _Piece) -> None:
        for stmt in block:
            self.stretch += lets_others_in(stmt)
            match stmt:
                case Loop():
                    self.loop(stmt, piece)
                case If() | Switch():
                    for inner in blocks_of(stmt):
                        self.block(inner, replace(piece, scope=self.fresh()))
                case Load(vars=several, address=address, access=access):
                    self.access(access, address, sum(words_of(self.kernel.variables[v].type) for v in several), piece)
                case Store(address=address, access=access):
                    self.access(access, address, 0, piece)
                    self.stored += self.is_global(address)
                case Assign(var=var, value=value):
                    step = self.stepping(value, piece.counters)
                    self.follows.pop(var, None) if step is None else self.follows.update({var: step})
                case _:
                    for inner in blocks_of(stmt):
                        self.block(inner, piece)

    def fresh(self) -> int:
        self.scopes += 1
        return self.scopes

    def loop(self, loop: Loop, piece: _Piece) -> None:
        info = self.loops[id(loop)]
        inside = info.inside
        stores = any(isinstance(one, Store) and self.is_global(one.address) for one in inside)
        counters = frozenset() if info.counter is None else frozenset((info.counter.var,))
        if loop.whole in self.unrolled:
            inner = _Piece(
                piece.scope, piece.copies * (rounds_of(info) or 1), piece.counters | counters, piece.stores or stores
            )
        else:
            inner = _Piece(self.fresh(), self.rounds(info), counters, stores)
        for part in (loop.test, loop.body, loop.step):
            self.block(part, inner)
        if loop.whole not in self.unrolled:
            self.stretch += 1

    def rounds(self, info: LoopInfo) -> int:
        """Those of a loop that are made one, though it stays a loop."""
        loop = info.loop
        if loop.unroll is not None:
            return max(1, loop.unroll)
        inner = (one for one in info.inside if isinstance(one, Loop) and one.whole not in self.unrolled)
        if info.counter is None or any(map(lets_others_in, info.inside)) or any(inner):
            return 1
        alone = not any(isinstance(one, (If, Switch, Store)) for one in info.inside)
        return ROUNDS * ROUNDS if alone else ROUNDS

    def access(self, access: Access, address: Expr, words: int, piece: _Piece) -> None:
        outside = self.is_global(address)
        waits = outside and not self.is_restrict(address)
        apart = self.stepping(address, piece.counters) is False
        code = (piece.scope, self.stretch)
        self.firsts.setdefault(code, access.id)
        self.addresses.setdefault(code, {})[self.number(address)] = (_ADDRESS if outside else 1) * (
            piece.copies if apart else 1
        )
        if not access.deferred:
            loaded = self.loaded.setdefault(code, Counter())
            loaded[self.stored if waits else -1] += words * (1 if waits and piece.stores else piece.copies)

    def words(self) -> dict[AccessId, int]:
        """What is loaded between two stores is there at once, beside what does not wait for them."""
        found = dict[AccessId, int]()
        for code, first in self.firsts.items():
            loaded = self.loaded.get(code, Counter())
            most = max((words for stores, words in loaded.items() if stores >= 0), default=0)
            found[first] = most + loaded[-1] + sum(self.addresses[code].values())
        return found

    def stepping(self, value: Expr, counters: Set[VarId]) -> bool | None:
        """Whether rounds differ by a constant in it; None where they do not differ."""

        def combine(node: Expr, below: Sequence[bool | None]) -> bool | None:
            if isinstance(node, Local):
                return True if node.var in counters else self.follows.get(node.var)
            if all(one is None for one in below):
                return None
            constant = all(one is not False for one in below)
            match node:
                case Binary(op="+" | "-", type=ScalarType(signed=True)) | PtrAdd():
                    return constant
                case Binary(op="*" | "<<", right=Const(), type=ScalarType(signed=True)):
                    return constant
                case Binary(op="*", left=Const(), type=ScalarType(signed=True)):
                    return constant
                case Cast(type=type_):
                    return constant and (size_of(type_) or 0) >= 4
                case _:
                    return False

        return fold(value, combine)

    def number(self, address: Expr) -> int:
        """One for all addresses that differ by what instructions add as a constant."""

        def combine(node: Expr, below: Sequence[int]) -> int:
            match node:
                case Cast() | PtrAdd(index=Const()) | Binary(op="+" | "-", right=Const()):
                    return below[0]
                case Binary(op="+", left=Const()):
                    return below[1]
                case _:
                    return self.numbers.setdefault((_own(node), *below), len(self.numbers))

        return fold(address, combine)

    def is_global(self, address: Expr) -> bool:
        roots = [node.object for node in subexpressions(address) if isinstance(node, AddressOf)]
        return not roots or not all(root in self.shared for root in roots)

    def is_restrict(self, address: Expr) -> bool:
        named = (node.var for node in subexpressions(address) if isinstance(node, Local))
        return any(self.kernel.variables[var].is_restrict for var in named)


def _own(node: Expr) -> object:
    """What tells a node from others with the same operands."""
    match node:
        case Local(var=var):
            return var
        case Builtin(kind=kind, axis=axis):
            return kind, axis
        case Const(value=value):
            return type(node), value
        case AddressOf(object=object_):
            return type(node), object_
        case Unary(op=word) | Binary(op=word) | Intrinsic(name=word):
            return type(node), word
        case UnknownExpr():
            return type(node), id(node)
        case _:
            return type(node)
