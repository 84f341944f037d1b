"""Accesses: loads, stores, updates, copies and atomics, of global, shared and a thread's own arrays."""

from __future__ import annotations

from tests.compiled.program.scope import KINDS, Kind, Scope
from tests.compiled.program.values import index, line, value
from tests.compiled.tree import Line

_EXTENTS = (16, 17, 32, 33, 40, 64)


def access(s: Scope) -> Line:
    """A statement that accesses memory."""
    return s.rng.choices((_write, _update, _load, _copy, _atomic, _cast), (40, 15, 18, 8, 8, 4))[0](s)


def element(s: Scope, integer: bool = False) -> tuple[str, Kind]:
    """An element of some array, and its kind."""
    if s.chance(0.35):
        return _shared_element(s, integer)
    name, kind = s.array(integer)
    return f"{name}[{index(s)}]", kind


def _shared_element(s: Scope, integer: bool) -> tuple[str, Kind]:
    kind = s.of([k for k in KINDS if k.integer or not integer])
    name = s.name("s")
    if s.chance(0.5):
        rows, columns = s.one(16, 32, 64), s.of(_EXTENTS)
        s.declared.append(f"@H{{{kind.type}|{name}|[{rows}][{columns}]}}")
        row, column = (
            s.one("threadIdx.y", "threadIdx.x", value(s, 1)),
            s.one("threadIdx.x", s.of(s.lanes), value(s, 1)),
        )
        return f"{name}[(unsigned)({row}) % {rows}][(unsigned)({column}) % {columns}]", kind
    size = s.one(512, 512, 300, 256)
    s.declared.append(f"@H{{{kind.type}|{name}|[{size}]}}")
    e = index(s)
    return (f"{name}[({e}) & {size - 1}]" if size != 300 else f"{name}[(unsigned)({e}) % 300u]"), kind


def _write(s: Scope) -> Line:
    place, kind = element(s)
    member = s.of(kind.members)
    what = s.one("1", s.of(s.even), s.of(s.lanes))
    return Line(f"@W{{{place}{member}}} = {what};")


def _update(s: Scope) -> Line:
    place, kind = element(s)
    place = f"@B{{{place}{s.of(kind.members)}}}"
    if kind.integer and s.chance(0.3):
        return Line(s.one(f"{place}++;", f"++{place};", f"{place} ^= {s.of(s.lanes)};"))
    return Line(f"{place} {s.one('+=', '-=')} {s.one('1', '2')};")


def _load(s: Scope) -> Line:
    """Into a variable; of integers it is kept small and used from then on."""
    name = s.name("v")
    if s.chance(0.6):
        place, _ = element(s, integer=True)
        s.lanes.append(name)
        return Line(f"int {name} = @R{{{place}}} & {s.one('31', '31', '255', '3')};")
    place, kind = element(s)
    return Line(f"float {name} = @R{{{place}{s.of(kind.members)}}};")


def _copy(s: Scope) -> Line:
    """A whole element, maybe a record, from one place to another."""
    name, kind = s.array()
    here, there = index(s), line(s, s.of(s.lanes))
    if s.chance(0.5):
        return Line(f"@W{{{name}[{here}]}} = @R{{{name}[{there}]}};")
    return Line(f"{kind.type} {s.name('c')} = @R{{{name}[{here}]}};")


def _atomic(s: Scope) -> Line:
    name, kind = s.array(integer=True)
    if kind.type not in ("int", "unsigned"):
        return _write(s)
    place = index(s)
    function = s.one("atomicAdd", "atomicAdd", "atomicMax", "atomicOr", "atomicExch")
    where = s.one(f"&@A{{{name}[{place}]}}", f"@P{{{name} + ({place})}}")
    return Line(f"{function}({where}, {s.one('1', '3')});")


def _cast(s: Scope) -> Line:
    """Elements seen as others."""
    name, _ = s.array()
    other = s.one("short", "int", "unsigned char", "int2", "float4", "double")
    member = {"int2": ".x", "float4": ".z"}.get(other, "")
    e = line(s, s.of(s.lanes))
    return Line(f"@W{{{s.one(f'(({other} *){name})', f'reinterpret_cast<{other} *>({name})')}[{e}]{member}}} = 1;")
