"""Which names are types, values or templates: what C++ needs to know before it can be parsed.

The unit's environment grows as declarations are read, in source order.  Within one item (a function, a record) the
names it declares itself are gathered lexically before the item is parsed (`item_names`), because the classification
of `<` and of `(T)` is needed to render the item for tree-sitter.  The gathering is flat: an item that uses one
spelling both as a variable and as a type counts it as a variable, which is what C++ does after the declaration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Enum

from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.tree import Declaration, EnumDef, FunctionDecl, RecordDef, TypeAlias, VarDecl
from analysis_core.text.records import dataclass

TYPE_KEYWORDS = frozenset(
    [
        "void",
        "bool",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "auto",
        "wchar_t",
        "char8_t",
        "char16_t",
        "char32_t",
        "__int128",
        "__int64",
        "_Bool",
        "__signed__",
        "__half",
        "__nv_bfloat16",
    ]
)
"""Words that are types wherever they stand; most of them combine (`unsigned long long`)."""

COMBINING = frozenset(
    ["char", "short", "int", "long", "double", "signed", "unsigned", "__int128", "__int64", "__signed__"]
)

QUALIFIERS = frozenset({"const", "volatile", "__restrict__", "__restrict", "restrict", "__volatile__", "__const"})

_CANONICAL = {"__restrict": "__restrict__", "restrict": "__restrict__", "__volatile__": "volatile", "__const": "const"}


def qualifier(text: str) -> str:
    """The one spelling under which a qualifier is kept in `TypeNode.qualifiers`."""
    return _CANONICAL.get(text, text)


ELABORATED = frozenset({"struct", "class", "union", "enum", "typename"})

_VECTORS = [
    f"{base}{n}"
    for base in [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
        "half",
        "__half",
    ]
    for n in (1, 2, 3, 4)
]
KNOWN_TYPES = frozenset(
    _VECTORS
    + [f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)]
    + [f"std::{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)]
    + [
        "size_t",
        "ssize_t",
        "ptrdiff_t",
        "intptr_t",
        "uintptr_t",
        "std::size_t",
        "std::ptrdiff_t",
        "dim3",
        "half",
        "half2",
        "__half2",
        "__half",
        "__nv_bfloat16",
        "__nv_bfloat162",
        "nv_bfloat16",
        "nv_bfloat162",
        "__nv_fp8_e4m3",
        "__nv_fp8_e5m2",
        "uint",
        "ushort",
        "ulong",
        "uchar",
        "uint8",
        "clock_t",
        "time_t",
        "cudaStream_t",
        "cudaError_t",
        "cudaEvent_t",
        "cudaTextureObject_t",
        "cudaSurfaceObject_t",
        "cudaArray_t",
        "cudaDeviceProp",
        "cudaArray",
        "cudaPitchedPtr",
        "cudaExtent",
        "curandState",
        "curandState_t",
        "curandStateXORWOW_t",
        "curandStatePhilox4_32_10_t",
        "cuComplex",
        "cuDoubleComplex",
        "cuFloatComplex",
        "cufftComplex",
        "cufftDoubleComplex",
        "cufftReal",
        "FILE",
        "va_list",
    ]
)

KNOWN_VALUES = frozenset(
    ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "this", "true", "false", "nullptr", "NULL"]
)

CAST_TEMPLATES = frozenset({"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"})
KNOWN_TEMPLATES = CAST_TEMPLATES | {"tiled_partition", "thread_block_tile", "tex1D", "tex2D", "tex3D", "tex1Dfetch"}

NOT_A_DECLARED_TYPE = frozenset(
    [
        "return",
        "else",
        "goto",
        "case",
        "new",
        "delete",
        "throw",
        "sizeof",
        "alignof",
        "using",
        "namespace",
        "typename",
        "struct",
        "class",
        "enum",
        "union",
        "public",
        "private",
        "protected",
        "virtual",
        "friend",
        "operator",
        "template",
        "typedef",
        "if",
        "while",
        "for",
        "do",
        "switch",
        "default",
        "break",
        "continue",
        "co_return",
        "co_yield",
        "const",
        "volatile",
        "static",
        "extern",
        "inline",
        "constexpr",
        "register",
        "typeid",
        "decltype",
        "noexcept",
        "explicit",
        "mutable",
        "not",
        "and",
        "or",
    ]
)
"""A name after one of these words is not thereby declared as a variable."""

_AFTER_DECLARED = frozenset({"=", ";", ",", "[", ")", ":"})


class Sort(Enum):
    TYPE, VALUE, UNKNOWN = range(3)


@dataclass(slots=True)
class Names:
    """A set of names by sort.  Invariant: lives for one `parse`; it is never shared."""

    types: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    templates: set[str] = field(default_factory=set)
    template_variables: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions about names that were asked while an item was read, with their answers."""

    sorts: dict[str, Sort] = field(default_factory=dict)
    templates: dict[str, bool] = field(default_factory=dict)
    variables: dict[str, bool] = field(default_factory=dict)

    def names_beside(self, other: Asked) -> set[str]:
        """The last parts of the names that were asked about here and not in `other`."""
        mine = (self.sorts.keys() - other.sorts.keys()) | (self.templates.keys() - other.templates.keys())
        return {name.rpartition("::")[2] for name in mine | (self.variables.keys() - other.variables.keys())}


@dataclass(frozen=True, slots=True)
class Environment:
    """What is in scope for one item: its own names before the unit's, those before the built-in ones.

    Reading an item asks these three questions and nothing else.  They are kept in `asked`: where all of them are
    answered alike, the same tokens read alike (items.py)."""

    unit: Names
    item: Names
    asked: Asked = field(default_factory=Asked)

    def sort(self, name: str) -> Sort:
        """Whether `name`, qualified or not, is a type or a value here.  Qualified names fall back on the last part."""
        known = self.asked.sorts.get(name)
        if known is None:
            known = self.asked.sorts[name] = self._sort(name)
        return known

    def is_template(self, name: str) -> bool:
        """Whether `name` is known as a class or function template (a variable of the item hides it)."""
        known = self.asked.templates.get(name)
        if known is None:
            known = self.asked.templates[name] = self._is_template(name)
        return known

    def is_template_variable(self, name: str) -> bool:
        """Whether `name<...>` is a variable: it was declared so, or is named as the standard names its traits."""
        known = self.asked.variables.get(name)
        if known is None:
            known = self.asked.variables[name] = self._is_template_variable(name)
        return known

    def agrees(self, asked: Asked) -> bool:
        """Whether all questions that were asked elsewhere have the same answers here."""
        return (
            all(self._sort(name) is answer for name, answer in asked.sorts.items())
            and all(self._is_template(name) is answer for name, answer in asked.templates.items())
            and all(self._is_template_variable(name) is answer for name, answer in asked.variables.items())
        )

    def answered_alike(self, asked: Asked) -> Asked:
        """Those of the questions that have the same answers here."""
        return Asked(
            {name: answer for name, answer in asked.sorts.items() if self._sort(name) is answer},
            {name: answer for name, answer in asked.templates.items() if self._is_template(name) is answer},
            {name: answer for name, answer in asked.variables.items() if self._is_template_variable(name) is answer},
        )

    def _sort(self, name: str) -> Sort:
        last = name.rpartition("::")[2]
        if name in self.item.values:
            return Sort.VALUE
        if name in TYPE_KEYWORDS or name in self.item.types:
            return Sort.TYPE
        for candidate in (name, last):
            if candidate in self.unit.types:
                return Sort.TYPE
            if candidate in self.unit.values:
                return Sort.VALUE
        if name in KNOWN_TYPES:
            return Sort.TYPE
        if name in KNOWN_VALUES:
            return Sort.VALUE
        return Sort.UNKNOWN

    def _is_template(self, name: str) -> bool:
        if name in self.item.values:
            return False
        return name in self.item.templates or name in self.unit.templates or name in KNOWN_TEMPLATES

    def _is_template_variable(self, name: str) -> bool:
        return name.endswith("_v") or name in self.unit.template_variables or name in self.item.template_variables


def declare(names: Names, declaration: Declaration) -> None:
    """Add what a declaration introduces to `names`, nested declarations included."""
    match declaration:
        case RecordDef():
            _add_type(names, declaration.name, declaration.scope)
            if declaration.template is not None:
                names.templates.add(declaration.name)
            for nested in (*declaration.nested, *declaration.methods, *declaration.fields):
                declare(names, nested)
        case EnumDef():
            _add_type(names, declaration.name, declaration.scope)
            names.values.update(name for name, _ in declaration.enumerators)
        case TypeAlias():
            _add_type(names, declaration.name, declaration.scope)
            if declaration.template is not None:
                names.templates.add(declaration.name)
        case FunctionDecl():
            if not declaration.owner:
                names.values.add(declaration.name)
            if declaration.template is not None:
                names.templates.add(declaration.name)
        case VarDecl():
            names.values.add(declaration.name)
        case _:  # `using` directives and opaque declarations introduce nothing that is known by name
            pass


def declare_templates(names: Names, own: Names) -> None:
    """Makes the templates that an item declares known to the unit, before the item is read."""
    names.templates |= own.templates
    names.template_variables |= own.template_variables


_BETWEEN_DECLARATIONS = frozenset({";", "{", "}"})


def _add_type(names: Names, name: str, scope: str) -> None:
    if name:
        names.types.add(name)
        if scope:
            names.types.add(f"{scope}::{name}")


def item_names(tokens: Sequence[Token], start: int, end: int) -> Names:
    """The names that the tokens `start <= i < end` declare, found lexically.

    `int i, *p = q;` and parameters give values; `template <class T>`, `typedef`, `using X =` and `struct X` give types."""
    names = Names()
    identifier = TokenKind.IDENTIFIER
    first = start  # the first token of the declaration that token i stands in
    for i in range(start, end):
        token = tokens[i]
        if token.kind is not identifier or i + 1 >= end:
            if token.text in _BETWEEN_DECLARATIONS:
                first = i + 1
            continue
        before = tokens[i - 1] if i > start else None
        after = tokens[i + 1].text
        word = before.text if before is not None else ""
        if token.text == "template" and tokens[i + 1].text == "<":
            _templated(names, tokens, i + 1, end)
        elif word in ELABORATED:
            _elaborated(names, tokens, i, start, after)
        elif (word == "using" and after == "=") or (word == "typedef" and after == ";"):
            names.types.add(token.text)
        elif after in _AFTER_DECLARED and before is not None and _may_end_type(tokens, i - 1, start):
            if tokens[first].text == "typedef":
                names.types.add(token.text)
            else:
                names.values.add(token.text)
                _further_declarators(names, tokens, i + 1, end, start)
    return names


def _templated(names: Names, tokens: Sequence[Token], i: int, end: int) -> None:
    """The name that the template header opened at token `i` introduces."""
    depth = 0
    while i < end:
        text = tokens[i].text
        if text == "(" and depth:
            depth += 100
        elif text == ")" and depth > 50:
            depth -= 100
        elif depth < 50:
            depth += (text == "<") - (text == ">") - 2 * (text == ">>")
        i += 1
        if depth <= 0:
            break
    for j in range(i, min(end, i + 60)):
        if tokens[j].text in {"(", "{", ";", "=", ":", "["} and j > i:
            name = tokens[j - 1]
            if name.kind is TokenKind.IDENTIFIER and name.text not in NOT_A_DECLARED_TYPE:
                if not name.text.startswith("__"):
                    names.templates.add(name.text)
                    if tokens[j].text in {"=", "["} and tokens[i].text != "using":
                        names.template_variables.add(name.text)
                    return
            elif tokens[j].text != "(":
                return


def _elaborated(names: Names, tokens: Sequence[Token], i: int, start: int, after: str) -> None:
    """`typename T` or `class T` of a template header; `struct S {` or a use `struct S *p`."""
    if after in {",", ">", "=", "{", ":", "final", "*", ";"} or tokens[i - 1].text != "typename":
        names.types.add(tokens[i].text)


def _may_end_type(tokens: Sequence[Token], i: int, start: int) -> bool:
    token = tokens[i]
    if token.text in {"const", "volatile"} and i > start:  # `double const c[]`
        token = tokens[i - 1]
    if token.kind is TokenKind.IDENTIFIER:
        return token.text not in NOT_A_DECLARED_TYPE
    return token.text in {"*", "&", ">", "&&"}


def _further_declarators(names: Names, tokens: Sequence[Token], i: int, end: int, start: int) -> None:
    """The names after the top-level commas of `T a, *b = x, c[3];`, if the declaration is a statement of its own."""
    j = i - 2
    angles = 0
    while j >= start and tokens[j].text not in {";", "{", "}", "("} and i - j < 16:
        if tokens[j].text == "template" or (tokens[j].text in {")", "=", ","} and not angles):
            return
        angles += (tokens[j].text == ">") - (tokens[j].text == "<") + 2 * (tokens[j].text == ">>")
        if angles < 0:  # a parameter of a template
            return
        j -= 1
    if j >= start and tokens[j].text == "(" and (j == start or tokens[j - 1].text != "for"):
        return
    depth = 0
    while i < end:
        text = tokens[i].text
        if text in {"(", "[", "{"}:
            depth += 1
        elif text in {")", "]", "}"}:
            depth -= 1
            if depth < 0:
                return
        elif text == ";":
            return
        elif text == "," and depth == 0:
            j = i + 1
            while j < end and (tokens[j].text in {"*", "&"} or tokens[j].text in QUALIFIERS):
                j += 1
            if j < end and tokens[j].kind is TokenKind.IDENTIFIER:
                names.values.add(tokens[j].text)
        i += 1
