"""Cost programs of loops without closed form, read off the IR statement by statement.

Followed are integer scalars that the loop changes and that all lanes of a warp share (`interp/core/uniformity.py` says which); a value
that is not affine in them becomes a choice within its type.  A condition that the lanes share and that compares such
values is a guard; any other may hold or not.  Under a condition that lanes may answer differently a warp runs the arms one
after the other, each or none; what lanes do on their own account (break, continue, return) may or may not leave the warp without
lanes.  So each real run is one of the program's, and bounds of the program hold for it.

`break`, `continue` and `return` set flags, variables of 0 and 1; what follows them runs where the flags are 0.  On a
straight-line path flags are constants, so they cost the analysis nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from analysis_core.bounds.loop_values import Guard, LoopValues, type_range
from analysis_core.bounds.program import (
    Affine,
    Arm,
    Branch,
    Choose,
    CostProgram,
    Parameter,
    Stmt,
    Tick,
    While,
    plus,
    times,
)
from analysis_core.bounds.program import Assign as Put
from analysis_core.expressions.bounds import Reason
from analysis_core.interp.core.uniformity import assigned_by, changed_variables
from analysis_core.ir import nodes as ir
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import statements, subexpressions
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Costs = tuple[tuple[str, int, int], ...]
"""(metric, lower, upper) of one execution by any lanes that are not none."""


@dataclass(frozen=True, slots=True)
class LoopProgram:
    """`assumptions`: texts of what the translation rests on.  `divides`: lanes of a warp may decide something differently."""

    program: CostProgram
    assumptions: tuple[str, ...]
    divides: bool


def loop_program(
    kernel: ir.Kernel,
    loop: ir.Loop,
    entry: Mapping[ir.VarId, Affine | None],
    parameters: Sequence[Parameter],
    ticks: Mapping[ir.AccessId | Span, Costs],
    is_uniform: Callable[[ir.VarId], bool],
    facts: tuple[Affine, ...] = (),
    steps: Callable[[ir.Stmt], int] | None = None,
) -> LoopProgram | Reason:
    """The loop from its start to its end.  `entry`: values before it, in parameters; `ticks`: by access, and by the span of
    what decides a branch; `is_uniform`: whether all lanes of a warp have one value of a variable, anywhere in the loop;
    `steps`: what a statement (a loop: its test) costs at most in abstract steps."""
    parts = (*loop.test, *loop.body, *loop.step)
    unknown = next((s for s in statements(parts) if isinstance(s, ir.UnknownStmt)), None)
    if unknown is not None:
        return Reason("text that is not analysed", unknown.span)
    names: dict[ir.VarId, str] = {}
    changed = changed_variables(parts)
    for var in sorted(changed):
        of = kernel.variables[var].type
        if isinstance(of, ScalarType) and of.kind in (ScalarKind.INT, ScalarKind.BOOL) and is_uniform(var):
            names[var] = f"{kernel.variables[var].name}#{len(names)}"
    values = LoopValues(names, {v: e for v, e in entry.items() if v not in changed})
    reader = _Reader(kernel, names, values, ticks, is_uniform, steps)
    start: list[Stmt] = []
    for var, name in names.items():
        value = entry.get(var)
        low, high = type_range(kernel.variables[var].type)
        start.append(Choose(name, low, high) if value is None else Put(name, value))
    body = (*start, *reader.block((loop,), _Place("return", "return", "return")))
    program = CostProgram(tuple(parameters), (Put("return", Affine(0)), *body), facts)
    return LoopProgram(program, tuple(sorted(values.assumptions)), reader.divides)


@dataclass(frozen=True, slots=True)
class _Place:
    """The flags that break, continue and return set here; `apart_..`: whether lanes that do not do so may go on to where the
    flag is asked, so that it may stay 0."""

    breaks: str
    continues: str
    returns: str
    apart_break: bool = False
    apart_continue: bool = False
    apart_return: bool = False

    def divided(self) -> _Place:
        return _Place(self.breaks, self.continues, self.returns, True, True, True)


@dataclass(slots=True, eq=False)
class _Reader:
    kernel: ir.Kernel
    names: Mapping[ir.VarId, str]
    values: LoopValues
    ticks: Mapping[ir.AccessId | Span, Costs]
    is_uniform: Callable[[ir.VarId], bool]
    steps: Callable[[ir.Stmt], int] | None = None
    flags: int = field(default=0)
    divides: bool = field(default=False)

    def block(self, block: Sequence[ir.Stmt], place: _Place) -> tuple[Stmt, ...]:
        """Statements in order; what follows one that may leave runs where no flag is set."""
        result: list[Stmt] = []
        for index, stmt in enumerate(block):
            result.extend(self.statement(stmt, place))
            flags = _leaves(stmt, place)
            rest = block[index + 1 :]
            if flags and rest:
                result.append(_unless(flags, self.block(rest, place)))
                break
        return tuple(result)

    def statement(self, stmt: ir.Stmt, place: _Place) -> tuple[Stmt, ...]:
        own = () if isinstance(stmt, ir.Loop) else self._own_steps(stmt)
        return (*own, *self._statement(stmt, place))

    def _own_steps(self, stmt: ir.Stmt) -> tuple[Stmt, ...]:
        most = self.steps(stmt) if self.steps is not None else 0
        return (Tick((("steps", 0, most),), None, ""),) if most else ()

    def _statement(self, stmt: ir.Stmt, place: _Place) -> tuple[Stmt, ...]:
        match stmt:
            case ir.Assign(var=var, value=value):
                return self._assign(var, value)
            case ir.Load() | ir.Store() | ir.Atomic():
                return (*self._tick(stmt.access.id, stmt.access.span, stmt.access.text), *self._changed(stmt))
            case ir.If():
                return self._if(stmt, place)
            case ir.Loop():
                return self._loop(stmt, place)
            case ir.Switch():
                return self._switch(stmt, place)
            case ir.Inlined():
                flag = self._flag("return")
                inner = _Place(place.breaks, place.continues, flag)
                return (Put(flag, Affine(0)), *self.block(stmt.body, inner))
            case ir.Break():
                return _set(place.breaks, place.apart_break)
            case ir.Continue():
                return _set(place.continues, place.apart_continue)
            case ir.Return():
                return _set(place.returns, place.apart_return)
            case ir.Declare() | ir.Barrier() | ir.Fence():
                return ()
            case _:
                return self._changed(stmt)

    def _flag(self, name: str) -> str:
        self.flags += 1
        return f"{name}{self.flags}"

    def _tick(self, key: ir.AccessId | Span, span: Span, label: str) -> tuple[Stmt, ...]:
        costs = self.ticks.get(key)
        return (Tick(costs, span, label),) if costs else ()

    def _changed(self, stmt: ir.Stmt) -> tuple[Stmt, ...]:
        """Variables that get values from outside of the analysis."""
        changed = [var for var in assigned_by(stmt) if var in self.names]
        return tuple(Choose(self.names[v], *type_range(self.kernel.variables[v].type)) for v in changed)

    def _assign(self, var: ir.VarId, value: ir.Expr) -> tuple[Stmt, ...]:
        name = self.names.get(var)
        if name is None:
            return ()
        of = self.kernel.variables[var].type
        known = self.values.affine(value)
        narrow = isinstance(of, ScalarType) and of.size < 4
        if known is not None and (not narrow or not known.terms):
            return (Put(name, known),)
        quotient = None if narrow else self.values.quotient(value)
        if quotient is None:
            return (Choose(name, *type_range(of)),)
        return _divided(name, *quotient)

    def _shared(self, condition: ir.Expr) -> bool:
        """Whether all lanes of a warp find the same."""
        for node in subexpressions(condition):
            match node:
                case ir.Local(var=var) if self.is_uniform(var):
                    continue
                case ir.Local() | ir.Builtin(kind=ir.BuiltinKind.THREAD_IDX) | ir.UnknownExpr():
                    self.divides = True
                    return False
                case _:
                    continue
        return True

    def _if(self, stmt: ir.If, place: _Place) -> tuple[Stmt, ...]:
        tick = self._tick(stmt.span, stmt.span, "")
        if self._shared(stmt.condition):
            yes = self.block(stmt.then, place)
            no = self.block(stmt.otherwise, place)
            arms = [Arm(g, yes) for g in self.values.guards(stmt.condition, True)[0]]
            arms += [Arm(g, no) for g in self.values.guards(stmt.condition, False)[0]]
            return (*tick, Branch(tuple(arms), stmt.span))
        found = list(tick)
        for block in (stmt.then, stmt.otherwise):
            if block:
                inner = self.block(block, place.divided())
                found.append(Branch((Arm((), inner), Arm((), ())), stmt.span))
        return tuple(found)

    def _loop(self, stmt: ir.Loop, place: _Place) -> tuple[Stmt, ...]:
        """flag = 0; test; while (flag is 0 and condition) { body; step; test }; the condition is a guard where it is one."""
        breaks, continues = self._flag("break"), self._flag("continue")
        # Lanes that continued make another round when others break, and those that broke go on when others return.
        others = any(isinstance(s, ir.Continue) for s in statements(stmt.body))
        outermost = place.breaks == place.returns
        inner = _Place(breaks, continues, place.returns, others, False, others if outermost else True)
        clear = (Put(breaks, Affine(0)), Put(continues, Affine(0)))
        test = (*self.block(stmt.test, inner), *self._own_steps(stmt), *self._tick(stmt.span, stmt.span, ""))
        leaves = {type(s) for s in statements(stmt.body)}
        flags = [*([breaks] if ir.Break in leaves else []), *([place.returns] if _returns(stmt) else [])]
        running = tuple(_not_set(flag) for flag in flags)
        body = (*clear, *self.block(stmt.body, inner))
        step = self.block(stmt.step, inner)
        if stmt.condition is None:
            return (*clear, While(running, (*test, *body, _unless(flags, step)), stmt.span))
        if not self._shared(stmt.condition):
            flags = list(dict.fromkeys((breaks, *flags)))
            running = tuple(_not_set(flag) for flag in flags)
            stop: tuple[Stmt, ...] = (Branch((Arm((), ()), Arm((), (Put(breaks, Affine(1)),))), stmt.span),)
        else:
            go, _ = self.values.guards(stmt.condition, True)
            end, exact = self.values.guards(stmt.condition, False)
            if stmt.kind is not ir.LoopKind.DO and exact and len(go) == 1:
                again = _unless(flags, (*step, *test))
                return (*clear, *test, While((*running, *go[0]), (*body, again), stmt.span))
            flags = list(dict.fromkeys((breaks, *flags)))
            running = tuple(_not_set(flag) for flag in flags)
            arms = [*(Arm(g, ()) for g in go), *(Arm(g, (Put(breaks, Affine(1)),)) for g in end)]
            stop = (Branch(tuple(arms), stmt.span),)
        if stmt.kind is ir.LoopKind.DO:
            return (*clear, While(running, (*body, _unless(flags, (*step, *test, *stop))), stmt.span))
        return (*clear, While(running, (*test, *stop, _unless([breaks], (*body, _unless(flags, step)))), stmt.span))

    def _switch(self, stmt: ir.Switch, place: _Place) -> tuple[Stmt, ...]:
        """Every arm may run or not, in order, until one breaks."""
        flag = self._flag("break")
        inner = _Place(flag, place.continues, place.returns, not self._shared(stmt.selector), True, True)
        found: list[Stmt] = [*self._tick(stmt.span, stmt.span, ""), Put(flag, Affine(0))]
        flags = [flag, *_leaves(stmt, place)]
        for arm in stmt.arms:
            run = Branch((Arm((), self.block(arm.body, inner)), Arm((), ())), stmt.span)
            found.append(_unless(flags, (run,)))
        return tuple(found)


def _not_set(flag: str) -> Affine:
    return Affine(0, ((flag, -1),))


def _unless(flags: Sequence[str], block: tuple[Stmt, ...]) -> Branch:
    """Runs a block where none of the flags is set."""
    if not flags:
        return Branch((Arm((), block),), None)
    here: Guard = tuple(_not_set(f) for f in flags)
    return Branch((Arm(here, block), *(Arm((Affine(-1, ((f, 1),)),), ()) for f in flags)), None)


def _set(flag: str, apart: bool) -> tuple[Stmt, ...]:
    """All lanes leave; or, where only some may be here, perhaps."""
    put = Put(flag, Affine(1))
    return (Branch((Arm((), (put,)), Arm((), ())), None),) if apart else (put,)


def _returns(stmt: ir.Stmt) -> bool:
    own, deeper = _below(stmt, through_loops=True)
    return any(isinstance(s, ir.Return) for s in (*own, *deeper))


def _leaves(stmt: ir.Stmt, place: _Place) -> list[str]:
    """The flags of `place` that the statement may set."""
    own, deeper = _below(stmt, through_loops=False)
    found: dict[str, None] = {}
    for s in own:
        match s:
            case ir.Break():
                found[place.breaks] = None
            case ir.Continue():
                found[place.continues] = None
            case ir.Return():
                found[place.returns] = None
            case _:
                continue
    for s in deeper:
        found[place.returns if isinstance(s, ir.Return) else place.continues] = None
    return list(found)


def _below(stmt: ir.Stmt, through_loops: bool) -> tuple[list[ir.Stmt], list[ir.Stmt]]:
    """Statements that leave something outside of `stmt`: directly, and from inside of inner loops (returns) and switches
    (returns, continues).  Bodies of inlined calls keep their returns."""
    own: list[ir.Stmt] = []
    deeper: list[ir.Stmt] = []
    todo: list[tuple[ir.Stmt, str]] = [(stmt, "")]
    while todo:
        s, inside = todo.pop()
        match s:
            case ir.Break() | ir.Continue() | ir.Return():
                if inside == "":
                    own.append(s)
                elif isinstance(s, ir.Return) or (inside == "switch" and isinstance(s, ir.Continue)):
                    deeper.append(s)
            case ir.If():
                todo += [(x, inside) for x in (*s.then, *s.otherwise)]
            case ir.Switch():
                todo += [(x, inside or "switch") for arm in s.arms for x in arm.body]
            case ir.Loop():
                todo += [(x, "" if through_loops else "loop") for x in (*s.test, *s.body, *s.step)]
            case _:
                continue
    return own, deeper


def _divided(name: str, dividend: Affine, divisor: int, down: bool) -> tuple[Stmt, ...]:
    """name = dividend / divisor: chosen, and checked by multiplication."""
    before, after = Affine(0, (("dividend", 1),)), Affine(0, ((name, 1),))
    whole = times(divisor, after)
    rest = plus(before, times(-1, whole))
    small = (rest, plus(Affine(divisor - 1), times(-1, rest)))
    arms = [Arm(small if down else (*small, before), ())]
    if not down:
        # C rounds towards zero.
        negative = (times(-1, rest), plus(Affine(divisor - 1), rest), plus(Affine(-1), times(-1, before)))
        arms.append(Arm(negative, ()))
    return Put("dividend", dividend), Choose(name, None, None), Branch(tuple(arms), None)
