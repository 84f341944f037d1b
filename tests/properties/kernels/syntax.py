"""The language of generated kernels: a small typed C with the constructs that warps care about.

Every name is unique in a kernel, so that there are no scopes to get wrong.  Nodes compare by identity: a place in the
text is a node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class CType:
    """A scalar type; `size` in bytes."""

    name: str
    size: int
    signed: bool = True
    floating: bool = False

    @property
    def range(self) -> tuple[int, int]:
        if self.name == "bool":
            return 0, 1
        bits = 8 * self.size
        return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if self.signed else (0, (1 << bits) - 1)


INT = CType("int", 4)
UINT = CType("unsigned", 4, False)
LONG = CType("long long", 8)
ULONG = CType("unsigned long long", 8, False)
SHORT = CType("short", 2)
USHORT = CType("unsigned short", 2, False)
UCHAR = CType("unsigned char", 1, False)
CHAR = CType("signed char", 1)
BOOL = CType("bool", 1, False)
FLOAT = CType("float", 4, True, True)
DOUBLE = CType("double", 8, True, True)
INTEGERS = (INT, UINT, LONG, ULONG, SHORT, USHORT, UCHAR, CHAR, BOOL)

INTRINSICS: Mapping[str, tuple[CType, tuple[CType, ...]]] = {
    "abs": (INT, (INT,)),
    "max": (UINT, (UINT, UINT)),
    "llmin": (LONG, (LONG, LONG)),
    "__popc": (INT, (UINT,)),
    "__clz": (INT, (INT,)),
    "__ffs": (INT, (INT,)),
    "__mulhi": (INT, (INT, INT)),
    "__umulhi": (UINT, (UINT, UINT)),
    "__mul24": (INT, (INT, INT)),
    "__umul24": (UINT, (UINT, UINT)),
    "__brev": (UINT, (UINT,)),
    "__funnelshift_l": (UINT, (UINT, UINT, UINT)),
    "__funnelshift_r": (UINT, (UINT, UINT, UINT)),
}
"""Result and operands of the device library's integer functions; c_expressions.py says what they give."""


@dataclass(frozen=True)
class Record:
    """A struct or vector type: (member, type, offset)."""

    name: str
    members: tuple[tuple[str, CType, int], ...]
    size: int
    align: int
    vector: bool = False

    def member(self, name: str) -> tuple[CType, int]:
        return next((t, at) for n, t, at in self.members if n == name)


FLOAT4 = Record("float4", tuple((m, FLOAT, 4 * i) for i, m in enumerate("xyzw")), 16, 16, True)
CELL = Record("Cell", (("a", INT, 0), ("h", SHORT, 4), ("b", FLOAT, 8)), 12, 4)
PAIR = Record("Pair", (("c", UCHAR, 0), ("v", LONG, 8)), 16, 8)
INT2 = Record("int2", (("x", INT, 0), ("y", INT, 4)), 8, 8, True)
RECORDS = (FLOAT4, INT2, CELL, PAIR)

Element = CType | Record


def promoted(t: CType) -> CType:
    """C's integer promotion."""
    return INT if not t.floating and t.size < 4 else t


def usual(a: CType, b: CType) -> CType:
    """C's usual arithmetic conversions."""
    a, b = promoted(a), promoted(b)
    if a.floating or b.floating:
        return a if a.floating else b
    if a.size != b.size:
        return a if a.size > b.size else b
    return a if not a.signed else b


# --- expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Const:
    value: int
    type: CType = INT


@dataclass(frozen=True, eq=False)
class Var:
    name: str
    type: CType


@dataclass(frozen=True, eq=False)
class Builtin:
    kind: str  # threadIdx blockIdx blockDim gridDim
    axis: int


@dataclass(frozen=True, eq=False)
class Binary:
    """+ - * / % << >> & | ^ and comparisons."""

    op: str
    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False)
class Unary:
    op: str  # - ~ !
    a: Expr


@dataclass(frozen=True, eq=False)
class Cast:
    type: CType
    a: Expr


@dataclass(frozen=True, eq=False)
class Choose:
    c: Expr
    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False)
class Logic:
    op: str  # && ||
    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False)
class Extreme:
    """min / max of two ints."""

    op: str
    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False)
class Load:
    place: Place


@dataclass(frozen=True, eq=False)
class Call:
    """function(pointers, args): the pointers have the kernel's names inside of the function too."""

    function: str
    pointers: tuple[str, ...]
    args: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Shuffle:
    """__shfl_<op>_sync of an int over the full warp, in segments of `width` lanes."""

    op: str  # idx: "", xor, up, down
    a: Expr
    lane: Expr
    width: int = 32


@dataclass(frozen=True, eq=False)
class Apply:
    """One of the `INTRINSICS`."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Distance:
    """left - right: two pointers into one array."""

    left: str
    right: str


@dataclass(frozen=True, eq=False)
class Vote:
    op: str  # any all ballot
    a: Expr


@dataclass(frozen=True, eq=False)
class Place:
    """`base[i][j].member`: base is an array, a pointer parameter or a pointer variable."""

    base: str
    indices: tuple[Expr, ...]
    element: Element
    member: str | None = None
    star: bool = False  # written *(base + i)

    @property
    def type(self) -> Element:
        if self.member is not None and isinstance(self.element, Record):
            return self.element.member(self.member)[0]
        return self.element


Expr = (
    Const
    | Var
    | Builtin
    | Binary
    | Unary
    | Cast
    | Choose
    | Logic
    | Extreme
    | Load
    | Call
    | Shuffle
    | Vote
    | Apply
    | Distance
)

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def type_of(e: Expr) -> CType:
    """The C type of an expression."""
    match e:
        case Const(_, t) | Var(_, t) | Cast(t, _):
            return t
        case Builtin() | Vote(op="ballot"):
            return UINT
        case Binary(op, a, b):
            if op in COMPARISONS:
                return INT
            return promoted(type_of(a)) if op in ("<<", ">>") else usual(type_of(a), type_of(b))
        case Unary(op, a):
            return INT if op == "!" else promoted(type_of(a))
        case Choose(_, a, b):
            left, right = type_of(a), type_of(b)
            return left if left == right else usual(left, right)
        case Load(place):
            assert isinstance(place.type, CType)
            return place.type
        case Apply(name, _):
            return INTRINSICS[name][0]
        case Distance():
            return LONG
        case _:
            return INT


# --- statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Declare:
    name: str
    type: CType
    value: Expr | None


@dataclass(frozen=True, eq=False)
class DeclareRecord:
    """A record in registers, all of whose members are assigned from `args`, or a copy of the record `source`.  Its members
    are the variables `name.member`."""

    name: str
    record: Record
    args: tuple[Expr, ...]
    source: str = ""


@dataclass(frozen=True, eq=False)
class Assign:
    """`op`: = += -= *= and so on."""

    name: str
    type: CType
    op: str
    value: Expr


@dataclass(frozen=True, eq=False)
class Step:
    """x++ or x--."""

    name: str
    type: CType
    op: str


@dataclass(frozen=True, eq=False)
class Point:
    """element *name = base + offset;   (or `c ? base + offset : other`)"""

    name: str
    element: Element
    base: str
    offset: Expr
    condition: Expr | None = None
    other: str = ""
    declares: bool = True


@dataclass(frozen=True, eq=False)
class MovePointer:
    """name += offset;"""

    name: str
    element: Element
    offset: Expr


@dataclass(frozen=True, eq=False)
class Store:
    place: Place
    op: str
    value: Expr


@dataclass(frozen=True, eq=False)
class Copy:
    """A whole record: to = from; moved by vector types as one request."""

    to: Place
    source: Place


@dataclass(frozen=True, eq=False)
class AtomicAdd:
    place: Place
    value: Expr
    result: str | None


@dataclass(frozen=True, eq=False)
class If:
    condition: Expr
    then: Body
    otherwise: Body


@dataclass(frozen=True, eq=False)
class Loop:
    """`kind`: for, while, do.  `first` and `step` are for for loops only."""

    kind: str
    first: Declare | Assign | None
    condition: Expr | None
    step: Body
    body: Body


@dataclass(frozen=True, eq=False)
class Arm:
    labels: tuple[int | None, ...]
    body: Body


@dataclass(frozen=True, eq=False)
class Switch:
    selector: Expr
    arms: tuple[Arm, ...]


@dataclass(frozen=True, eq=False)
class Jump:
    kind: str  # break continue return


@dataclass(frozen=True, eq=False)
class Return:
    """return value;   in a device function."""

    value: Expr


@dataclass(frozen=True, eq=False)
class Barrier:
    text: str  # __syncthreads() or __syncwarp()


@dataclass(frozen=True, eq=False)
class Group:
    """Statements in braces."""

    body: Body


Stmt = (
    Declare
    | DeclareRecord
    | Assign
    | Step
    | Point
    | MovePointer
    | Store
    | Copy
    | AtomicAdd
    | If
    | Loop
    | Switch
    | Jump
    | Return
    | Barrier
    | Group
)
Body = tuple[Stmt, ...]


# --- kernels ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Array:
    """A pointer parameter (`space` "global", no extents) or an array of the kernel ("shared", "local")."""

    name: str
    element: Element
    space: str
    extents: tuple[int, ...] = ()
    const: bool = False


@dataclass(frozen=True, eq=False)
class Parameter:
    """An integer parameter; `name` with a dot is a member of a struct passed by value."""

    name: str
    type: CType


@dataclass(frozen=True, eq=False)
class Function:
    """A device function of ints that may read through the kernel's pointers handed to it."""

    name: str
    arguments: tuple[Var, ...]
    pointers: tuple[str, ...]  # names of pointer parameters, as the kernel's
    body: Body


@dataclass(frozen=True, eq=False)
class Program:
    block: tuple[int, int, int]
    parameters: tuple[Parameter, ...]
    arrays: tuple[Array, ...]
    functions: tuple[Function, ...]
    body: Body
    seed: int = field(default=0)
