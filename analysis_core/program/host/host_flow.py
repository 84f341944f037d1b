"""What the shapes of launches, and which kernels are launched, rest on in a function of the host, by name: what its callers hand it,
and variables of file scope.

    unsigned threads = 64;                                        never assigned again: 64
    void run(float *p, dim3 block) { k<<<4, block>>>(p); }        as many shapes as there are calls
    int main() { run(p, dim3(8, threads / 4)); }

`block_flow` follows names backwards through declarations and assignments, in whatever order these stand: it may name more than a
shape rests on, never less, and only says what is worth looking at (`launches`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from analysis_core.lower.names.scope import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.launchers import LAUNCHERS
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.records import dataclass

ALLOCATORS = frozenset({"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync"})
_NOT_OF_THE_HOST = frozenset(
    {"const", "constexpr", "extern", "__constant__", "__device__", "__shared__", "__managed__"}
)

Asked = Mapping[str, frozenset[int]]
"""By name of a function: the parameters, by number, that shapes of launches rest on."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What values in a host function are made of. `made`: for each variable, the names in its values; `blocks`: the
    names in the blocks of launches, of what is launched, and in arguments of functions that pass them on to these."""

    made: Mapping[str, frozenset[str]]
    blocks: frozenset[str]

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """These names and all names that their values are made of."""
        return names_behind(names, self.made)


def names_behind(names: Iterable[str], made: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """These names and all names that their values are made of. `made`: for each name, those in its values."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(made.get(name, ()))
    return frozenset(found)


def block_flow(declaration: syn.FunctionDecl, asked: Asked) -> Flow:
    """The flow of one function into the blocks of launches. `asked`: the parameters of other functions that blocks
    rest on."""
    return _flow(declaration, asked, _block_of)


def size_flow(declaration: syn.FunctionDecl, asked: Asked) -> Flow:
    """The flow of one function into the arguments of launches, and into their shapes: `blocks` are the names in these."""
    return _flow(declaration, asked, lambda launch: (*launch.config[:2], *launch.args))


def _block_of(launch: syn.KernelLaunch) -> Sequence[syn.Expr]:
    return (launch.callee, *launch.config[1:2])


def _flow(
    declaration: syn.FunctionDecl, asked: Asked, of_launch: Callable[[syn.KernelLaunch], Sequence[syn.Expr]]
) -> Flow:
    made: dict[str, set[str]] = {}
    blocks: set[str] = set()
    for node in inside(declaration.body) if declaration.body is not None else ():
        match node:
            case syn.VarDecl(name=name, init=syn.Expr() as init):
                made.setdefault(name, set()).update(names_in(init))
            case syn.Assign(target=target, value=value):
                for name in assigned_base(target):
                    made.setdefault(name, set()).update(names_in(value))
            case syn.KernelLaunch():
                blocks.update(name for part in of_launch(node) for name in names_in(part))
            case syn.Call(callee=syn.Name(name=name), args=(place, size, *_)) if name in ALLOCATORS:
                made.setdefault(pointed(place) or "", set()).update(names_in(size))
            case syn.Call(callee=syn.Name(name=name), args=args):
                blocks.update(_names_asked(name.rpartition("::")[2], args, asked))
            case _:
                pass
    return Flow({name: frozenset(names) for name, names in made.items()}, frozenset(blocks))


def _names_asked(name: str, args: Sequence[syn.Expr], asked: Asked) -> Iterator[str]:
    if (launcher := LAUNCHERS.get(name)) is not None:
        parts = (*args[launcher.block :][:1], *args[launcher.kernel :][:1])
        yield from (n for arg in parts for n in names_in(arg))
    else:
        yield from (n for number in asked.get(name, ()) if number < len(args) for n in names_in(args[number]))


def parameters_asked(declaration: syn.FunctionDecl, flow: Flow) -> frozenset[int]:
    """The parameters, by number, that the shapes of launches rest on."""
    behind = flow.behind(flow.blocks)
    return frozenset(n for n, parameter in enumerate(declaration.parameters) if parameter.name in behind)


def names_in(expr: syn.Node) -> frozenset[str]:
    """The names in an expression."""
    return frozenset(node.name for node in inside(expr) if isinstance(node, syn.Name))


def assigned_base(node: syn.Expr) -> Iterator[str]:
    """The variable that is assigned with a member or an element of it."""
    while isinstance(node, syn.Member | syn.Subscript):
        node = node.base
    if isinstance(node, syn.Name):
        yield node.name


def followed_arrays(body: syn.Node, unit: Unit, namespace: str) -> frozenset[str]:
    """The arrays of a function of which nothing but elements is named, and no element is handed out for change: assignments are all that
    changes them."""
    found = {n.name for n in inside(body) if isinstance(n, syn.VarDecl) and _is_row(n)}
    if not found:
        return frozenset()
    mentions, elements = Counter[str](), Counter[str]()
    changed: set[str] = set()
    for node in inside(body):
        match node:
            case syn.VarDecl(name=name):
                mentions[name] += 1
                elements[name] += _is_row(node)
            case syn.Name(name=name):
                mentions[name] += 1
            case syn.Subscript(base=syn.Name(name=name)):
                elements[name] += 1
            case syn.Binary(op=">>", right=target):
                changed.update(assigned_base(target))
            case _:
                pass
        if isinstance(node, syn.VarDecl) and isinstance(node.type, syn.ReferenceTo) and node.init is not None:
            changed.update(assigned_base(node.init))
        if not isinstance(node, syn.Assign):
            changed.update(assigned_by(unit, namespace, node))
    return frozenset(name for name in found - changed if mentions[name] == elements[name])


def _is_row(node: syn.VarDecl) -> bool:
    """Whether it declares an array of single values."""
    rows = isinstance(node.type, syn.ArrayOf) and not isinstance(node.type.element, syn.ArrayOf)
    return rows and (node.init is None or isinstance(node.init, syn.InitList))


def pointed(arg: syn.Expr) -> str | None:
    """p in `&p`, `(void **)&p`."""
    while isinstance(arg, syn.Cast) or (isinstance(arg, syn.Unary) and arg.op == "&"):
        arg = arg.operand
    return arg.name if isinstance(arg, syn.Name) else None


def repointed(body: syn.Node) -> frozenset[str]:
    """The names that a function assigns, swaps, or passes on to be changed, except to functions that allocate."""
    found: set[str] = set()
    for node in inside(body):
        match node:
            case syn.Assign(target=syn.Name(name=name)) | syn.IncDec(operand=syn.Name(name=name)):
                found.add(name)
            case syn.Call(callee=syn.Name(name=callee), args=args) if callee not in ALLOCATORS:
                swaps = callee.rpartition("::")[2] == "swap"
                parts = (uncast(arg) for arg in args)
                found.update(n for p in parts if swaps or isinstance(p, syn.Unary) for n in names_in(p))
            case _:
                pass
    return frozenset(found)


def pointer_moves(body: syn.Node) -> Mapping[str, Sequence[syn.Expr]]:
    """By name, what a function gives a variable: values (`e = d + 5`), and steps, each as a sum with the variable (`e += 5`, `e++`)."""
    found: dict[str, list[syn.Expr]] = {}
    for node in inside(body):
        match node:
            case syn.VarDecl(name=name, init=syn.Expr() as init):
                found.setdefault(name, []).append(init)
            case syn.Assign(op="=", target=syn.Name(name=name), value=value):
                found.setdefault(name, []).append(value)
            case syn.Assign(op="+=" | "-=" as op, target=syn.Name(name=name) as target, value=value):
                found.setdefault(name, []).append(syn.Binary(span=node.span, op=op[0], left=target, right=value))
            case syn.IncDec(operand=syn.Name(name=name) as target):
                one = syn.Literal(span=node.span, kind=syn.LiteralKind.INT, text="1")
                found.setdefault(name, []).append(syn.Binary(span=node.span, op="+", left=target, right=one))
            case _:
                pass
    return found


def is_variable(declaration: syn.Declaration) -> bool:
    """Whether this is a variable of the host that begins with a value and may get another."""
    return (
        isinstance(declaration, syn.VarDecl)
        and declaration.init is not None
        and not declaration.storage & _NOT_OF_THE_HOST
        and "const" not in declaration.type.qualifiers
    )


def assigned_anywhere(unit: Unit, functions: Iterable[syn.FunctionDecl]) -> frozenset[str]:
    """The names that some function assigns, reads into, or hands out for change."""
    found: set[str] = set()
    for declaration in functions:
        for node in inside(declaration.body) if declaration.body is not None else ():
            found.update(assigned_by(unit, declaration.scope, node))
            match node:
                case syn.Binary(op=">>", right=target) | syn.VarDecl(type=syn.ReferenceTo(), init=syn.Expr() as target):
                    found.update(assigned_base(target))
                case _:
                    pass
    return frozenset(found)


def assigned_by(unit: Unit, namespace: str, node: syn.Node) -> Iterator[str]:
    """The variables that a node itself assigns, or hands out for change."""
    for target in changed_by(unit, namespace, node):
        yield from assigned_base(target)


def changed_by(unit: Unit, namespace: str, node: syn.Node) -> Iterator[syn.Expr]:
    """What a node itself assigns, or hands out for change: variables, members and elements."""
    yield from targets_of(node)
    match node:
        case syn.Call(callee=syn.Name(name=name), args=args):
            yield from _given_by_reference(unit, name, namespace, args)
        case _:
            pass


def targets_of(node: syn.Node) -> tuple[syn.Expr, ...]:
    """What a node itself assigns, or takes the address of."""
    match node:
        case syn.Assign(target=target) | syn.IncDec(operand=target) | syn.Unary(op="&", operand=target):
            return (target,)
        case _:
            return ()


def _given_by_reference(unit: Unit, name: str, namespace: str, args: Sequence[syn.Expr]) -> Iterator[syn.Expr]:
    """The arguments that a function declared here takes by a reference to non-const."""
    for declaration in unit.find_functions(name, namespace):
        for parameter, arg in zip(declaration.parameters, args):
            if isinstance(parameter.type, syn.ReferenceTo) and "const" not in parameter.type.target.qualifiers:
                yield arg
