"""Tree reductions in shared memory: in each round some cells take up others, until the first cell of an array holds what all of them held.

Which cell takes up which is not read from the text: the interpretation knows every round's threads and cells.  A loop is a reduction of N cells if
in each round no cell is touched twice, and if what the first cell has taken up in the end is each of N cells, once.  Whatever the threads do it in,
the first cell is then the same, as long as the operation may be done in any order; and so another tree may take its place, if nobody reads
another cell afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.domains.shape import every
from analysis_core.expressions.expression import Integer as Whole
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.ir import nodes as ir
from analysis_core.ir.types import ScalarKind, ScalarType, Space
from analysis_core.ir.walk import blocks_of, expressions_of, statements, statements_of, subexpressions, uncast
from analysis_core.program.launch import Launch, shape_text
from analysis_core.races.verdicts import Verdict
from analysis_core.rewrite.core.action import Choice, Comparison, Launching, Refused, Site
from analysis_core.rewrite.core.launching import known_launches
from analysis_core.rewrite.core.source import foreign
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_OPERATIONS = {"+": "addition", "*": "multiplication", "&": "`&`", "|": "`|`", "^": "`^`", "min": "min", "max": "max"}


@dataclass(frozen=True, slots=True)
class Update:
    """`cell op= other`, both elements of `array`."""

    array: ir.MemoryObject
    operation: str  # + * & | ^ min max
    type: ScalarType
    cell: ir.Load
    other: ir.Load
    store: ir.Store

    @property
    def done(self) -> str:
        """What it is called: "integer addition"."""
        kind = "floating point" if self.type.kind is ScalarKind.FLOAT else "integer"
        return f"{kind} {_OPERATIONS[self.operation]}"


@dataclass(frozen=True, slots=True)
class Reduction:
    """`cells`: how many; `first`: the barrier stands at the beginning of a round; `test`: which threads take part, None if it is all of them."""

    loop: ir.Loop
    updates: tuple[Update, ...]
    cells: int
    first: bool


def loops_of(kernel: ir.Kernel, span: Span) -> list[ir.Loop]:
    """The loops of a kernel that stand at a place of the text: one for each call of the function around it."""
    return [one for one in statements_of(kernel) if isinstance(one, ir.Loop) and one.whole == span]


def reduction_sites(unit: Unit, kernel: ir.Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    """Loops of the file that may be such a tree."""
    for loop in candidates(kernel):
        if loop.whole.file == unit.file:
            yield Site(kernel, declaration, loop.whole, "the reduction")


def candidates(kernel: ir.Kernel) -> Iterator[ir.Loop]:
    """Loops that look like reductions: with a barrier in each round, and a store to a shared array below a test that reads it, too."""
    for loop in statements_of(kernel):
        if isinstance(loop, ir.Loop) and any(isinstance(one, ir.Barrier) for one in loop.body):
            below = [s for one in loop.body if isinstance(one, ir.If) for s in statements(one.then)]
            stored, loaded = (
                {_array(kernel, s.address) for s in below if isinstance(s, kind)} for kind in (ir.Store, ir.Load)
            )
            if (stored & loaded) - {None}:
                yield loop


def reductions(unit: Unit, span: Span, choice: Choice) -> list[tuple[ir.Kernel, Reduction]] | Refused:
    """What the loop at a place is in every kernel that executes it, or why it is not a reduction in one of them."""
    found = []
    for kernel in unit.module.kernels:
        for loop in loops_of(kernel, span):
            one = _reduction(unit, kernel, loop, choice)
            if isinstance(one, Refused):
                return one
            if one is not None:
                found.append((kernel, one))
    return found or Refused("no launch in view executes it")


def of_all(found: Sequence[tuple[ir.Kernel, Reduction]]) -> Comparison:
    """All kernels that execute a loop are run one after the other, before and after; of one kernel nothing is said."""
    launched = tuple(Launching(name) for name in dict.fromkeys(k.instantiation or k.name for k, _ in found))
    return Comparison() if len(launched) < 2 else Comparison(launched, launched)


def _reduction(unit: Unit, kernel: ir.Kernel, loop: ir.Loop, choice: Choice) -> Reduction | Refused | None:
    """None if no launch executes the loop."""
    shape = _shape(kernel, loop)
    if isinstance(shape, str):
        return Refused(shape)
    updates, first = shape
    for one in updates:
        if one.type.kind is ScalarKind.FLOAT and not choice.rounding:
            return Refused(
                f"floating point: the order of {_plural(one.operation)} changes; "
                f'offered with "changes rounding" only if asked for'
            )
    if not first and not _barrier_before(kernel, loop):
        return Refused("no barrier stands between what is stored before the loop and its first round")
    launches = known_launches(unit, kernel)
    if isinstance(launches, Refused):
        return launches
    cells = set()
    for launch in launches:
        events = unit.events(kernel, launch)
        reason = _alone(unit, events, kernel, loop, updates, first)
        number = reason or _gathered(events, updates)
        if isinstance(number, str):
            return Refused(number)
        if number and (reason := _come(events, loop, launch, number)):
            return Refused(reason)
        cells.add(number)
    if cells == {0}:
        return None
    if len(cells) > 1:
        return Refused(f"launches differ in how many cells there are: {', '.join(map(str, sorted(cells)))}")
    if reason := _races(unit, kernel, updates):
        return Refused(reason)
    return Reduction(loop, updates, cells.pop(), first)


def _plural(operation: str) -> str:
    return {"+": "additions", "*": "multiplications"}.get(operation, f"`{operation}`")


# --- what a round does, in the IR ---------------------------------------------------------------------------------


def _shape(kernel: ir.Kernel, loop: ir.Loop) -> tuple[tuple[Update, ...], bool] | str:
    """The updates of a round, and whether its barrier comes first; or why it is another loop."""
    kept = [one for one in loop.body if not isinstance(one, ir.Assign | ir.Declare)]
    barriers = [one for one in kept if isinstance(one, ir.Barrier) and one.scope is ir.BarrierScope.BLOCK]
    tests = [one for one in kept if isinstance(one, ir.If)]
    if len(barriers) != 1 or len(tests) != 1 or len(kept) != 2 or loop.test:
        return "a round is not one barrier and updates below one test"
    test = tests[0]
    if test.otherwise or test.kind is not ir.IfKind.IF:
        return "the test in a round has another branch"
    updates = _updates(kernel, test.then)
    return updates if isinstance(updates, str) else (updates, kept[0] is barriers[0])


def _updates(kernel: ir.Kernel, block: ir.Block) -> tuple[Update, ...] | str:
    loads: dict[ir.VarId, ir.Load] = {}
    found: list[Update] = []
    for one in block:
        if isinstance(one, ir.Load) and len(one.vars) == 1:
            loads[one.vars[0]] = one
        elif isinstance(one, ir.Store) and len(one.values) == 1:
            update = _update(kernel, one, loads)
            if isinstance(update, str):
                return update
            found.append(update)
            loads = {}
        else:
            return "there is more below the test than updates `s[i] += s[j]`"
    if loads or not found or len({one.array.id for one in found}) < len(found):
        return "there is more below the test than one update of each array"
    return tuple(found)


def _update(kernel: ir.Kernel, store: ir.Store, loads: dict[ir.VarId, ir.Load]) -> Update | str:
    value = uncast(store.values[0])
    operands: Sequence[ir.Expr] = ()
    name = ""
    if isinstance(value, ir.Binary):
        name, operands = value.op, (value.left, value.right)
    elif isinstance(value, ir.Intrinsic):
        name, operands = value.name, value.args
    read = [loads.get(one.var) for one in map(uncast, operands) if isinstance(one, ir.Local)]
    if name not in _OPERATIONS or len(read) != 2 or len(loads) != 2 or None in read or read[0] is read[1]:
        return f"`{store.access.text}` is not the sum, product, minimum, maximum or bits of two elements"
    cell = next((one for one in loads.values() if one.address == store.address), None)
    other = next((one for one in loads.values() if one is not cell), None)
    array = _array(kernel, store.address)
    type_ = store.access.type
    if cell is None or other is None or array is None or _array(kernel, other.address) is not array:
        return f"`{store.access.text}` does not take up another element of its own array"
    if any(one.access.volatile for one in (cell, other, store)):
        return f"`{array.name}` is volatile"
    if not isinstance(type_, ScalarType) or type_.kind not in (ScalarKind.INT, ScalarKind.FLOAT):
        return f"`{store.access.text}` is no number"
    if name in ("min", "max") and any(isinstance(one, ir.Cast) for one in operands):
        return f"`{store.access.text}` is compared in another type"
    inner = value.type if isinstance(value, ir.Binary | ir.Intrinsic) else None
    if isinstance(inner, ScalarType) and inner.kind is not type_.kind:
        return f"`{store.access.text}` is computed in another type"
    return Update(array, name, type_, cell, other, store)


def _array(kernel: ir.Kernel, address: ir.Expr) -> ir.MemoryObject | None:
    """The shared array of which this is an element, by its own name."""
    address = uncast(address)
    if not isinstance(address, ir.PtrAdd):
        return None
    base = uncast(address.pointer)
    if not isinstance(base, ir.AddressOf) or address.offset:
        return None
    found = kernel.objects[base.object]
    return found if found.space is Space.SHARED else None


def _barrier_before(kernel: ir.Kernel, loop: ir.Loop) -> bool:
    """Whether nothing but registers is touched between a barrier and the loop, which may be the first of a branch or of a function."""
    pending: list[tuple[ir.Block, ir.Stmt | None]] = [(kernel.body, None)]
    while pending:
        block, last = pending.pop()
        for one in block:
            if one is loop:
                return isinstance(last, ir.Barrier) and last.scope is ir.BarrierScope.BLOCK
            pending += [(inner, last) for inner in blocks_of(one)]
            last = last if isinstance(one, ir.Assign | ir.Declare) else one
    return False


# --- what the rounds do, in the interpretation --------------------------------------------------------------------


def _gathered(events: Events, updates: tuple[Update, ...]) -> int | str:
    """Of how many cells the first one holds what they held, the same number for every array; or why that is not so."""
    numbers = set()
    for one in updates:
        rounds = [_rounds(events, access) for access in (one.cell, one.other, one.store)]
        held = _taken_up(one, rounds)
        if isinstance(held, str):
            return held
        numbers.add(held)
    return numbers.pop() if len(numbers) == 1 else "the arrays have different numbers of cells"


_Round = list[tuple[int, int]]
"""Thread and byte within the array, of one access in one round."""


def _rounds(events: Events, access: ir.Load | ir.Store) -> list[_Round] | str:
    found = []
    for event in events.accesses:
        if event.access.id != access.access.id:
            continue
        bytes_ = offsets(event)
        if bytes_ is None:
            return f"which threads and cells take part in `{event.access.text}` is not known before the kernel runs"
        found.append(bytes_)
    return found


def offsets(event: AccessEvent) -> _Round | None:
    """Which threads make an access, and where in its array; None if that is not known of each of them."""
    terms = dict(event.address.poly.terms)
    place = terms.pop((), 0)
    if event.mask.literals or event.times != Whole(1) or not event.address.exact or event.ragged:
        return None
    if len(terms) != 1 or any(len(m) != 1 or m[0].name != f"&{event.base}" or c != 1 for m, c in terms.items()):
        return None
    return [
        (thread, int(place if isinstance(place, int) else place[thread]))
        for thread in event.mask.may.nonzero()[0].tolist()
    ]


def _is_first(event: AccessEvent) -> bool:
    """Whether all threads access the first element of an array."""
    return (
        event.address.exact
        and [m[0].name for m in event.address.poly.terms if len(m) == 1] == [f"&{event.base}"]
        and len(event.address.poly.terms) == 1
    )


def _taken_up(update: Update, rounds: Sequence[list[_Round] | str]) -> int | str:
    name = update.array.name
    for one in rounds:
        if isinstance(one, str):
            return one
    cells, others, stores = (one for one in rounds if not isinstance(one, str))
    if not len(cells) == len(others) == len(stores) or cells != stores:
        return f"which threads update `{name}` is not known in every round"
    held: dict[int, frozenset[int]] = {}
    for targets, sources in zip(cells, others, strict=True):
        touched = [byte for _, byte in (*targets, *sources)]
        if len(set(touched)) < len(touched) or [t for t, _ in targets] != [t for t, _ in sources]:
            return f"a round touches an element of `{name}` twice"
        for (_, cell), (_, other) in zip(targets, sources, strict=True):
            mine, taken = held.get(cell, frozenset((cell,))), held.get(other, frozenset((other,)))
            if mine & taken:
                return f"an element of `{name}` is taken up twice"
            held[cell] = mine | taken
    if not held:
        return 0
    number = len(held.get(0, ()))
    if held.get(0) != frozenset(range(0, number * update.type.size, update.type.size)):
        return f"the first element of `{name}` does not take up all others"
    if number & (number - 1):
        return f"{number} elements of `{name}` are taken up, which is no power of two"
    return number


def _alone(
    unit: Unit, events: Events, kernel: ir.Kernel, loop: ir.Loop, updates: tuple[Update, ...], first: bool
) -> str | None:
    """Why what the loop leaves in its arrays beside their first elements may matter to somebody; None if it does not."""
    inside_ = {s.access.id for s in statements(loop.body) if isinstance(s, ir.Load | ir.Store)}
    numbers = [n for n, event in enumerate(events.accesses) if event.access.id in inside_]
    if not numbers:
        return None
    if reason := unclear(unit, kernel):
        return reason
    for n, event in enumerate(events.accesses):
        array = next((one.array for one in updates if event.base == one.array.name), None)
        line = unit.line(event.access.span)
        if array is None:
            if event.space in (Space.SHARED, Space.UNKNOWN) and event.base == "?":
                return f"`{event.access.text}` in line {line} may be an element of `{updates[0].array.name}`"
        elif event.access.id in inside_ or n < numbers[0]:
            pass
        elif event.kind is AccessKind.ATOMIC:
            return f"`{array.name}` is updated atomically in line {line}"
        elif event.kind is AccessKind.WRITE:
            if first:
                return f"no barrier stands between the last round and the store in line {line}"
        elif not _is_first(event) or event.access.width != updates[0].type.size:
            return f"`{event.access.text}` in line {line} reads another element than the first afterwards"
    if any(
        isinstance(one, ir.Loop) and one is not loop and any(s is loop for s in statements(one.body))
        for one in statements_of(kernel)
    ):
        return "it stands in another loop"
    return None


def _come(events: Events, loop: ir.Loop, launch: Launch, cells: int) -> str | None:
    """Why there may be fewer threads in a row than pairs to add; None if there are enough, in every round."""
    if launch.block[1:] != (1, 1):
        return f"the block has {shape_text(launch.block)} threads: they are not in one row"
    test = next(one for one in loop.body if isinstance(one, ir.If))
    masks = [event.mask for event in events.branches if event.span == test.span]
    pairs = cells // 2
    if launch.block[0] < pairs or not masks or any(not every(mask.must[:pairs]) for mask in masks):
        return f"it is not known that the first {pairs} threads of a block come to every round"
    return None


def unclear(unit: Unit, kernel: ir.Kernel) -> str | None:
    """Why not all that a kernel does to memory is known."""
    for one in statements_of(kernel):
        if isinstance(one, ir.UnknownStmt):
            return f"line {unit.line(one.span)} is not understood: {one.cause.reason}"
    return None


def _races(unit: Unit, kernel: ir.Kernel, updates: tuple[Update, ...]) -> str | None:
    """Why the updates may not be in order already."""
    report = unit.reported(kernel)
    if report is None or report.failure is not None:
        return "the kernel could not be analysed"
    spans = {one.access.span for update in updates for one in (update.cell, update.other, update.store)}
    for launch in report.launches:
        found = launch.profile.races
        if found is None:
            return "whether threads race is not known"
        if found.cause:
            return f"whether threads race is not known: {found.cause}"
        for race in found.races:
            if race.verdict is not Verdict.BENIGN and {race.first.span, race.second.span} & spans:
                return f"threads may race on `{race.first.text}` already (line {unit.line(race.first.span)})"
    return None


# --- what stands there in the text --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spelled:
    """The same loop in the text.  `counter`: its name; `start`: the expression that it begins with; `leading`: declarations in a round that nothing but
    the test and the elements' indexes needs; `thread`: how the thread's number is spelled there."""

    loop: syn.For
    counter: syn.VarDecl
    start: syn.Expr
    test: syn.If
    leading: tuple[syn.DeclStmt, ...]
    thread: str


def spelled(unit: Unit, kernel: ir.Kernel, reduction: Reduction) -> Spelled | Refused:
    """The text of a reduction, every part of which may be edited by itself."""
    loop = _for_at(unit, reduction.loop.whole)
    if loop is None or loop.condition is None or loop.step is None:
        return Refused("it is no `for` loop with a counter, a test and a step")
    limit = loop.condition.right if isinstance(loop.condition, syn.Binary) else None
    for part in (loop.step, loop.body, getattr(loop.condition, "left", loop.condition)):
        if part is not None and (reason := foreign(unit, part)):
            return Refused(reason)
    if limit is not None and limit.expansion is None and (reason := foreign(unit, limit)):
        return Refused(reason)
    match loop.init:
        case syn.DeclStmt(declarations=(syn.VarDecl(init=syn.Expr() as start) as counter,)):
            pass
        case _:
            return Refused("its counter is not declared in the loop")
    body = loop.body.body if isinstance(loop.body, syn.Compound) else (loop.body,)
    tests = [one for one in body if isinstance(one, syn.If)]
    leading = tuple(one for one in body if isinstance(one, syn.DeclStmt))
    if len(tests) != 1 or tests[0].init is not None or len(body) != 2 + len(leading):
        return Refused("a round is not spelled as one barrier and one `if`")
    if any(loop.span.encloses(one.span) for one in unit.tree.annotations if one.span.file == unit.file):
        return Refused("there is an annotation in the loop")
    return Spelled(loop, counter, start, tests[0], leading, _thread_name(kernel, reduction, loop))


def subscripts(test: syn.If, update: Update) -> list[tuple[syn.Subscript, bool]] | None:
    """The elements of an update as spelled below the test, each with whether it is the cell that takes up; None if one is spelled otherwise."""
    at = {update.cell.access.span: True, update.store.access.span: True, update.other.access.span: False}
    found = [
        (one, at[one.span])
        for one in inside(test.then)
        if isinstance(one, syn.Subscript)
        and one.span in at
        and isinstance(one.base, syn.Name)
        and one.base.name == update.array.name
    ]
    return found if {one.span for one, _ in found} == set(at) else None


def _for_at(unit: Unit, span: Span) -> syn.For | None:
    for declaration in unit.tree.declarations:
        if declaration.span.encloses(span):
            for one in inside(declaration):
                if isinstance(one, syn.For) and one.span == span:
                    return one
    return None


def _thread_name(kernel: ir.Kernel, reduction: Reduction, loop: syn.For) -> str:
    """A variable that the loop names and that is the thread's number throughout, or `threadIdx.x`."""
    values: dict[ir.VarId, list[ir.Expr]] = {}
    for one in statements_of(kernel):
        if isinstance(one, ir.Assign):
            values.setdefault(one.var, []).append(uncast(one.value))
    named = {one.name for one in inside(loop) if isinstance(one, syn.Name)}
    for variable in kernel.variables:
        mine = values.get(variable.id, [])
        name = variable.name.rpartition(": ")[2]
        if len(mine) == 1 and name in named and _is_thread(mine[0]) and not _names_twice(loop, name):
            if isinstance(variable.type, ScalarType) and variable.type.size >= 4 and _read(reduction.loop, variable.id):
                return name
    return "threadIdx.x"


def _is_thread(value: ir.Expr) -> bool:
    return isinstance(value, ir.Builtin) and value.kind is ir.BuiltinKind.THREAD_IDX and value.axis == 0


def _names_twice(loop: syn.For, name: str) -> bool:
    return any(isinstance(one, syn.VarDecl) and one.name == name for one in inside(loop))


def _read(loop: ir.Loop, variable: ir.VarId) -> bool:
    return any(
        isinstance(node, ir.Local) and node.var == variable
        for one in statements(loop.body)
        for expr in expressions_of(one)
        for node in subexpressions(expr)
    )
