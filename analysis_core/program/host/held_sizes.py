"""What a variable of the host holds where a launch stands, as sizes, though it is set more than once.

    dim3 grid(1, 1, 1), block(1, 1, 1);
    block.x = 256;
    grid.x = w / 256 + 1;
    sides<<<grid, block>>>(p, w);          // w threads
    grid.y = h;
    for (int i = 0; i < n; i++)
        inner<<<grid, block>>>(p, w, h);   // w * h

The last setting counts that is made on every way to the place: under no condition and in no loop that is not around the place, too.  Settings
under others in between, or in a loop around the place but not around that last one, leave it open; so does a call that is handed the variable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from analysis_core.program.host.host_flow import assigned_base
from analysis_core.program.host.size_products import (
    DIMENSIONS,
    Names,
    Sizes,
    dimension,
    itself,
    product_of,
    sizes_of,
)
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_DEPTH = 6


@dataclass(frozen=True, slots=True)
class _Setting:
    """`component`: of a `dim3`, or "" of all; `value` None: nobody knows to what."""

    component: str
    value: syn.Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class SetAgain:
    """Where a function sets variables that it sets more than once. `parts`: code that may be left out or repeated;
    `loops`: those of it that are loops."""

    made: Mapping[str, tuple[_Setting, ...]]
    parts: Collection[Span]
    loops: Collection[Span]


def settings_in(nodes: Collection[syn.Node]) -> SetAgain:
    """Where a function sets its variables."""
    made: dict[str, list[_Setting]] = {}
    handed: dict[str, _Setting] = {}
    parts: list[Span] = []
    for node in nodes:
        match node:
            case syn.VarDecl(name=name, span=span):
                made.setdefault(name, []).append(_Setting("", _begun(node), span))
            case syn.Assign(op=op, target=target, value=value, span=span):
                component, name = _target(target)
                made.setdefault(name, []).append(_Setting(component, value if op == "=" else None, span))
            case syn.IncDec(operand=operand, span=span):
                component, name = _target(operand)
                made.setdefault(name, []).append(_Setting(component, None, span))
            case syn.Call(args=args):
                for name in [name for arg in args for name in _handed(arg)]:
                    handed.setdefault(name, _Setting("?", None, node.span))
            case syn.If(then=then, otherwise=otherwise):
                parts.extend(side.span for side in (then, otherwise) if side is not None)
            case syn.Switch(body=body) | syn.Lambda(body=body):
                parts.append(body.span)
            case _:
                pass
    loops = [node.span for node in nodes if isinstance(node, syn.Loop)]
    several = {
        name: (*found, handed[name]) if name in handed else tuple(found)
        for name, found in made.items()
        if len(found) > 1
    }
    return SetAgain(several, parts + loops, loops)


def _begun(variable: syn.VarDecl) -> syn.Expr | None:
    """What a variable is declared with; of a `dim3`, nothing is 1 in all dimensions."""
    type, span = variable.type, variable.span
    if variable.init is None and isinstance(type, syn.NamedType) and type.name == "dim3":
        return syn.Construct(span=span, type=type, args=(), braces=False)
    return variable.init


def _target(target: syn.Expr) -> tuple[str, str]:
    """The component that is set, and the variable; of an element of an array, or a member of a member, an own name that stands for all."""
    if isinstance(target, syn.Member) and isinstance(target.base, syn.Name) and not target.arrow:
        return (target.name if target.name in DIMENSIONS else "?"), target.base.name
    return "" if isinstance(target, syn.Name) else "?", next(assigned_base(target), "")


def _handed(arg: syn.Expr) -> Iterator[str]:
    arg = uncast(arg)
    if isinstance(arg, syn.Unary) and arg.op == "&":
        arg = arg.operand
    if isinstance(arg, syn.Name):
        yield arg.name


class Held(Mapping[str, Sizes]):
    """The sizes that variables hold at a place; a variable stands for itself where that is open. `names`: what other
    names stand for."""

    def __init__(self, settings: SetAgain, place: Span, names: Names, depth: int = _DEPTH) -> None:
        self._settings, self._place, self._names, self._depth = settings, place, names, depth

    def __getitem__(self, name: str) -> Sizes:
        base, _, part = name.partition(".")
        made = self._settings.made[base]
        open_ = self._depth == 0 or any(setting.component == "?" for setting in made)
        sizes = None if open_ else self._sizes(made, DIMENSIONS.index(part) if part else None)
        return itself(name) if sizes is None else sizes

    def _sizes(self, made: Collection[_Setting], number: int | None) -> Sizes | None:
        """Of all dimensions together, or of one."""
        whole = self._last([setting for setting in made if not setting.component])
        if whole is None:
            return None
        behind = [setting for setting in made if setting.component and setting.span.start > whole.span.start]
        if not behind and number is None:
            return self._read(whole.value, whole)
        numbers = range(len(DIMENSIONS)) if number is None else (number,)
        return product_of(self._dimension(whole, behind, n) for n in numbers)

    def _dimension(self, whole: _Setting, behind: Collection[_Setting], number: int) -> Sizes | None:
        last = self._last([whole, *(setting for setting in behind if setting.component == DIMENSIONS[number])])
        if last is None:
            return None
        if last is not whole:
            return self._read(last.value, last)
        return None if whole.value is None else self._read(dimension(whole.value, number), whole)

    def __iter__(self) -> Iterator[str]:
        return iter(self._settings.made)

    def __len__(self) -> int:
        return len(self._settings.made)

    def __contains__(self, name: object) -> bool:
        base, _, part = str(name).partition(".")
        return base in self._settings.made and part in ("", *DIMENSIONS)

    def _read(self, value: syn.Expr | None, setting: _Setting) -> Sizes | None:
        """What is set there, by what variables hold there."""
        if value is None:
            return None
        known = Held(self._settings, setting.span, self._names, self._depth - 1)
        return sizes_of(value, replace(self._names, known=known))

    def _last(self, made: Collection[_Setting]) -> _Setting | None:
        """The last of these settings on every way to the place; None where others may count."""
        place = self._place
        before = [setting for setting in made if setting.span.end <= place.start]
        sure = [setting for setting in before if not _around(self._settings.parts, setting.span, place)]
        if not sure:
            return None
        last = max(sure, key=lambda setting: setting.span.start)
        again = _around(self._settings.loops, place, last.span)
        doubtful = [
            setting
            for setting in made
            if setting is not last
            and (
                last.span.start < setting.span.start < place.start or any(loop.encloses(setting.span) for loop in again)
            )
        ]
        return None if doubtful else last


def _around(parts: Collection[Span], inner: Span, other: Span) -> list[Span]:
    """The parts around one place that are not around another."""
    return [part for part in parts if part.encloses(inner) and not part.encloses(other)]
