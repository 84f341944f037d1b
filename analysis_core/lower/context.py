"""`Lowering`: everything mutable while one kernel is lowered; it lives only during one `lower` call.

The functions of `lower_*.py` take it as their first argument, emit statements into its current block and return
operands (`values.py`).  It creates variables, objects and accesses, knows the scopes and the frames of inlined
calls, and writes down every unknown and every assumption.

    left = lower_expressions.rvalue(ctx, node.left)          # emits what must happen before
    mark = ctx.mark()
    right = lower_expressions.rvalue(ctx, node.right)
    left = ctx.keep(left, mark)                              # if the right side changed what `left` reads

Who provides what (modules call one another as `module.function`, since they are mutually recursive):

  `lower_expressions`
      operand(ctx, expr) -> Operand                   what the expression denotes; places stay places
      rvalue(ctx, expr) -> Operand                    loaded: Value, StructValue, ArrayValue or compile-time thing
      value(ctx, expr) -> Value                       a scalar or pointer; anything else is a recorded unknown
      condition(ctx, expr) -> Expr                    converted to BOOL
      effects(ctx, expr) -> None                      for side effects only
      constant(ctx, expr) -> Const | None             an integer constant expression, else None; records nothing
      type_of_expression(ctx, expr) -> Type           without evaluating it
  `lower_lvalues`
      load(ctx, operand, node) -> Operand             rvalue of any operand (arrays decay, places are read)
      store(ctx, place, operand, node) -> None        converts and stores / assigns; `node` gives span and spelling
      dereference(ctx, value, node) -> Operand        `*p`
      subscript(ctx, base, index, node) -> Operand    `p[i]`
      member(ctx, base, name, node) -> Operand        `s.name` of a struct operand (place or value)
      address_of(ctx, operand, node) -> Value | RegisterPointer
  `conversions`
      convert(ctx, operand, type, node) -> Operand    implicit conversion to `type`; decay included
      convert_value(ctx, value, type) -> Value        the same between scalars and pointers
      arithmetic(left, right) -> Type                 the usual arithmetic conversions
  `lower_declarations`
      declare_place(ctx, name, type, span, ...)       an uninitialised variable: Register, StructPlace or Memory
      initialise(ctx, place, init, node)              brace lists, constructors, plain values
      declare(ctx, declaration)                       one VarDecl of a function body
  `resolve`
      resolve_type(ctx, type_node) -> Type            names through scopes, templates bound, extents evaluated
      bind_template(ctx, parameters, args, scope)     explicit template arguments and defaults as bindings
  `lower_statements`
      statement(ctx, stmt), block(ctx, stmts)         emit into the current block
      body_block(ctx, stmt) -> Block                  into a block of its own

Hooks that calls, templates and launches implement, called from here:

  `lower_calls`
      lower_call(ctx, call: syn.Call) -> Operand                    functions, builtins, atomics, methods, closures
      construct(ctx, type: Type, args: tuple[syn.Expr, ...], node: syn.Node) -> Operand | None
                                                                    user-declared constructors (library types too);
                                                                    None: there is none
      lower_operator(ctx, op: str, operands: tuple[Operand, ...], node: syn.Expr) -> Operand | None
                                                                    user-declared operators on structs ("[]", "()",
                                                                    "+", "+=", "-" unary, ..); None: there is none
      convert_struct(ctx, operand: Operand, type: Type, node) -> Operand | None   converting constructors, operators
      library_type(ctx, name: str, args: tuple[TemplateArg, ...] | None) -> Type | None
                                                                    `cg::thread_block`, textures: an OpaqueType
      library_value(ctx, name: str, node: syn.Name) -> Operand | None   names of the toolkit that are no functions
      handle_member(ctx, handle: Handle, node: syn.Member) -> Operand | None
                                                                    (`lower_call` itself folds `constexpr` functions with
                                                                    constant arguments: a Const, nothing emitted)
  `templates`
      instances_of(unit: Unit, kernel: syn.FunctionDecl) -> tuple[Instance, ...]
                                                                    at least one; with the launch sites of each
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING

from analysis_core.ir.effects import Reads, assigned_in, variables_in, variables_of
from analysis_core.ir.launch_site import LaunchSite
from analysis_core.ir.nodes import (
    Access,
    AccessId,
    Assign,
    Atomic,
    Block,
    BuiltinKind,
    Const,
    Expr,
    If,
    Load,
    Local,
    MemoryObject,
    ObjectId,
    Stmt,
    Store,
    Switch,
    Variable,
    VarId,
)
from analysis_core.ir.types import BOOL, ArrayType, Qualified, Space, StructType, Type
from analysis_core.lower.names.scope import Binding, RecordInstance, Scope, Unit, join
from analysis_core.lower.objects.record_layout import Layout
from analysis_core.lower.values import Memory, Operand, Register, StructPlace, Value, unknown_value
from analysis_core.support.facts import Assumption, Cause, CauseKind
from analysis_core.support.fuel import ACCESS, BRANCH, LOWERING, Fuel
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.models import is_assumed, is_model, missing_header
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.hidden_names import HiddenNames
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.lower.statements.claims import Claims


@dataclass(frozen=True, slots=True)
class Instance:
    """One instantiation of a kernel: `bindings` give its template parameters a meaning, `launches` its call sites.  `undeclared`: parameters
    without a binding that launches give types which are not declared."""

    name: str | None  # "reduce<256>", None for no template
    bindings: Mapping[str, Binding]
    launches: tuple[LaunchSite, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    instances: Mapping[str, RecordInstance] = field(default_factory=dict)  # classes that `bindings` mention
    guessed: bool = False  # values among `bindings` are guesses, each with its assumption
    undeclared: frozenset[str] = frozenset()


@dataclass(slots=True)
class Frame:
    """The function whose body is being lowered: the kernel, or an inlined call.

    `on_return` receives a `return` and must emit the assignment of its value (the caller of `inline` knows the type
    and the place of the result); the `Return` statement itself is emitted by `lower_statements`."""

    function: str  # "" for the kernel; names variables "f(): x"
    declaration: syn.FunctionDecl | None
    scope: Scope
    on_return: Callable[[Lowering, syn.Return], None] | None = None
    this: Operand | None = None  # a RegisterPointer, or a pointer Value


@dataclass(slots=True)
class Notes:
    """What lowering a statement has recorded: causes, assumptions, components of threadIdx, variables whose address
    escapes. Entries that were known before are noted as well."""

    causes: list[Cause] = field(default_factory=list)
    assumptions: list[tuple[str, Span | None]] = field(default_factory=list)
    axes: set[int] = field(default_factory=set)
    escapes: set[Span] = field(default_factory=set)


class Fit(Enum):
    """Whether template arguments fit; open where something they rest on is not visible."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


@dataclass(slots=True)
class Substitution:
    """The result of replacing template parameters by arguments. `failed`: something is ill-formed; `unsure`: something
    is not known."""

    failed: bool = False
    unsure: bool = False


@dataclass(slots=True)
class Lowering:
    """The state of the lowering of one kernel.  Invariant: `blocks` is never empty; its last entry is written to."""

    unit: Unit
    frame: Frame
    scope: Scope
    variables: list[Variable] = field(default_factory=list)
    reads: Reads = field(default_factory=dict)
    objects: list[MemoryObject] = field(default_factory=list)
    blocks: list[list[Stmt]] = field(default_factory=lambda: [[]])
    unknowns: list[Cause] = field(default_factory=list)
    assumptions: list[Assumption] = field(default_factory=list)
    requested_axes: set[int] = field(default_factory=set)
    asserted: list[Span] = field(default_factory=list)  # what assertions ask for that are none in a release
    asserted_extents: list[tuple[int, int, Span]] = field(default_factory=list)  # axis, extent, place
    asserted_sizes: list[tuple[VarId, int | None, int | None]] = field(default_factory=list)  # parameter, least, most
    promises: list[str] = field(default_factory=list)  # conditions of `__builtin_assume` that every thread meets
    via: tuple[Span, ...] = ()
    frames: list[Frame] = field(default_factory=list)  # enclosing ones, outermost first, without `frame`
    inlined_statements: int = 0  # budget: settings.inline_statements
    most_inlined: int = 0  # the most there were since somebody reset it (relowering.py)
    nested_loops: int = 0  # around what is lowered, inlined calls included (lower_loops.py)
    cramped: bool = False  # a call was not inlined for want of budget
    notes: Notes | None = None  # of the outermost statement, where somebody wants them
    next_access: int = 0
    deferred: bool = False  # accesses are parts of copies that their thread must wait for
    temporaries: int = 0  # objects with a destructor that no variable owns (`destructors`)
    scratch_depth: int = 0  # inside `scratch()` nothing is recorded
    types_only: bool = (
        False  # of what is lowered only the type is asked for: numbers that calls return are not looked for
    )
    escaped: frozenset[Span] = frozenset()  # declarations whose address escaped in an earlier round
    escapes: set[Span] = field(default_factory=set)  # those found in this round
    globals: dict[str, Operand] = field(default_factory=dict)  # file-scope objects met so far, by qualified name
    opaque: dict[str, Register] = field(default_factory=dict)  # opaque constants by spelling
    read_only: set[VarId] = field(default_factory=set)  # parameters of classes known in part, which nothing changes
    types: dict[str, Type] = field(default_factory=dict)  # resolved records and aliases by key
    layouts: dict[str, Layout] = field(default_factory=dict)  # of records, by `StructType.name`
    instances: dict[str, RecordInstance] = field(default_factory=dict)  # by `StructType.name`
    aliases: dict[str, Qualified] = field(default_factory=dict)  # what typedefs stand for, by key
    substitution: Substitution | None = None  # while template arguments are tried (substitutions.py)
    resolving: set[str] = field(default_factory=set)  # keys of types and enumerators under construction
    constants: dict[tuple[object, ...], Const] = field(default_factory=dict)
    """By qualified name and template arguments, once known: of this kernel alone, so that no other one pays for them."""
    without_value: set[Hashable] = field(
        default_factory=set
    )  # constants that were found to have none, while one is worked out
    evaluating: set[str] = field(
        default_factory=set
    )  # constants that are being worked out, each inside of those before
    claims: Claims | None = None  # what annotations claim, where the kernel is lowered to have it checked
    fuel: Fuel = field(init=False)

    def __post_init__(self) -> None:
        self.fuel = Fuel.of_reading(LOWERING, self.settings)

    @property
    def settings(self) -> Settings:
        return self.unit.settings

    def step(self) -> None:
        """Counts an expression, a type or a statement.  Raises `OutOfFuel`."""
        self.fuel.spend(1, "up to here there are more expressions, calls and template instances than are analysed")

    # --- statements -------------------------------------------------------------------------------------------------

    def emit(self, statement: Stmt) -> None:
        self.step()
        if isinstance(statement, If | Switch):
            self.fuel.spend(BRANCH, "more branches stand before it than a kernel may have")
        if self.via and not isinstance(statement, Load | Store | Atomic) and is_model(statement.span.file):
            statement = replace(statement, span=self.seen_at(statement.span))
        self.blocks[-1].append(statement)

    def seen_at(self, span: Span) -> Span:
        """The place that a reader is told for a span: code inside a model of a library class is placed at the call of
        it."""
        if not is_model(span.file):
            return span
        return next((call for call in reversed(self.via) if not is_model(call.file)), span)

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Statements emitted inside go into a block of their own: `with ctx.block() as then: ...; tuple(then)`."""
        block: list[Stmt] = []
        self.blocks.append(block)
        try:
            yield block
        finally:
            self.blocks.pop()

    @contextmanager
    def scratch(self, types_only: bool = False) -> Iterator[list[Stmt]]:
        """A context in which code is lowered without effect: all that is emitted, created or recorded is forgotten
        afterwards, `escapes` included. For unevaluated operands (sizeof, decltype, overload resolution). `types_only`:
        not even the value is needed."""
        outer, self.types_only = self.types_only, types_only
        sizes = len(self.variables), len(self.objects), len(self.unknowns), len(self.assumptions)
        axes, access, inlined = set(self.requested_axes), self.next_access, self.inlined_statements
        temporaries = self.temporaries
        escapes, known, opaque = set(self.escapes), dict(self.globals), dict(self.opaque)
        self.scratch_depth += 1
        try:
            with self.block() as block:
                yield block
        finally:
            self.scratch_depth -= 1
            self.types_only = outer
            self.temporaries = temporaries
            del self.variables[sizes[0] :]
            del self.objects[sizes[1] :]
            del self.unknowns[sizes[2] :]
            del self.assumptions[sizes[3] :]
            self.requested_axes, self.next_access, self.inlined_statements = axes, access, inlined
            self.escapes, self.globals, self.opaque = escapes, known, opaque

    @contextmanager
    def nested_scope(self) -> Iterator[Scope]:
        """A block of names inside the present one."""
        outer = self.scope
        self.scope = Scope(outer)
        try:
            yield self.scope
        finally:
            self.scope = outer

    @contextmanager
    def in_scope(self, scope: Scope) -> Iterator[None]:
        """Names are looked up from `scope` inside of this context, for declarations that stand elsewhere."""
        outer = self.scope
        self.scope = scope
        try:
            yield
        finally:
            self.scope = outer

    @contextmanager
    def inlining(self, frame: Frame, call: Span) -> Iterator[None]:
        """Lowers the body of a called function: `frame.scope` becomes the scope, `via` is extended by the call."""
        if frame.declaration is not None:
            self.assume_macros(frame.declaration)
            self._assume_model(frame.declaration, call)
        outer, scope, via = self.frame, self.scope, self.via
        self.frames.append(outer)
        self.frame, self.scope, self.via = frame, frame.scope, (*via, call)
        try:
            yield
        finally:
            self.frames.pop()
            self.frame, self.scope, self.via = outer, scope, via

    def _assume_model(self, called: syn.FunctionDecl, call: Span) -> None:
        """Records that a function is taken for what a model says of it."""
        header = missing_header(called.span.file)
        if header is not None:
            self.assume(f"`{header}` was not found: its functions are assumed to be those of the CUDA samples")
        name = join(called.scope, called.owner or called.name)
        if not is_model(call.file) and is_assumed(name, called.span.file):
            self.assume(f"the costs of `{name}` are those of warpcost's model of it")

    def assume_macros(self, declaration: syn.FunctionDecl) -> None:
        """Records what the conditionals (`#if`) in and around a function assume about macros."""
        own = declaration.span
        for conditional in self.unit.tree.conditionals:
            there = conditional.span
            if there.file == own.file and there.start < own.end and own.start < there.end:
                for text in conditional.taken:
                    self.assume(text, there)

    # --- order of evaluation ----------------------------------------------------------------------------------------

    def mark(self) -> int:
        """The present end of the current block, for `keep`."""
        return len(self.blocks[-1])

    def keep(self, expr: Expr, mark: int) -> Expr:
        """`expr` with the value that it had at `mark`: it is copied to a fresh variable there if a later statement
        assigns to a variable that it reads."""
        later = self.blocks[-1][mark:]
        if not later:
            return expr
        read = variables_of(expr, self.reads)
        if not read or read.isdisjoint(assigned_in(later)):
            return expr
        var = self.temporary("(earlier)", expr.type, _span_of(later[0]))
        self.blocks[-1].insert(mark, Assign(var, expr, _span_of(later[0])))
        return Local(var, expr.type)

    def freeze(self, place: Operand, span: Span) -> Operand:
        """A place that stays the same whatever is assigned later (for references): its address in a variable."""
        if isinstance(place, Memory) and variables_in(place.address):
            address = self.save(place.address, span)
            return replace(place, address=address)
        return place

    def save(self, expr: Expr, span: Span, name: str = "(address)") -> Expr:
        """The present value of `expr` in a fresh variable."""
        var = self.temporary(name, expr.type, span)
        self.emit(Assign(var, expr, span))
        return Local(var, expr.type)

    @property
    def hidden(self) -> HiddenNames:
        """The names that must not be shown, with what is shown in their place."""
        return self.unit.tree.hidden

    # --- things with identity ---------------------------------------------------------------------------------------

    def variable(self, name: str, type: Type, span: Span, parameter: bool = False) -> VarId:
        """A new register; inside of an inlined call its name is "f(): x"."""
        self.step()
        var = VarId(len(self.variables))
        shown = self.hidden.shown(f"{self.frame.function}(): {name}" if self.frame.function else name)
        self.variables.append(Variable(var, shown, type, self.seen_at(span), parameter))
        return var

    def temporary(self, name: str, type: Type, span: Span) -> VarId:
        """A register without a name in the source; `name` is its spelling for display, taken as it is."""
        var = VarId(len(self.variables))
        self.variables.append(Variable(var, self.hidden.shown(name), type, self.seen_at(span)))
        return var

    def object(
        self, name: str, space: Space, type: Type, span: Span, read_only: bool = False, align: int = 1
    ) -> ObjectId:
        """A new memory object."""
        self.step()
        number = ObjectId(len(self.objects))
        self.objects.append(MemoryObject(number, self.hidden.shown(name), space, type, span, read_only, align))
        return number

    def access(
        self,
        span: Span,
        text: str,
        width: int,
        type: Type,
        *,
        volatile: bool = False,
        compound: bool = False,
        merges: bool = False,
    ) -> Access:
        """The place of one request; two requests at one place (compound assignment) have two ids and one span."""
        self.fuel.spend(ACCESS, "more accesses stand before it than a kernel may have")
        number = AccessId(self.next_access)
        self.next_access += 1
        via = tuple(call for call in self.via if not is_model(call.file))
        if is_model(span.file) and via:
            span, via = via[-1], via[:-1]
        shown = self.hidden.shown(text)
        return Access(number, span, shown, width, type, via, volatile, compound, merges, self.deferred)

    def opaque_constant(self, name: str, type: Type, span: Span) -> Register:
        """An integer constant whose value is not visible: one parameter-like variable per spelling, an assumption."""
        known = self.opaque.get(name)
        if known is None:
            var = VarId(len(self.variables))
            shown = self.hidden.shown(name)
            self.variables.append(Variable(var, shown, type, span, parameter=True))
            known = self.opaque[name] = Register(var, type)
            if type != BOOL:
                self.assume(f"`{shown}` is an integer constant >= 1", span)
        return known

    def axis(self, kind: BuiltinKind, axis: int) -> None:
        """Notes that the body uses this component, for the default block shape."""
        if kind is BuiltinKind.THREAD_IDX:
            self.requested_axes.add(axis)
            if self.notes is not None and not self.scratch_depth:
                self.notes.axes.add(axis)

    # --- who wants to know ------------------------------------------------------------------------------------------

    def called(self, call: syn.Node, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]) -> None:
        """Tells the observer which function a call means."""
        if self.unit.observer is not None:
            self.unit.observer.called(self, call, declaration, bindings)

    def refuse(self, certain: bool) -> None:
        """Notes that what is being read is ill-formed (`certain`), or may be: where template arguments are tried, they do not fit."""
        if self.substitution is not None:
            self.substitution.failed |= certain
            self.substitution.unsure |= not certain

    # --- what is not known ------------------------------------------------------------------------------------------

    def cause(self, kind: CauseKind, reason: str, span: Span | None) -> Cause:
        """Records why something is unknown, once per place and reason."""
        cause = Cause(kind, self.hidden.sentence(reason), span and self.seen_at(span))
        if self.notes is not None and not self.scratch_depth:
            self.notes.causes.append(cause)
        if cause not in self.unknowns:
            self.unknowns.append(cause)
        return cause

    def unknown(self, kind: CauseKind, reason: str, span: Span, type: Type) -> Value:
        """A recorded unknown value."""
        return unknown_value(self.cause(kind, reason, span), type)

    def assume(self, text: str, span: Span | None = None) -> None:
        """Records an assumption, once per text."""
        text = self.hidden.sentence(text)
        if self.notes is not None and not self.scratch_depth:
            self.notes.assumptions.append((text, span))
        if all(known.text != text for known in self.assumptions):
            self.assumptions.append(Assumption(text, span))

    def escape(self, place: Register | StructPlace) -> None:
        """The address of a register variable is used as a value: it must live in memory (see `lower.py`)."""
        declared = place.declared if isinstance(place, StructPlace) else self.variables[place.var].span
        if declared is not None:
            self.escapes.add(declared)
            if self.notes is not None and not self.scratch_depth:
                self.notes.escapes.add(declared)


def finish(block: list[Stmt]) -> Block:
    """A block under construction as the IR's own."""
    return tuple(block)


def is_scalar(type: Type) -> bool:
    """Whether a value of this type is one IR expression (opaque types count: they are held whole)."""
    return not isinstance(type, ArrayType | StructType)


def _span_of(statement: Stmt) -> Span:
    if isinstance(statement, Load | Store | Atomic):
        return statement.access.span
    return statement.span
