"""Types of the IR: size, signedness, vector width, layout.

Sizes and offsets are bytes.  A size may depend on a constant that is not visible (an opaque template parameter),
so extents are IR expressions; nearly all are `Const`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

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
    the number of its lowest bit and its width.  `reference`: declared as `T &`, kept as a pointer."""

    name: str
    type: Type
    offset: int
    bits: tuple[int, int] | None = None
    reference: bool = False


@dataclass(frozen=True, slots=True)
class Base:
    """A base class within a derived one: it lies at `offset`, and its members are the derived class's from the one numbered `first` on."""

    type: StructType
    offset: int
    first: int


@dataclass(frozen=True, slots=True)
class StructType:
    """A struct, a union (fields at offset 0) or a vector type.  `vector`: loads and stores move it as one request
    (`float4`); a plain struct copy is one request per member of up to 16 bytes (HARDWARE.md).

    `bases`: the direct ones, whose fields are the first of `fields`; names are looked up class by class (base_parts.py).

    Invariant: `size` is a multiple of `align` and covers every field."""

    name: str
    fields: tuple[Field, ...]
    size: int
    align: int
    vector: bool = False
    bases: tuple[Base, ...] = ()

    @property
    def own_fields(self) -> tuple[Field, ...]:
        """The members that the class itself declares."""
        return self.fields[sum(len(base.type.fields) for base in self.bases) :]


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """A type that is not visible (absent include, template parameter that nobody instantiated): `why` names it.

    `size`, `align`: bytes, where these are known although the members are not.  `unsized`: nothing is assumed of them where they are not."""

    name: str
    why: str
    size: int | None = None
    align: int | None = None
    unsized: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether its declaration stands in a file that is not there: its size is a mere guess."""
        return self.why == NOT_DECLARED


NOT_DECLARED = "it is not declared here"

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
