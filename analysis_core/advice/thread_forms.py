"""Values as functions of a thread's global numbers, or of how threads are grouped into blocks.

    threadIdx.x + 256*blockIdx.x            in blocks of 256: the global number, whatever the block
    threadIdx.x + 256*blockIdx.x            in blocks of 128: no function of it
    row*w + col                             of two global numbers and a parameter: one of them, too

A form is a sum  c_m * m * raw  over the raw numbers threadIdx, blockIdx, blockDim, gridDim, with products m of what is the same for all
blocks, and a part of its own that is a function of global numbers and parameters.  It is *settled* if for each axis and m the number that
multiplies blockIdx is that of threadIdx times the block's extent: then it is such a function as a whole.  Parts are known by digests of
the operations that made them, so that equal texts of two shapes can be told from different ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from hashlib import blake2b

from analysis_core.ir.nodes import BuiltinKind
from analysis_core.machine.block_shape import Shape
from analysis_core.text.records import dataclass

Raw = tuple[BuiltinKind, int, tuple[str, ...]]
"""Which number, its axis, and the digests of what it is multiplied with."""

THREAD, BLOCK, EXTENT, GRID = (
    BuiltinKind.THREAD_IDX,
    BuiltinKind.BLOCK_IDX,
    BuiltinKind.BLOCK_DIM,
    BuiltinKind.GRID_DIM,
)


@dataclass(frozen=True, slots=True)
class Form:
    """`own`: a number, or the digest of the part that all blocks agree on.  `why`: how it depends on the block, "" if it does not as far as
    `raw` is settled."""

    raw: Mapping[Raw, int] = field(default_factory=dict)
    own: int | str = 0
    why: str = ""

    @property
    def number(self) -> int | None:
        return self.own if not self.raw and not self.why and isinstance(self.own, int) else None


def digest(*parts: object) -> str:
    """A name of what was made from these."""
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def dependent(why: str) -> Form:
    return Form(why=why)


def builtin(kind: BuiltinKind, axis: int) -> Form:
    return Form({(kind, axis, ()): 1})


def added(a: Form, b: Form, sign: int = 1) -> Form:
    if a.why or b.why:
        return a if a.why else b
    raw = dict(a.raw)
    for key, number in b.raw.items():
        raw[key] = raw.get(key, 0) + sign * number
    own = _sum(a.own, b.own, sign)
    return Form({key: number for key, number in raw.items() if number}, own)


def _sum(a: int | str, b: int | str, sign: int) -> int | str:
    if isinstance(a, int) and isinstance(b, int):
        return a + sign * b
    if b == 0:
        return a
    return b if a == 0 and sign == 1 else digest("+" if sign == 1 else "-", a, b)


def multiplied(a: Form, b: Form, block: Shape) -> Form:
    if a.why or b.why:
        return a if a.why else b
    if not a.raw or not b.raw:
        return _scaled(b, a.own) if not a.raw else _scaled(a, b.own)
    for one, other in ((a, b), (b, a)):
        if len(one.raw) == 1 and one.own == 0:
            ((kind, axis, by), number) = next(iter(one.raw.items()))
            if kind is EXTENT and not by:  # blockIdx.x * blockDim.x
                return _scaled(other, number * block[axis])
    first, second = settled(a, block), settled(b, block)
    if first.why or second.why:
        return first if first.why else second
    return Form(own=digest("*", *sorted((str(first.own), str(second.own)))))


def _scaled(form: Form, by: int | str) -> Form:
    if isinstance(by, int):
        own: int | str = (
            form.own * by if isinstance(form.own, int) else form.own if by == 1 else digest("*", form.own, by)
        )
        return Form({key: number * by for key, number in form.raw.items() if by}, own if by else 0)
    raw = {(kind, axis, tuple(sorted((*more, by)))): number for (kind, axis, more), number in form.raw.items()}
    return Form(raw, 0 if form.own == 0 else by if form.own == 1 else digest("*", *sorted((str(form.own), by))))


def settled(form: Form, block: Shape) -> Form:
    """The form as a function of global numbers; one with `why` where it is none."""
    if form.why or not form.raw:
        return form
    seen: list[tuple[int, tuple[str, ...], int]] = []
    for kind, axis, by in form.raw:
        if kind is not THREAD and kind is not BLOCK:
            return dependent(f"`{kind.value}.{'xyz'[axis]}`")
        of_thread, of_block = form.raw.get((THREAD, axis, by), 0), form.raw.get((BLOCK, axis, by), 0)
        if of_block != of_thread * block[axis]:
            return dependent(_unbalanced(axis, of_thread, of_block))
        seen.append((axis, by, of_thread))
    return Form(own=digest("global", tuple(sorted(set(seen))), form.own))


def _unbalanced(axis: int, of_thread: int, of_block: int) -> str:
    letter = "xyz"[axis]
    if not of_block:
        return f"`threadIdx.{letter}` without `blockIdx.{letter}`"
    if not of_thread:
        return f"`blockIdx.{letter}` without `threadIdx.{letter}`"
    quotient, rest = divmod(of_block, of_thread)
    times = f"{of_block}/{of_thread}" if rest else str(quotient)
    return f"`threadIdx.{letter}` and {times}*`blockIdx.{letter}`"
