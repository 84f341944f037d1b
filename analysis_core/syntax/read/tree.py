"""The syntax tree: what the text says, before any type is known.

Made from tree-sitter's tree of the *expanded* tokens, misreadings put right; what is not read is an `OpaqueExpr`, `..Stmt`, `..Decl` with its cause.
Every node has `span`: the bytes of the *user's text* it was made from.  A token spelled in a file (a macro argument too) stands where it is
spelled; one from a macro's body stands at the outermost invocation, and `expansion` names the macro.  Trees are frozen; results live in side tables.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from analysis_core.support.facts import Cause
from analysis_core.syntax.lex.assumed_macros import MacroConditional
from analysis_core.syntax.read.annotation_tree import AnnotationComment
from analysis_core.syntax.read.assembly_node import AssemblyText
from analysis_core.syntax.read.beyond import Beyond
from analysis_core.syntax.read.hidden_names import HiddenNames
from analysis_core.syntax.read.type_nodes import ArrayOf as ArrayOf
from analysis_core.syntax.read.type_nodes import FunctionOf as FunctionOf
from analysis_core.syntax.read.type_nodes import MemberPointerTo as MemberPointerTo
from analysis_core.syntax.read.type_nodes import NamedType as NamedType
from analysis_core.syntax.read.type_nodes import Node as Node
from analysis_core.syntax.read.type_nodes import PointerTo as PointerTo
from analysis_core.syntax.read.type_nodes import RecordType as RecordType
from analysis_core.syntax.read.type_nodes import ReferenceTo as ReferenceTo
from analysis_core.syntax.read.type_nodes import TypeNode as TypeNode
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

# --- expressions ------------------------------------------------------------------------------------------------


class LiteralKind(Enum):
    INT, FLOAT, CHAR, STRING, BOOL, NULL = range(6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr(Node):
    pass


TemplateArg = TypeNode | Expr
"""`f<T>`: a name that may be a type or a value is read as NamedType; lowering decides by what is in scope."""

Parts = tuple[tuple[TemplateArg, ...] | None, ...]
"""The template arguments of each part of a qualified name; () where there is one part, or no arguments at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal(Expr):
    kind: LiteralKind
    text: str  # as spelled, suffixes and prefixes kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Expr):
    """`name` with its qualification as spelled ("cg::sync"); `this` is a Name too.  `parts` as of a `NamedType`."""

    name: str
    template_args: tuple[TemplateArg, ...] | None = None
    parts: Parts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(Expr):
    op: str  # one of + - ! ~ * &
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class IncDec(Expr):
    op: str  # ++ or --
    prefix: bool
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Expr):
    """All binary operators of C with C's precedence; the comma is `,` (left associative)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Expr):
    op: str  # = += -= *= /= %= <<= >>= &= |= ^=
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscript(Expr):
    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Member(Expr):
    base: Expr
    name: str
    arrow: bool
    name_span: Span
    template_args: tuple[TemplateArg, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Expr):
    callee: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelLaunch(Expr):
    """`callee<<<config...>>>(args)`; config holds grid, block, shared bytes, stream as far as given."""

    callee: Expr
    config: tuple[Expr, ...]
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(Expr):
    """`style`: "c", "functional" (`float(x)`), "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"."""

    style: str
    type: TypeNode
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Construct(Expr):
    """`T(a, b)` with not exactly one argument, or `T{...}`."""

    type: TypeNode
    args: tuple[Expr, ...]
    braces: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InitList(Expr):
    """`{a, b}`; `designators` runs beside `items`: ".x" / "[3]" as spelled, or None."""

    items: tuple[Expr, ...]
    designators: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeOf(Expr):
    operator: str  # sizeof or alignof; alignas of a type, or of a constant that is a bare name
    operand: Expr | TypeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion(Expr):
    """`pattern...`: one expression per element of the packs that the pattern names; of a bare name the tree keeps the name."""

    pattern: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Expr):
    """`(left op ... op right)`, of which the side without packs may be absent."""

    op: str
    left: Expr | None
    right: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OffsetOf(Expr):
    """`offsetof(type, place)`, and its builtin."""

    type: TypeNode
    place: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Expr):
    """What one name of `auto [a, b] = e;` denotes: `whole` is the variable that holds e, which no program can name."""

    whole: str
    position: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lambda(Expr):
    """`captures` as spelled tokens ("&", "=", "x", "&x", "*this"); `made`: those with an initialiser, by name, "&" before that of a
    reference; `result`: what is said behind `->`."""

    captures: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    body: Compound
    made: tuple[tuple[str, Expr], ...] = ()
    mutable: bool = False
    result: TypeNode | None = None
    template: tuple[TemplateParameter, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueExpr(Expr):
    """`part`: where all that it can do is known although its value is not, the operand that does it."""

    cause: Cause
    part: Expr | None = None


# --- statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Stmt(Node):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Compound(Stmt):
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExprStmt(Stmt):
    expr: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclStmt(Stmt):
    """One declaration statement: variables, typedefs, local records, in source order."""

    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Stmt):
    condition: Expr
    then: Stmt
    otherwise: Stmt | None
    is_constexpr: bool = False
    init: Stmt | None = None  # C++17 `if (init; c)`; a declared condition `if (int x = f())` is init + Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop(Stmt):
    """`unroll`: the factor of `#pragma unroll` before it, 0 for a bare one, or None. `macro`: an undefined one, taken for such a pragma."""

    unroll: int | None = None
    macro: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class For(Loop):
    init: Stmt | None
    condition: Expr | None
    step: Expr | None
    body: Stmt


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeFor(Loop):
    variable: VarDecl
    range: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, kw_only=True)
class While(Loop):
    condition: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, kw_only=True)
class DoWhile(Loop):
    body: Stmt
    condition: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Stmt):
    selector: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLabel(Stmt):
    """`case value:` or, with `value` None, `default:`; stands in the body's list before the labelled statements."""

    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Break(Stmt):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Stmt):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Stmt):
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty(Stmt):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueStmt(Stmt):
    """goto, label, asm, try: `cause.kind` says whether it is our limit or outside of the language.  `inner`: readable statements inside of it, for their
    effects' sake; of `assembly` it assigns to each output and names each input.  `typing`: a line that is being changed: blank until it reads again."""

    cause: Cause
    inner: tuple[Stmt, ...] = ()
    typing: bool = False
    assembly: AssemblyText | None = None


# --- declarations -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration(Node):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(Node):
    name: str | None
    type: TypeNode
    default: Expr | None = None
    pack: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateParameter(Node):
    """`type` is None for `typename T`, else the type of a value parameter (`int B`).  `template`: it takes a template."""

    name: str | None
    type: TypeNode | None
    default: TemplateArg | None = None
    pack: bool = False
    template: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VarDecl(Declaration):
    """`storage`: of extern static const constexpr volatile __shared__ __constant__ __device__ __managed__ register mutable, and
    `concept` of one.

    `init` is what follows `=`; `T x(a, b)` and `T x{a, b}` give a Construct; `const` is in the type's qualifiers too."""

    name: str
    name_span: Span
    type: TypeNode
    storage: frozenset[str]
    init: Expr | None = None
    scope: str = ""  # enclosing namespaces, "a::b"; for statics out of class, the class too
    alignments: tuple[Expr, ...] = ()  # __align__(N), alignas(N)
    bits: Expr | None = None  # the width of a bit-field
    packed: bool = False
    overlaps: bool = False  # [[no_unique_address]]
    private: bool = False  # a member that is not public
    template: tuple[TemplateParameter, ...] | None = None  # of a variable template (or a concept)
    specialisation: tuple[TemplateArg, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDecl(Declaration):
    """`qualifiers`: of __global__ __device__ __host__ __forceinline__ __noinline__ inline static constexpr extern const virtual
    explicit override final, `default` and `delete` of what the compiler generates or refuses, and `pure` (`= 0`); `&`, `&&` of a
    member, `...` after the parameters.  `requires`: constraints of a template, both clauses.  `body` is None for a prototype.  `owner` is the class of a member function."""

    name: str
    name_span: Span
    scope: str
    owner: str
    result: TypeNode
    parameters: tuple[Parameter, ...]
    qualifiers: frozenset[str]
    body: Compound | None
    template: tuple[TemplateParameter, ...] | None = None
    specialisation: tuple[TemplateArg, ...] | None = None  # arguments of an explicit specialisation
    launch_bounds: tuple[Expr, ...] = ()
    initialisers: tuple[tuple[str, tuple[Expr, ...]], ...] = ()  # of a constructor
    requires: tuple[Expr, ...] = ()
    owner_arguments: tuple[TemplateArg, ...] | None = None  # of the class, as written before `::`
    asserted: tuple[Expr, ...] = ()  # conditions of `static_assert` in a kernel, outside of inner blocks

    @property
    def is_kernel(self) -> bool:
        return "__global__" in self.qualifiers


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDef(Declaration):
    """`keyword`: struct, class or union.  Fields are VarDecls in order; nested types and methods beside them.  `friends`: those
    that are defined in the class.  Virtual bases have "virtual" among their qualifiers.  `pack`: bytes that a `#pragma pack` allows, 0 without one."""

    keyword: str
    name: str  # "" for an anonymous one
    scope: str
    bases: tuple[NamedType, ...]
    fields: tuple[VarDecl, ...]
    methods: tuple[FunctionDecl, ...]
    nested: tuple[Declaration, ...]
    template: tuple[TemplateParameter, ...] | None = None
    specialisation: tuple[TemplateArg, ...] | None = None
    alignments: tuple[Expr, ...] = ()
    packed: bool = False
    pack: int = 0
    final: bool = False
    requires: tuple[Expr, ...] = ()
    friends: tuple[FunctionDecl, ...] = ()
    declared: bool = False  # a class template that is declared here, not defined


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumDef(Declaration):
    name: str
    scope: str
    scoped: bool  # enum class
    enumerators: tuple[tuple[str, Expr | None], ...]
    underlying: TypeNode | None = None
    packed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeAlias(Declaration):
    """typedef and `using X = T`."""

    name: str
    scope: str
    type: TypeNode
    template: tuple[TemplateParameter, ...] | None = None
    alignments: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UsingDecl(Declaration):
    """`using namespace a::b` (`inline` where a namespace says it of itself), `using a::f`, `using enum E`, `namespace cg = a::b` (alias)."""

    target: str
    namespace: bool
    scope: str
    alias: str | None = None
    inline: bool = False
    enum: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplicitInstantiation(Declaration):
    """`template void run<float>(float *, int);` of a function template.

    `template_args` as given, None if all are deduced from the types of `parameters`."""

    name: str
    scope: str
    owner: str
    template_args: tuple[TemplateArg, ...] | None
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueDecl(Declaration):
    cause: Cause


@dataclass(frozen=True)  # no slots: what is asked of it again and again is kept with it (support/derived.py)
class SyntaxTree:
    """All top-level declarations of one translation unit. `main`: the file that was asked for; its kernels are reported. `dependencies`: all files
    read, or looked for and absent (`missing`); if one changes, the unit is analysed again. `refused`: headers that lead where nothing is read;
    `unread`: what was left out of others, and why; `hidden`: names that must not be shown; `problems`: texts that could not be read, never
    shown as compile errors; `beyond`: what other files of the program say, which depends on those `beside`."""

    main: str
    declarations: tuple[Declaration, ...]
    dependencies: tuple[str, ...]
    missing: tuple[str, ...]
    problems: tuple[Cause, ...]
    annotations: tuple[AnnotationComment, ...] = ()
    beyond: Beyond = field(default_factory=Beyond)
    beside: tuple[str, ...] = ()
    conditionals: tuple[MacroConditional, ...] = ()  # those that rest on macros which nobody has stated
    refused: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()  # kernels below conditionals: what they need, and how many
    hidden: HiddenNames = field(default_factory=HiddenNames)
