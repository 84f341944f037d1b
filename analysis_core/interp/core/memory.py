"""Loads, stores and atomics: what a loaded value may be, and the events that accesses leave behind.

A load gives a symbol of kind DATA that is block-uniform only from a block-uniform address
and memory that nothing in the kernel may write; warp-uniform from a warp-uniform address; else each lane its own.
The same address in the same epoch of memory gives the same value.  Elements of local arrays at known offsets are
followed exactly, as cells of the environment.

Shared memory that no thread has written since the last barrier of the block is as good as memory that nothing writes,
if there is no data race on it (a listed assumption, since a faster warp may be writing it already).  Which shared
arrays are so is part of the environment (settled.py).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains import unseen
from analysis_core.domains.alike_lanes import alike_lanes
from analysis_core.domains.mask import Mask
from analysis_core.domains.recombine import recombined
from analysis_core.domains.shape import BoolVector, IntVector, every
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.domains.thread_value import (
    Integer,
    Other,
    Value,
    integer_range,
    is_integral,
    keeps_distances,
    level_of,
)
from analysis_core.expressions import expression as ex
from analysis_core.interp.core import just_stored, settled
from analysis_core.interp.core.events import AccessEvent, AccessKind, Held
from analysis_core.interp.core.roots import LOADED, Root
from analysis_core.interp.core.state import Cell, Run, without
from analysis_core.interp.core.subarrays import Row
from analysis_core.interp.core.trace import UNCOUNTED, Accessed, Awaited, Barred
from analysis_core.interp.core.transfer import evaluate, evaluate_address
from analysis_core.ir.layout import align_of, size_of
from analysis_core.ir.nodes import (
    Access,
    Atomic,
    Barrier,
    Const,
    Fence,
    Load,
    Loop,
    ObjectId,
    Store,
    VarId,
)
from analysis_core.ir.types import ArrayType, PointerType, ScalarType, Space, Type
from analysis_core.support.facts import ALL_REACH, INSIDE_ARRAYS, Cause, CauseKind


def load(run: Run, stmt: Load) -> None:
    """Assigns the loaded components and records the request."""
    address = evaluate_address(run, stmt.address)
    root, space = _place(run, address)
    own = just_stored.value_there(run, stmt.access, address, root, space) if len(stmt.vars) == 1 else None
    _record(run, stmt, AccessKind.READ, address, root, space, own is not None)
    cell = _cell(address, root, stmt.access.type) if len(stmt.vars) == 1 else None
    if cell is not None and space is Space.LOCAL and cell in run.env:
        run.env[stmt.vars[0]] = run.env[cell]
        return
    if own is not None:
        run.env[stmt.vars[0]] = own
        return
    for var, value in zip(stmt.vars, _loaded(run, stmt, address, root, space), strict=True):
        run.env[var] = value


def _loaded(run: Run, stmt: Load, address: Integer, root: Root | None, space: Space) -> tuple[Value, ...]:
    level = pl.level(address.poly)
    stable = root is not None and root != LOADED and not run.roots.may_write(root)
    stable = stable or _is_constant_object(run, root)
    if not (level is Level.BLOCK and (stable or _is_settled(run, root, stmt))):
        level = max(level, Level.WARP)
    if space is Space.LOCAL:
        level = Level.LANE
    types = tuple(run.kernel.variables[var].type for var in stmt.vars)
    key: Hashable = (address.poly.key(), address.bits, types, level, None if stable else run.epoch)
    run.asked.append(key)
    if not stmt.access.volatile and key in run.loads and len(run.loads[key]) == len(stmt.vars):
        return run.loads[key]
    kind = CauseKind.ANALYSIS if space is Space.LOCAL else CauseKind.DATA
    where = "kept in a local array" if space is Space.LOCAL else "loaded from memory"
    cause = Cause(kind, f"`{stmt.access.text}` is {where}", stmt.access.span)
    own = level is Level.LANE and space is not Space.LOCAL and keeps_distances(address.bits)
    if own and (why := _by_unseen(run, address, stmt)) is not None:
        cause = why
    together = alike_lanes(address.poly) if own else None
    values = tuple(
        loaded_value(run, run.kernel.variables[var].type, Level(level), cause, together) for var in stmt.vars
    )
    if stmt.access.volatile:
        return values
    if run.arithmetic.earlier is not None:
        values = run.arithmetic.earlier.loaded(key, values, run.bases)
    run.loads[key] = values
    return values


def _by_unseen(run: Run, address: Integer, stmt: Load) -> Cause | None:
    """Why lanes may well load one value, where a constant that nobody sees decides it."""
    names = run.statics.unseen
    why = unseen.apart_by_unseen(address.poly, names, run.arithmetic.derivations) if names else None
    return None if why is None else replace(why, span=stmt.access.span)


def _is_settled(run: Run, root: Root | None, stmt: Load) -> bool:
    """Whether all threads of the block read the same from one address, unless there is a race."""
    if stmt.access.volatile or not isinstance(root, tuple) or not settled.is_settled(run.env, root[1]):
        return False
    run.assume_that(f"no data race on `{run.kernel.objects[root[1]].name}`")
    return True


def loaded_value(run: Run, type_: Type, level: Level, cause: Cause, alike: IntVector | None = None) -> Value:
    """A fresh value of the type. A pointer from memory is aligned to its element and assumed to lead to global memory.
    `alike`: the lanes that share the value, as in `Symbol`."""
    if isinstance(type_, PointerType):
        alignment = align_of(type_.target) or 1
        symbol = run.arithmetic.source.fresh("*", level, SymbolKind.DATA, 0, None, alignment, cause=cause, alike=alike)
        run.bases[symbol] = LOADED
        run.assume_that("pointers that are loaded from memory lead to global memory")
        return Integer(pl.of_symbol(symbol))
    if not is_integral(type_):
        data = cause.kind is CauseKind.DATA
        return Other(
            level, data, cause, own=level is Level.LANE, alike=alike
        )  # in a local array, whatever was put there
    low, high = integer_range(type_)
    kind = SymbolKind.DATA if cause.kind is CauseKind.DATA else SymbolKind.UNKNOWN
    return Integer(
        pl.of_symbol(run.arithmetic.source.fresh(unseen.LOADED, level, kind, low, high, cause=cause, alike=alike))
    )


def store(run: Run, stmt: Store) -> None:
    """Records the request and forgets what memory held."""
    address = evaluate_address(run, stmt.address)
    root, space = _place(run, address)
    stored = tuple(evaluate(run, value) for value in stmt.values) if space is not Space.LOCAL and run.recording else ()
    _record(run, stmt, AccessKind.WRITE, address, root, space, stored=stored)
    if space is Space.LOCAL:
        _store_local(run, stmt, address, root)
        return
    just_stored.forget_written(run, stmt.access, address, root, space)
    _write(run, root, space)
    if space is Space.UNKNOWN:
        forget_cells(run)
    if len(stmt.values) == 1 and _fits_scalar(stmt):
        just_stored.keep(run, stmt.access, address, root, space, lambda: evaluate(run, stmt.values[0]))


def _write(run: Run, root: Root | None, space: Space) -> None:
    """Memory has changed; shared memory among it is no longer what it was at the barrier."""
    run.epoch += 1
    if space in (Space.SHARED, Space.UNKNOWN):
        run.env = settled.unsettle(run.env, root[1] if isinstance(root, tuple) else None)


def fence(run: Run, stmt: Fence) -> None:
    """What this thread has stored is visible to others from here on, and what others have stored to this one."""
    run.env = just_stored.forget(run.env)
    if run.recording and stmt.commits:
        run.trace.append(Awaited(run.mask))
    if run.recording and stmt.awaits is not None:
        left = evaluate(run, stmt.awaits)
        known = left.poly.constant if isinstance(left, Integer) and left.poly.is_constant and not left.bits else None
        sure = isinstance(known, int) and (known >= 0 or isinstance(stmt.awaits, Const))
        run.trace.append(Awaited(run.mask, known if isinstance(known, int) and sure else UNCOUNTED))


def barrier(run: Run, stmt: Barrier) -> None:
    """Stores of other threads become visible here; after a barrier of the block all of the block's stores have been
    made."""
    run.epoch += 1
    run.env = just_stored.forget(run.env)
    if run.recording:
        part = None
        if not stmt.scope.is_whole:
            from analysis_core.interp.core.parts import part_of

            part = part_of(run, stmt, *_beside_the_present(run))
        whole = stmt.scope.is_whole and _is_reached_by_the_present(run)
        if stmt.step != "binds":
            run.trace.append(Barred(stmt.scope, stmt.span, run.mask, whole, part))
        elif part is not None:
            run.trace.append(Awaited(run.mask, object=part.object))
    if stmt.scope.is_whole:
        if not _is_reached_by_all(run):
            run.assume_that(ALL_REACH)
        run.env = settled.settle(run.env, (o.id for o in run.kernel.objects if o.space is Space.SHARED))


def _is_reached_by_all(run: Run) -> bool:
    """Whether the present threads are those of the whole block, or none."""
    return _is_uniform(run.mask, run.arithmetic.shape.real)


def _is_reached_by_the_present(run: Run) -> bool:
    """Whether the present threads are all that have not left the kernel, or none."""
    rest, everyone = _beside_the_present(run)
    return _is_uniform(rest, everyone.may)


def _beside_the_present(run: Run) -> tuple[Mask, Mask]:
    """The threads here with what keeps them from being all that have not left the kernel, and all of these."""
    gone = [entry for entry in run.exits if entry.target == 0]
    everyone = without(Mask(run.arithmetic.shape.real), gone) if gone else Mask(run.arithmetic.shape.real)
    known = {entry.content for entry in everyone.literals}
    rest = tuple(entry for entry in run.mask.literals if entry.content not in known)
    return Mask(run.mask.may, rest), everyone


def _is_uniform(mask: Mask, everyone: BoolVector) -> bool:
    """Whether the threads of the mask are either everyone or nobody."""
    return every(mask.may == everyone) and all(
        cond.open_level(entry.formula) is Level.BLOCK and every(entry.scope == mask.may) for entry in mask.literals
    )


def _store_local(run: Run, stmt: Store, address: Integer, root: Root | None) -> None:
    """A known element is overwritten; an unknown one may be any element of its array."""
    cell = _cell(address, root, stmt.access.type)
    run.epoch += 1
    number = root[1] if isinstance(root, tuple) else None
    if cell is not None:
        first = cell[1]
        for key in _cells(run, number):
            size = size_of(key[2]) if key[2] is not None else None
            if key[1] < first + stmt.access.width and first < key[1] + (size or 16):
                run.env.pop(key, None)
        if len(stmt.values) == 1 and is_integral(stmt.access.type) and _fits_scalar(stmt):
            run.env[cell] = evaluate(run, stmt.values[0])
        return
    for key in _cells(run, number):
        run.env.pop(key, None)


def _fits_scalar(stmt: Store) -> bool:
    """Whether a load of the same width gives back just this value."""
    type_ = stmt.access.type
    return isinstance(type_, PointerType) or (isinstance(type_, ScalarType) and type_.size == stmt.access.width)


def _cells(run: Run, number: ObjectId | None) -> list[Cell]:
    if not any(o.space is Space.LOCAL for o in run.kernel.objects):
        return []
    cells = (key for key in run.env if type(key) is tuple and len(key) == 3)
    return [key for key in cells if key[0] >= 0 and (number is None or key[0] == number)]


def forget_cells(run: Run) -> None:
    """Local arrays may have changed anywhere."""
    for key in _cells(run, None):
        run.env.pop(key, None)


def forget_all(run: Run) -> None:
    """Any memory may have changed."""
    _write(run, None, Space.UNKNOWN)
    forget_cells(run)


def forget_written(run: Run, loop: Loop) -> None:
    """Memory as it is before any round of the loop: what a round may write is not known, nor the same for all threads."""
    static = run.statics.loop(loop)
    if static.stores or static.lets_others_in:
        run.env = just_stored.forget(run.env)
    if static.stores:
        run.env = dict(run.env)
        forget_cells(run)
        for number in [None] if static.written is None else static.written:
            run.env = settled.unsettle(run.env, number)
    if static.stores or static.has_barrier:
        run.epoch += 1  # what a round reads may have been written in the round before


_COUNTING = frozenset({"add", "sub", "inc", "dec"})


def atomic(run: Run, stmt: Atomic) -> None:
    """Records the request; the old value differs from lane to lane and from execution to execution."""
    address = evaluate_address(run, stmt.address)
    root, space = _place(run, address)
    _record(run, stmt, AccessKind.ATOMIC, address, root, space)
    run.env = just_stored.forget(run.env)
    _write(run, root, space)
    if space in (Space.LOCAL, Space.UNKNOWN):
        forget_cells(run)
    if stmt.var is not None:
        cause = Cause(CauseKind.DATA, f"the old value of `{stmt.access.text}`", stmt.access.span)
        run.env[stmt.var] = loaded_value(run, run.kernel.variables[stmt.var].type, Level.LANE, cause)
        shared = all(level_of(evaluate(run, arg)) is not Level.LANE for arg in stmt.args)
        if stmt.op in _COUNTING and shared and pl.level(address.poly) is not Level.LANE:
            run.counters.add(stmt.access.span)


def _record(
    run: Run,
    stmt: Load | Store | Atomic,
    kind: AccessKind,
    address: Integer,
    root: Root | None,
    space: Space,
    own: bool = False,
    stored: tuple[Value, ...] = (),
) -> None:
    if not run.recording:
        return
    access, name, extent = stmt.access, _root_name(run, root), _extent(run, root)
    rows = run.statics.rows(stmt.address)
    if rows and _is_loose(address):
        extent = _row_extent(run, rows, extent)
    poly = recombined(address.poly, run.arithmetic.derivations)
    if poly is not address.poly:
        address = replace(address, poly=poly)
    if extent is not None and pl.level(address.poly) is Level.LANE:
        run.assume_that(INSIDE_ARRAYS)
    run.trace.append(Accessed(len(run.accesses)))
    held = _held(run, access)
    times = run.times
    run.accesses.append(
        AccessEvent(access, kind, address, name, space, run.mask, times, extent, False, held, own=own, stored=stored)
    )


def _held(run: Run, access: Access) -> Held | None:
    """What is left of an execution whose element a register keeps through loops, or behind which threads leave one; None: all of it."""
    kept = run.statics.kept_through(access.id) if run.inside else ()
    around = [inside for inside in run.inside if any(inside.loop is loop for loop in kept)]
    if any(inside.later for inside in around):
        return Held(ex.ZERO, kept[-1].span)
    if around:
        return Held(next((inside.outer for inside in around if inside.summed), run.times), kept[-1].span)
    left = run.statics.left_behind(access.id) if run.inside else None
    loop = next((inside for inside in reversed(run.inside) if inside.loop.span == left), None)
    if left is None or loop is None:
        return None
    again = access.id in loop.left
    loop.left.add(access.id)
    if again:
        return Held(ex.ZERO, left, leaving=True)
    return Held(loop.outer, left, leaving=True) if loop.summed else None


def _extent(run: Run, root: Root | None) -> int | None:
    """Bytes of a declared array: an index into it is assumed to be in range."""
    match root:
        case ("object", number) if isinstance(run.kernel.objects[number].type, ArrayType):
            return size_of(run.kernel.objects[number].type)
        case _:
            return None


def _is_loose(address: Integer) -> bool:
    """Whether lanes are apart by what is not known."""
    return any(
        m and (not isinstance(c, int) or any(s.level is Level.LANE for s in m)) for m, c in address.poly.terms.items()
    )


def _row_extent(run: Run, rows: Sequence[Row], extent: int | None) -> int | None:
    """Bytes of the innermost row of the array on which each warp agrees; else those of the array."""
    for row, size in rows:
        if pl.level(evaluate_address(run, row).poly) is not Level.LANE:
            return size if extent is None else min(size, extent)
    return extent


def _place(run: Run, address: Integer) -> tuple[Root | None, Space]:
    """What the address points into, by the base symbols in it: exactly one with coefficient 1 names the place."""
    roots = {run.bases[symbol] for symbol in address.poly.symbols() if symbol in run.bases}
    if len(roots) == 1:
        (root,) = roots
        return root, _space_of(run, root)
    spaces = {_space_of(run, root) for root in roots}
    return None, next(iter(spaces)) if len(spaces) == 1 else Space.UNKNOWN


def _space_of(run: Run, root: Root) -> Space:
    match root:
        case ("object", number):
            return run.kernel.objects[number].space
        case _:
            return Space.GLOBAL


def _root_name(run: Run, root: Root | None) -> str:
    match root:
        case None:
            return "?"
        case ("object", number):
            return run.kernel.objects[number].name
        case int():
            return run.kernel.variables[VarId(root)].name
        case _:
            return "?"


def _is_constant_object(run: Run, root: Root | None) -> bool:
    match root:
        case ("object", number):
            return run.kernel.objects[number].space is Space.CONSTANT or run.kernel.objects[number].read_only
        case _:
            return False


def _cell(address: Integer, root: Root | None, type_: Type) -> Cell | None:
    """The element of an object at a byte offset that is one known number for all threads, as a value of the type."""
    if not isinstance(root, tuple):
        return None
    offset = 0
    for monomial, coefficient in address.poly.terms.items():
        if not monomial and isinstance(coefficient, int):
            offset = coefficient
        elif not (len(monomial) == 1 and monomial[0].kind is SymbolKind.BASE and coefficient == 1):
            return None
    return (root[1], offset, type_)
