"""Which `#if`s rest on macros that nobody has stated: those that the compiler or the platform defines, or a build would.

What the text defines by itself is no assumption, and neither is what the user's settings define.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.syntax.lex.macros import Macro
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_BUILDS = frozenset({"NDEBUG", "DEBUG", "_DEBUG"})
_PLATFORMS = frozenset(
    {
        "__LP64__", "_LP64", "_WIN32", "_WIN64", "WIN32", "_MSC_VER", "__linux__", "__APPLE__", "__x86_64__", "__aarch64__",
        "__SIZEOF_LONG__", "__SIZEOF_POINTER__", "__clang__", "__GNUC__", "__HIPCC__", "__HIP_PLATFORM_AMD__",
    }
)  # fmt: skip
_TOOLKIT = frozenset(
    {"__CUDA_ARCH__", "__CUDA_ARCH_LIST__", "CUDA_VERSION", "CUDART_VERSION", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__"}
)  # fmt: skip
ASSUMED = _BUILDS | _PLATFORMS | _TOOLKIT

_STEPS = 64
"""Macros that one condition is followed through."""


@dataclass(frozen=True, slots=True)
class MacroConditional:
    """The text from an `#if` to its `#endif`, and the assumptions about macros that its conditions rest on."""

    span: Span
    taken: tuple[str, ...]


class OpenConditional:
    """An `#if` whose `#endif` has not come yet. `taken`: a branch was active; `outer`: the text around it is active;
    `rests`: the assumptions of its conditions."""

    __slots__ = ("active", "last", "outer", "rests", "span", "taken")

    def __init__(self, active: bool, outer: bool, span: Span) -> None:
        self.active = active
        self.taken = active
        self.outer = outer
        self.last = False  # an #else was seen
        self.span = span
        self.rests: dict[str, None] = {}

    def copy(self) -> OpenConditional:
        made = OpenConditional(self.active, self.outer, self.span)
        made.taken, made.last, made.rests = self.taken, self.last, dict(self.rests)
        return made


def taken_for_granted(
    names: Iterable[str], macros: Mapping[str, Macro], first: Mapping[str, Macro], stated: Mapping[str, str]
) -> dict[str, None]:
    """The assumptions about macros that a condition with these `names` rests on, in words and in order. `first`: the
    macros that are defined before the first line; `stated`: those of the settings."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting = list(names)
    while waiting and len(seen) < _STEPS:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        macro = macros.get(name)
        if name in ASSUMED and name not in stated and macro is first.get(name):
            found[_said(name, macro)] = None
        elif macro is not None:
            waiting.extend(token.text for token in macro.body)
    return found


def _said(name: str, macro: Macro | None) -> str:
    if macro is None:
        return f"`{name}` is not defined"
    return f"`{name}` is {' '.join(token.text for token in macro.body)}"
