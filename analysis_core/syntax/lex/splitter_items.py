"""What the splitter produces, and the word lists by which it knows where an item can begin."""

from __future__ import annotations

from enum import Enum

from analysis_core.text.records import dataclass


class ItemKind(Enum):
    FUNCTION = "function"  # definition or prototype
    RECORD = "record"  # struct, class, union: definition or forward declaration
    VARIABLE = "variable"
    ENUM = "enum"
    ALIAS = "alias"  # typedef, using X = T
    USING = "using"  # using namespace a, using a::f, namespace x = a
    OTHER = "other"  # pragma, static_assert, explicit instantiation, unexpanded macro, text that is no declaration


@dataclass(frozen=True, slots=True)
class Item:
    """A top-level declaration: tokens `start <= i < end`, its template header and its final `;` included.

    `scope`: enclosing named namespaces, "a::b".  `name`: index of the name's token (of `operator` for an operator
    function, of the last component of a qualified name).  `qualifiers`: specifier words seen before the name or the
    body, attributes translated (`__attribute__((global))` gives `__global__`), `extern "C"` as one word, also from
    an enclosing block.  `body`: the tokens between and including the braces of a definition, or None.
    `template`: it begins with `template <...>`.  `closed` is False where text was missing: the braces of the body
    do not match (the body's first or last token is then no brace), or the head has no end."""

    kind: ItemKind
    start: int
    end: int
    scope: str
    name: int | None = None
    qualifiers: frozenset[str] = frozenset()
    body: tuple[int, int] | None = None
    template: bool = False
    closed: bool = True


SPECIFIERS = frozenset(
    {
        "__global__", "__device__", "__host__", "__constant__", "__shared__", "__managed__", "__forceinline__",
        "__noinline__", "__inline__", "__inline", "inline", "static", "extern", "constexpr", "const", "volatile",
        "virtual", "explicit", "friend", "typedef", "thread_local", "register", "mutable", "typename",
        "consteval", "constinit", "__extension__", "__grid_constant__", "unsigned", "signed", "struct", "class",
        "union", "enum", "void",
    }
)  # fmt: skip

GROUP_SPECIFIERS = frozenset(
    {
        "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__", "__attribute__", "__attribute",
        "__declspec", "__align__", "__builtin_align__", "alignas", "_Alignas", "decltype", "noexcept", "throw",
        "explicit", "__nv_pure__", "requires", "asm", "__asm__",
    }
)  # fmt: skip
"""Words whose parenthesised group is no parameter list."""

CUDA_SPACES = frozenset({"__device__", "__host__", "__constant__", "__managed__"})
"""Words that begin a declaration which a function body cannot hold (a lambda's come after `]` or `)`)."""

STATEMENT_WORDS = frozenset(
    {
        "if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue", "goto",
        "try", "catch", "throw", "delete", "new", "sizeof", "co_return", "co_yield", "co_await", "this",
    }
)  # fmt: skip

ATTRIBUTES = {
    "global": "__global__", "__global__": "__global__", "device": "__device__", "__device__": "__device__",
    "host": "__host__", "__host__": "__host__", "constant": "__constant__", "__constant__": "__constant__",
    "shared": "__shared__", "__shared__": "__shared__", "managed": "__managed__",
    "always_inline": "__forceinline__", "noinline": "__noinline__",
}  # fmt: skip
"""Names inside of `__attribute__((...))` and the qualifiers they stand for."""
