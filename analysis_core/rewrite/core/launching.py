"""Launches as conditions of refactorings: those that are known, or what to state so that they are; and launches that are edited with their kernel.

Where a kernel is given other work for each thread, every launch of it has to be seen: it is named nowhere but in its declarations and in launches of
this file, all of which are spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from analysis_core.ir.launch_site import LaunchSite, is_assumed, made_launches
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.stated import StatedLaunch
from analysis_core.program.launch import Launch, shape_text
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.source import has_directive
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.syntax.read import annotation_tree as an
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, touched
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


def known_launches(unit: Unit, kernel: Kernel) -> tuple[Launch, ...] | Refused:
    """All launches of a kernel, where their blocks are stated or constants of calls in view, every one of them."""
    launches = unit.launches(kernel)
    stated = f"//@ launch block={shape_text(launches[0].block)}"
    if any(is_assumed(one.source) for one in launches):
        return Refused(f"the block of `{kernel.name}` is not known", stated)
    blocks = {one.block for one in launches}
    if launches[0].source == "annotation" and any(one.block not in blocks for one in kernel.annotations.launches):
        return Refused(f"not all launches of `{kernel.name}` are analysed")
    if launches[0].source == "call":
        for site in made_launches(kernel.launches):
            if site.block not in blocks:
                return Refused(
                    f"`{kernel.name}` is launched with a block that is not known: `{site.block_text}`", stated
                )
    return launches


@dataclass(frozen=True, slots=True)
class Called:
    """A launch that stands in the file.  `site`: what the analysis knows of it, None where it does not follow it."""

    launch: syn.KernelLaunch
    function: syn.FunctionDecl
    site: LaunchSite | None


def calls_of(unit: Unit, kernel: Kernel) -> tuple[Called, ...] | Refused:
    """All launches of a kernel, which stand in the file itself and are read; or why there may be others, or the kernel is used otherwise."""
    if any(site.span.file != unit.file or site.profile.elsewhere for site in kernel.launches):
        return Refused(f"`{kernel.name}` is launched in another file, too")
    known = {site.span: site for site in kernel.launches}
    found, places = [], set()
    for declaration in _functions(unit):
        if declaration.name == kernel.name:
            places.add(declaration.name_span.start)
        for one in inside(declaration) if declaration.body is not None else ():
            if (
                isinstance(one, syn.KernelLaunch)
                and isinstance(one.callee, syn.Name)
                and one.callee.name == kernel.name
            ):
                if reason := made_elsewhere(unit, one):
                    return Refused(f"a launch cannot be edited: {reason}")
                places.add(one.callee.span.start)
                found.append(Called(one, declaration, known.pop(one.span, None)))
    for word in re.finditer(rb"\b%s\b" % re.escape(kernel.name.encode()), code_of(unit.text)):
        if word.start() not in places:
            return Refused(f"`{kernel.name}` is used otherwise in line {unit.line(Span(unit.file, *word.span()))}")
    if known:
        return Refused(f"a launch of `{kernel.name}` is not spelled as one")
    return tuple(found)


def made_elsewhere(unit: Unit, launch: syn.KernelLaunch) -> str | None:
    """Why what a launch passes cannot be spelled elsewhere, or replaced, as a whole; None if it can: macros may stand within."""
    end = launch.span.start
    for part in (launch.callee, *launch.config, *launch.args):
        if part.span.start < end or not launch.span.encloses(part.span):
            return f"the macro `{part.expansion}` makes part of it" if part.expansion else "part of it stands elsewhere"
        end = part.span.end
    if launch.expansion or launch.callee.expansion:
        return f"the macro `{launch.expansion or launch.callee.expansion}` makes part of it"
    if any(isinstance(one, syn.OpaqueExpr) for one in inside(launch)):
        return "part of it is not understood"
    return "there are directives of the preprocessor in it" if has_directive(unit, launch.span) else None


def _functions(unit: Unit) -> Iterator[syn.FunctionDecl]:
    for one in unit.tree.declarations:
        if one.span.file != unit.file:
            continue
        if isinstance(one, syn.FunctionDecl):
            yield one
        elif isinstance(one, syn.RecordDef):
            yield from one.methods


# --- fewer blocks ---------------------------------------------------------------------------------------------------


def divided(unit: Unit, kernel: Kernel, block: int, by: int, limit: tuple[str, int] | None) -> list[Edit] | Refused:
    """Edits by which all launches have `by` times fewer blocks along x, rounded up where the blocks of before covered all elements below `limit`: the
    name of a parameter and its number; None where nothing but the number of threads limits them.  `block`: threads of a block, in one row."""
    calls = calls_of(unit, kernel)
    if isinstance(calls, Refused):
        return calls
    edits: list[Edit] = []
    for stated in kernel.annotations.launches:
        one = _stated_divided(stated, block, by, limit)
        if isinstance(one, Refused):
            return one
        edits += one
    for call in calls:
        called = _call_divided(unit, call, block, by, limit)
        if isinstance(called, Refused):
            return called
        edits.append(called)
    if not edits:
        count = f"ceil({limit[0]}/{block})" if limit else ".."
        return Refused("no launch is in view that could have fewer blocks", f"//@ launch block={block} grid={count}")
    return list(dict.fromkeys(edits))


def _stated_divided(stated: StatedLaunch, block: int, by: int, limit: tuple[str, int] | None) -> list[Edit] | Refused:
    if not stated.grid:
        return Refused("the number of blocks is not stated", f"//@ {stated.text} grid=..")
    if stated.block != (block, 1, 1):
        return Refused(f"a block of {shape_text(stated.block)} threads is stated, too")
    x, *rest = stated.grid
    if any(not isinstance(one, an.Number) or one.value != 1 for one in rest):
        return Refused("the blocks are not in one row")
    if isinstance(x, an.Number):
        if x.value % by:
            return Refused(f"{x.value} blocks are no multiple of {by}")
        return [Edit(x.span, str(x.value // by))]
    numbers = _rounded_up(x, block, limit)
    if numbers is None:
        return Refused("it is not known whether the blocks of a launch reach all elements")
    return [Edit(one.span, str(block * by - (block - one.value))) for one in numbers]


def _rounded_up(term: an.Term, block: int, limit: tuple[str, int] | None) -> list[an.Number] | None:
    """The numbers in `ceil(n/256)`, `ceil_div(n, 256)` or `(n + 255) / 256` that hold the block's extent; None for anything else."""
    match term:
        case an.Call(function="ceil", args=(an.Binary(op="/", left=an.Name(name=name), right=an.Number() as by),)):
            numbers = [by]
        case an.Call(function="ceil_div", args=(an.Name(name=name), an.Number() as by)):
            numbers = [by]
        case an.Binary(
            op="/", left=an.Binary(op="+", left=an.Name(name=name), right=an.Number() as more), right=an.Number() as by
        ) if more.value == block - 1:
            numbers = [more, by]
        case _:
            return None
    return numbers if limit is not None and name == limit[0] and by.value == block else None


def _call_divided(unit: Unit, call: Called, block: int, by: int, limit: tuple[str, int] | None) -> Edit | Refused:
    line = unit.line(call.launch.span)
    grid = call.launch.config[0]
    site = call.site
    if site is None or site.grid[1:] != (1, 1):
        return Refused(f"the blocks of the launch in line {line} are not known to be in one row")
    if site.block is None or site.block != (block, 1, 1):
        return Refused(f"the block of the launch in line {line} is not known")
    made = _made_as(call.function, grid)
    plain = _is_number(call.function, grid)
    count = site.grid[0]
    if count is not None:
        if count % by:
            return Refused(f"{count} blocks are no multiple of {by}")
        return Edit(
            grid.span,
            f"{_bracketed(unit, grid)} / {by}" if plain and not isinstance(grid, syn.Literal) else str(count // by),
        )
    if limit is None or not _covers(unit, call, made, block, limit[1]):
        return Refused(f"it is not known whether the blocks of the launch in line {line} reach all elements")
    if plain:
        return Edit(grid.span, f"({unit.spelled(grid.span)} + {by - 1}) / {by}")
    if isinstance(grid, syn.Name):
        return Edit(grid.span, f"dim3(({grid.name}.x + {by - 1}) / {by})")
    return Edit(grid.span, f"dim3(({unit.spelled(made.span)} + {by - 1}) / {by})")


def _bracketed(unit: Unit, expr: syn.Expr) -> str:
    text = unit.spelled(expr.span)
    return text if isinstance(expr, syn.Name | syn.Literal | syn.Call | syn.Member | syn.Subscript) else f"({text})"


def _variable(function: syn.FunctionDecl, name: str) -> syn.VarDecl | None:
    """The one local variable of that name, which keeps the value that it is declared with."""
    found = [one for one in inside(function) if isinstance(one, syn.VarDecl) and one.name == name]
    taken = any(one.name == name for one in function.parameters) or name in changed(function)
    return found[0] if len(found) == 1 and not taken else None


def changed(function: syn.FunctionDecl) -> set[str]:
    """The variables of a function that may get another value than the one that they are declared with."""
    return {
        name
        for one in inside(function)
        if not (isinstance(one, syn.Construct) and isinstance(one.type, syn.NamedType) and one.type.name == "dim3")
        for name in touched(one)
    }


def _made_as(function: syn.FunctionDecl, grid: syn.Expr) -> syn.Expr:
    """What the number of blocks is computed as: variables that are declared with a value are followed."""
    for _ in range(4):
        match grid:
            case syn.Name(name=name) if (variable := _variable(function, name)) is not None and variable.init:
                grid = variable.init
            case syn.Construct(args=(first, *_)) | syn.Cast(style="functional", operand=first):
                grid = first
            case _:
                break
    return grid


def _is_number(function: syn.FunctionDecl, grid: syn.Expr) -> bool:
    """Whether it is a whole number, and not a `dim3`, which has no arithmetic."""
    if isinstance(grid, syn.Name):
        types = [one.type for one in inside(function) if isinstance(one, syn.VarDecl) and one.name == grid.name]
        types += [one.type for one in function.parameters if one.name == grid.name]
        return len(types) == 1 and isinstance(types[0], syn.NamedType) and types[0].name in _WHOLE
    return isinstance(grid, syn.Literal | syn.Binary)


_WHOLE = frozenset(
    {"int", "unsigned", "unsigned int", "size_t", "std::size_t", "long", "unsigned long", "uint32_t", "int32_t", "uint"}
)


def _covers(unit: Unit, call: Called, made: syn.Expr, block: int, position: int) -> bool:
    """Whether the blocks are as many as it takes for all elements below an argument: `(n + 255) / 256`."""
    if position >= len(call.launch.args):
        return False
    wanted = call.launch.args[position]
    if not isinstance(made, syn.Binary) or made.op != "/":
        return False

    def extent(one: syn.Expr) -> bool:
        return _is_extent(unit, call, one, block)

    match made.left:
        case syn.Binary(op="+", left=size, right=syn.Literal(text=text)) if text == str(block - 1):
            pass
        case syn.Binary(op="-", left=syn.Binary(op="+", left=size, right=more), right=syn.Literal(text="1")) if extent(
            more
        ):
            pass
        case syn.Binary(op="+", left=size, right=more) if _is_one_less(more, extent):
            pass
        case _:
            return False
    names = {one.name for one in inside(size) if isinstance(one, syn.Name)}
    kept = not names & changed(call.function) and not any(isinstance(one, syn.Call) for one in inside(size))
    return extent(made.right) and kept and unit.spelled(size.span) == unit.spelled(wanted.span)


def _is_one_less(expr: syn.Expr, extent: Callable[[syn.Expr], bool]) -> bool:
    match expr:
        case syn.Binary(op="-", left=more, right=syn.Literal(text="1")):
            return extent(more)
        case _:
            return False


def _is_extent(unit: Unit, call: Called, expr: syn.Expr, block: int) -> bool:
    """Whether an expression of the host is the block's extent: the number, or what the launch names as its block."""
    given = call.launch.config[1] if len(call.launch.config) > 1 else None
    match expr:
        case syn.Literal(text=text):
            return text == str(block)
        case syn.Name(name=name):
            variable = _variable(call.function, name)
            if variable is not None and isinstance(variable.init, syn.Literal):
                return variable.init.text == str(block)
            return isinstance(given, syn.Name) and given.name == name and _is_number(call.function, given)
        case syn.Member(base=syn.Name(name=name), name="x"):
            return isinstance(given, syn.Name) and given.name == name and _variable(call.function, name) is not None
        case _:
            return False
