"""Types of the IR: size, signedness, vector width, layout.

Sizes and offsets are bytes.  A size may depend on a constant that is not visible (an opaque template parameter),
so extents are IR expressions; nearly all are `Const`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from analysis_core.ir.nodes import Expr


class ScalarKind(Enum):
    INT, FLOAT, BOOL, VOID = range(4)

    __hash__ = object.__hash__  # members are themselves only; that of `Enum` is a call of its own


class Space(Enum):
    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # members are themselves only; that of `Enum` is a call of its own


@dataclass(frozen=True, slots=True)
class ScalarType:
    """`size` in bytes; `signed` matters for INT only; `name` is how the user spells it ("unsigned int", "half")."""

    kind: ScalarKind
    size: int
    signed: bool
    name: str


@dataclass(frozen=True, slots=True)
class PointerType:
    """A pointer or a reference.  `space` is known where the type says so; else the base decides."""

    target: Type
    volatile: bool = False
    restrict: bool = False
    const: bool = False


@dataclass(frozen=True, slots=True)
class ArrayType:
    """`extent` None: unsized (`extern __shared__ int s[]`)."""

    element: Type
    extent: Expr | None


@dataclass(frozen=True, slots=True)
class Field:
    """`offset` in bytes.  A bit-field has the offset of its storage unit, which has its type, and there `bits`:
    the number of its lowest bit and its width.  `reference`: declared as `T &`, kept as a pointer; `const` and `mutable` as declared."""

    name: str
    type: Type
    offset: int
    bits: tuple[int, int] | None = None
    reference: bool = False
    const: bool = False
    mutable: bool = False

    def is_const(self, whole: bool) -> bool:
        """Whether it is const in an object that is const or not."""
        return self.const or (whole and not self.mutable)


@dataclass(frozen=True, slots=True)
class Base:
    """A base class within a derived one: it lies at `offset`, and its members are the derived class's from the one numbered `first` on."""

    type: StructType
    offset: int
    first: int


@dataclass(frozen=True, slots=True)
class StructType:
    """A struct, a union (fields at offset 0) or a vector type.  `vector`: a vector type of CUDA (`float4`).

    `bases`: the direct ones, whose fields are the first of `fields`; names are looked up class by class (base_parts.py).  `guessed`: where members
    lie, or how many bytes it has, rests on a size that is taken for granted.

    Invariant: `size` is a multiple of `align` and covers every field."""

    name: str
    fields: tuple[Field, ...]
    size: int
    align: int
    vector: bool = False
    bases: tuple[Base, ...] = ()
    guessed: bool = False

    @property
    def own_fields(self) -> tuple[Field, ...]:
        """The members that the class itself declares."""
        return self.fields[sum(len(base.type.fields) for base in self.bases) :]


ASSUMED_BYTES = 4
"""Of a type that is not visible, where nothing else is tried."""

OTHER_BYTES = 2
"""What else is tried for types that are not declared: elements of unknown type mostly have 4 bytes or 2."""


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """A type that is not visible (absent include, template parameter that nobody instantiated): `why` names it.

    `size`, `align`: bytes, where these are known although the members are not.  `unsized`: nothing is assumed of them where they are not; else
    both are taken to be `assumed`, and who relies on it records the assumption."""

    name: str
    why: str
    size: int | None = None
    align: int | None = None
    unsized: bool = False
    assumed: int = ASSUMED_BYTES

    @property
    def is_missing(self) -> bool:
        """Whether its declaration stands in a file that is not there: its size is a mere guess."""
        return self.why in (NOT_DECLARED, LAUNCHED_WITH)

    @property
    def is_guessed(self) -> bool:
        """Whether nobody says its size, and one is taken for granted.  What a template that nothing instantiates is handed is stated."""
        return self.size is None and not self.unsized and self.why != NOT_INSTANTIATED


NOT_DECLARED = "it is not declared here"
LAUNCHED_WITH = "what it is launched with is not declared here"
NOT_INSTANTIATED = "a template parameter without an instantiation in this file"

_SIZED = re.compile(rf"`(.+)` (?:has {ASSUMED_BYTES} bytes|is float) \(({NOT_DECLARED}|{LAUNCHED_WITH})\)\Z")
_GUESSED = re.compile(rf"`.+` has \d+ bytes \((?!{NOT_INSTANTIATED}\))|`.+` is .+ \({LAUNCHED_WITH}\)\Z")


def size_text(type: OpaqueType) -> str:
    """The assumption on the size of a type that is not visible."""
    return f"`{type.name}` has {type.assumed} bytes ({type.why})"


def unsized_in(assumptions: Iterable[str]) -> tuple[str, ...]:
    """The types that are not declared of which assumptions say the size."""
    return tuple(found[1] for found in map(_SIZED.match, assumptions) if found is not None)


def says_launched(assumption: str) -> bool:
    """Whether an assumption is on a type that launches hand to a template and that is not declared: all that the kernel does may rest on it."""
    return assumption.endswith(f"({LAUNCHED_WITH})")


def says_guess(assumption: str) -> bool:
    """Whether an assumption is on the size of a type that nobody says, and so on more than which instance of a template is meant."""
    return _GUESSED.match(assumption) is not None


@dataclass(frozen=True, slots=True)
class FunctionType(OpaqueType):
    """A function type: it has no values of its own, but templates look into it."""

    result: Qualified | None = None
    parameters: tuple[Qualified, ...] = ()
    variadic: bool = False

    @property
    def is_guessed(self) -> bool:
        """No: nothing is made of functions."""
        return False


@dataclass(frozen=True, slots=True)
class MemberPointerType(OpaqueType):
    """A pointer to a member of `owner`: its size is known, what it holds is not looked at, but templates look into it."""

    owner: Type | None = None
    member: Qualified | None = None


@dataclass(frozen=True, slots=True)
class Qualified:
    """A type of C++ in full, as templates and overload resolution see it.

    `type` is what is referred to where `reference` ("&" or "&&") says that it is a reference; `const` and `volatile` are of
    that type, and for an array of its elements.  What pointers point to is qualified in the `PointerType`.  `align`: the bytes that a
    typedef's own attribute says, no part of the type; 0 without one, -1 where they are not known."""

    type: Type
    const: bool = False
    volatile: bool = False
    reference: str = ""
    align: int = field(default=0, compare=False)

    @property
    def plain(self) -> Type:
        """The type as the IR has it: without qualifiers, a reference as a pointer."""
        return PointerType(self.type, self.volatile, False, self.const) if self.reference else self.type

    @property
    def value(self) -> Qualified:
        """The type of an expression that denotes this: without the reference."""
        return Qualified(self.type, self.const, self.volatile) if self.reference else self

    @property
    def unqualified(self) -> Qualified:
        return Qualified(self.type, False, False, self.reference)

    def qualified(self, const: bool, volatile: bool = False) -> Qualified:
        """The type with these qualifiers added, which references and functions ignore."""
        if self.reference or isinstance(self.type, FunctionType) or not (const or volatile):
            return self
        return Qualified(self.type, self.const or const, self.volatile or volatile, align=self.align)

    def referred(self, reference: str) -> Qualified:
        """A reference to it; references collapse: `T & &&` is `T &`."""
        return Qualified(self.type, self.const, self.volatile, "&" if "&" in (self.reference, reference) else reference)


Type = ScalarType | PointerType | ArrayType | StructType | OpaqueType

VOID = ScalarType(ScalarKind.VOID, 0, False, "void")
BOOL = ScalarType(ScalarKind.BOOL, 1, False, "bool")
CHAR = ScalarType(ScalarKind.INT, 1, True, "char")
INT = ScalarType(ScalarKind.INT, 4, True, "int")
UINT = ScalarType(ScalarKind.INT, 4, False, "unsigned int")
LONG = ScalarType(ScalarKind.INT, 8, True, "long long")
ULONG = ScalarType(ScalarKind.INT, 8, False, "unsigned long long")
FLOAT = ScalarType(ScalarKind.FLOAT, 4, True, "float")
DOUBLE = ScalarType(ScalarKind.FLOAT, 8, True, "double")
