"""Arrays in which the host leaves few different numbers: one in all elements, or the remainders of what it counts.

    for (int i = 0; i < n; i++) temperature[i] = 1000.0;             one number
    for (int i = 0; i < n; i++) kind[i] = i % 2;                     two of them

Lanes that load such elements do not part ways by them, and what they look up stands in as many places.  All that a function does to an
array that it declares is put together, in whatever order: an array that may be written by somebody else has any contents.  For findings
only: how far a loop goes is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence

from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Numbers = frozenset[Hashable]
"""Different numbers, by their text or value."""

MOST = 64
"""Different numbers that are few."""

OnlyRead = Callable[[str], frozenset[int]]
"""By the name of a function, the parameters through which it does not write."""

_COPYING = frozenset({"cudaMemcpy", "cudaMemcpyAsync", "memcpy"})
_SETTING = frozenset({"cudaMemset", "cudaMemsetAsync", "memset"})
_HARMLESS = frozenset(
    {
        "cudaMalloc", "cudaMallocHost", "cudaMallocManaged", "cudaHostAlloc", "cudaFree", "cudaFreeHost", "free", "malloc", "sizeof",
        "posix_memalign", "printf", "fprintf", "cudaMemPrefetchAsync", "reserve", "resize", "size", "data",
    }
)  # fmt: skip
_FILLING = frozenset({"fill", "fill_n"})
_APPENDING = frozenset({"push_back", "emplace_back"})
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})


@dataclass(frozen=True, slots=True)
class Few:
    """How many different numbers the elements of an array may be, and the greatest of them if all are integers."""

    count: int
    most: int | None

    @staticmethod
    def of(numbers: Numbers) -> Few:
        whole = [number for number in numbers if isinstance(number, int)]
        return Few(len(numbers), max(whole) if whole and len(whole) == len(numbers) else None)


def few_arguments(hosts: Iterable[syn.FunctionDecl], only_read: OnlyRead) -> Mapping[Span, Mapping[int, Few]]:
    """For each launch, by its place, the arguments in which the host left few different numbers, with what is known of
    these."""
    found: dict[Span, Mapping[int, Few]] = {}
    for declaration in hosts:
        few = few_numbers(declaration, only_read)
        for node in inside(declaration) if few else ():
            if isinstance(node, syn.KernelLaunch):
                names = ((n, uncast(arg)) for n, arg in enumerate(node.args))
                found[node.span] = {n: few[a.name] for n, a in names if isinstance(a, syn.Name) and a.name in few}
    return found


def few_numbers(declaration: syn.FunctionDecl, only_read: OnlyRead) -> Mapping[str, Few]:
    """For each array that a function declares, by name, what its elements may be, where these are few numbers."""
    assert declaration.body is not None
    nodes = list(inside(declaration.body))
    stores: dict[str, list[Numbers | None]] = {}
    copies: list[tuple[str, str]] = []
    for node in nodes:
        for name, numbers in _stores(node, only_read):
            stores.setdefault(name, []).append(numbers)
        copies += _copies(node)
    own = {node.name for node in nodes if isinstance(node, syn.VarDecl)}
    found: dict[str, Numbers] = {}
    for name in own & stores.keys() & _filled(nodes):
        united = _united(stores[name])
        if united is not None:
            found[name] = united
    return {name: Few.of(numbers) for name, numbers in _copied(found, copies, own, stores).items()}


def _filled(nodes: Sequence[syn.Node]) -> set[str]:
    """The arrays of which a loop writes one element after the other, whatever holds, or something else writes all: what elements are
    before that does not count."""
    found: set[str] = set()
    held = {id(inner) for node in nodes if isinstance(node, syn.If | syn.Switch) for inner in inside(node)}
    for node in nodes:
        match node:
            case syn.For(step=syn.Expr() as step, body=body):
                counters = {n.name for n in inside(step) if isinstance(n, syn.Name)}
                for inner in inside(body):
                    if isinstance(inner, syn.Assign) and id(inner) not in held and _is_counted(inner.target, counters):
                        found.update(_array(inner.target))
            case syn.Call(callee=syn.Name(name=name), args=[target, _, *_]):
                if name.rpartition("::")[2] in _SETTING | _FILLING and (pointed := _pointer(target)) is not None:
                    found.add(pointed)
            case syn.Call(callee=syn.Member(base=syn.Name(name=base), name=name)) if name in _APPENDING:
                found.add(base)
            case syn.VarDecl(name=name, type=syn.NamedType(), init=syn.Construct(args=[_, _])):
                found.add(name)
            case _:
                pass
    return found


def _is_counted(target: syn.Expr, counters: Collection[str]) -> bool:
    """Whether a counter itself, and nothing that is looked up, says which element it is."""
    if not isinstance(target, syn.Subscript):
        return False
    parts = list(inside(target.index))
    looked_up = any(isinstance(part, syn.Subscript | syn.Call) for part in parts)
    return not looked_up and any(isinstance(part, syn.Name) and part.name in counters for part in parts)


def _copied(
    found: Mapping[str, Numbers],
    copies: Sequence[tuple[str, str]],
    own: Iterable[str],
    stores: Mapping[str, Sequence[Numbers | None]],
) -> Mapping[str, Numbers]:
    """What is found of arrays, and of those that such are copied to.  One that is copied to from elsewhere has any contents."""
    known = dict(found)
    for name in dict.fromkeys(to for to, _ in copies):
        sources = [known.get(source) for to, source in copies if to == name]
        united = _united([*sources, *([known.get(name)] if name in stores else [])])
        if name in own and united is not None:
            known[name] = united
        else:
            known.pop(name, None)
    return known


def _united(parts: Iterable[Numbers | None]) -> Numbers | None:
    united: Numbers = frozenset()
    for part in parts:
        if part is None:
            return None
        united |= part
    return united if len(united) <= MOST else None


def _copies(node: syn.Node) -> Iterator[tuple[str, str]]:
    match node:
        case syn.Call(callee=syn.Name(name=name), args=[to, source, *_]) if name.rpartition("::")[2] in _COPYING:
            target = _pointer(to)
            if target is not None:
                yield target, _pointer(source) or ""
        case _:
            pass


def _stores(node: syn.Node, only_read: OnlyRead) -> Iterator[tuple[str, Numbers | None]]:
    """The arrays that a node itself writes, or may write, and with what; None: anything."""
    match node:
        case syn.Assign(op="=", target=syn.Subscript() as target, value=value):
            yield from ((name, numbers_of(value)) for name in _array(target))
            yield from _escaped([value])
        case syn.Assign(target=syn.Name(name=name), value=value) if not _is_new(value):
            yield name, None
            yield from _escaped([value])
        case syn.Assign(target=syn.Name(name=name), value=value):
            yield from _begun(name, value)
        case syn.Assign(target=target, value=value):
            yield from ((name, None) for name in _array(target))
            yield from _escaped([value])
        case syn.IncDec(operand=target) | syn.Binary(op=">>", right=syn.Subscript() as target):
            yield from ((name, None) for name in _array(target))
        case syn.VarDecl(name=name, init=syn.Expr() as init):
            yield from _begun(name, init, "static" in node.storage)
            yield from _escaped([init])
        case syn.KernelLaunch(callee=callee, args=args):
            yield from _handed(callee.name if isinstance(callee, syn.Name) else "", args, only_read)
        case syn.Call(callee=syn.Name(name=name), args=args):
            yield from _called(name.rpartition("::")[2], args, only_read)
        case syn.Call(callee=syn.Member(base=base, name=name), args=args) if name not in _HARMLESS:
            appended = name in _APPENDING and len(args) == 1
            yield from ((array, numbers_of(args[0]) if appended else None) for array in _pointers([base]))
            yield from _escaped(args)
        case syn.Construct(args=args) | syn.InitList(items=args):
            yield from _escaped(args)
        case _:
            pass


def _begun(name: str, value: syn.Expr, static: bool = False) -> Iterator[tuple[str, Numbers | None]]:
    """What elements are before somebody writes them."""
    value = uncast(value)
    match value:
        case syn.Construct(type=syn.NamedType(name=type), args=[_, number]) if type.rpartition("::")[2].endswith(
            "vector"
        ):
            yield name, None if value.braces else numbers_of(number)
        case syn.Construct(args=[_, *_]) | syn.InitList():
            yield name, None
        case syn.Call(callee=syn.Name(name="calloc" | "std::calloc")):
            yield name, frozenset({0})
        case _ if static:
            yield name, None
        case _:
            pass


def _escaped(values: Iterable[syn.Expr]) -> Iterator[tuple[str, None]]:
    """What leads somewhere and is known by another name from here on."""
    return ((name, None) for name in _pointers(values))


def _called(name: str, args: Sequence[syn.Expr], only_read: OnlyRead) -> Iterator[tuple[str, Numbers | None]]:
    if name in _COPYING or name in _HARMLESS:
        return  # see `_copies`
    target = _pointer(args[0]) if args else None
    if name in _SETTING and len(args) > 1:
        if target is not None:
            yield target, numbers_of(args[1])
    elif name in _FILLING and len(args) == 3:
        if target is not None:
            yield target, numbers_of(args[2])
    else:
        yield from _handed(name, args, only_read)


def _handed(name: str, args: Sequence[syn.Expr], only_read: OnlyRead) -> Iterator[tuple[str, None]]:
    """What a function is handed that may write it."""
    read = only_read(name)
    yield from ((array, None) for array in _pointers([arg for n, arg in enumerate(args) if n not in read]))


def _is_new(value: syn.Expr) -> bool:
    """Whether it is memory that nobody else knows."""
    value = uncast(value)
    return not isinstance(value, syn.Name | syn.Binary | syn.Unary | syn.Conditional | syn.Member)


def _pointers(args: Iterable[syn.Expr]) -> Iterator[str]:
    """The names by which arguments may lead somewhere; elements of arrays do not."""
    return (name for arg in args if (name := _pointer(arg)) is not None)


def _pointer(arg: syn.Expr) -> str | None:
    arg = uncast(arg)
    match arg:
        case syn.Name(name=name):
            return name
        case syn.Unary(op="&", operand=operand):
            while isinstance(operand, syn.Subscript | syn.Member):
                operand = operand.base
            return _pointer(operand)
        case syn.Binary(op="+" | "-", left=left):
            return _pointer(left)
        case syn.Call(callee=syn.Member(base=base, name="data" | "begin" | "end"), args=()):
            return _pointer(base)
        case _:
            return None


def _array(target: syn.Expr) -> Iterator[str]:
    """The name of the array that an element belongs to."""
    inner = uncast(target)
    while isinstance(inner, syn.Subscript | syn.Member):
        inner = uncast(inner.base)
    if isinstance(inner, syn.Unary) and inner.op == "*":
        yield from _pointers([inner.operand])
    elif isinstance(inner, syn.Name) and inner is not target:
        yield inner.name


def numbers_of(value: syn.Expr) -> Numbers | None:
    """The different numbers that an expression may be, where these are few.  What counts, and what is drawn, is not negative."""
    value = uncast(value)
    match value:
        case syn.Literal(kind=syn.LiteralKind.INT, text=text):
            return frozenset({_number(text)})
        case syn.Literal(text=text) | syn.Unary(op="-", operand=syn.Literal(text=text)):
            return frozenset({("-" if isinstance(value, syn.Unary) else "") + text})
        case syn.Binary(op="%" | "&" as op, right=syn.Literal(kind=syn.LiteralKind.INT, text=text)):
            most = _number(text)
            count = most + (op == "&") if isinstance(most, int) else MOST + 1
            return frozenset(range(count)) if count <= MOST else None
        case syn.Binary(op="+", left=left, right=right):
            return _sums(numbers_of(left), numbers_of(right))
        case syn.Binary(op=op) if op in _COMPARING:
            return frozenset({0, 1})
        case syn.Unary(op="!"):
            return frozenset({0, 1})
        case syn.Conditional(then=then, otherwise=otherwise):
            return _united((numbers_of(then), numbers_of(otherwise)))
        case _:
            return None


def _sums(left: Numbers | None, right: Numbers | None) -> Numbers | None:
    """ "1 + rand() % 8": of whole numbers, of which one side is one."""
    if left is None or right is None or min(len(left), len(right)) > 1:
        return None
    sums = [a + b for a in left for b in right if isinstance(a, int) and isinstance(b, int)]
    return frozenset(sums) if len(sums) == len(left) * len(right) else None


def _number(text: str) -> int | str:
    digits = text.rstrip("uUlL")
    return int(digits) if digits.isdecimal() and (digits == "0" or digits[0] != "0") else text
