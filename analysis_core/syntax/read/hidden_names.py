"""Names that only files outside of the project have: they are shown as `outside_1`, `outside_2` .., since what such a file says is not for everybody who reads a report.

    compile_commands.json    "nvcc -I../../../home/somebody -c a.cu"
    a.cu                     #include "notes.txt"

A stranger's project decides what is included, and reports go to logs that many read.  What the project's own files say somewhere may be
shown, and so may words of C++ and CUDA.  Tested by tests/security/test_outside_names.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field

from analysis_core.support.files import Files, is_shown
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.lex.preprocessor_lines import FileLines
from analysis_core.text.records import dataclass

_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"")
_NUMBER = re.compile(r"\d+")

_KNOWN = frozenset(
    [
        "auto",
        "const",
        "volatile",
        "static",
        "extern",
        "inline",
        "constexpr",
        "struct",
        "class",
        "enum",
        "union",
        "typename",
        "template",
        "operator",
        "this",
        "return",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "goto",
        "new",
        "delete",
        "sizeof",
        "alignof",
        "decltype",
        "true",
        "false",
        "nullptr",
        "asm",
        "void",
        "bool",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "unsigned",
        "signed",
        "wchar_t",
        "std",
        "size_t",
        "ptrdiff_t",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "uint",
        "uchar",
        "ushort",
        "half",
        "dim3",
        "uint3",
        "int2",
        "int3",
        "int4",
        "float2",
        "float3",
        "float4",
        "double2",
        "x",
        "y",
        "z",
        "w",
        "threadIdx",
        "blockIdx",
        "blockDim",
        "gridDim",
        "warpSize",
    ]
)


@dataclass(frozen=True, slots=True)
class HiddenNames:
    """Names that must not be shown. `names`: what is shown in place of each."""

    names: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.names)

    def shown(self, text: str) -> str:
        """A piece of source text, or a name, as it may be shown."""
        return text if not self.names else _WORD.sub(lambda word: self.names.get(word[0], word[0]), text)

    def sentence(self, text: str) -> str:
        """A sentence of ours with names in quotes, as it may be shown."""
        return text if not self.names else _QUOTED.sub(lambda quoted: self.shown(quoted[0]), text)


_KEPT_WORDS = 200_000
"""Words of files that are kept: only who reads files from outside of the project needs them."""

WORDS: Stage[str, tuple[bytes, frozenset[str]]] = Stage("words of files", _KEPT_WORDS, lambda known: len(known[1]))
"""By path, a file's text and the words in it."""


def hidden_names(files: Mapping[str, FileLines], disk: Files, store: Store) -> HiddenNames:
    """The names that a unit has from files outside of the project alone."""
    outside = [path for path in files if not is_shown(path, disk)]
    if not outside:
        return HiddenNames()
    now = {path: _words_of(path, file.lexed.source.data, store) for path, file in files.items()}
    own = _KNOWN.union(*(words for path, words in now.items() if path not in outside))
    found = _in_order(sorted(now[path] - own) for path in outside)
    return HiddenNames({word: f"outside_{number}" for number, word in enumerate(found, 1)})


def _words_of(path: str, data: bytes, store: Store) -> frozenset[str]:
    known = store.get(WORDS, path, lambda known: known[0] == data)
    if known is None:
        every = _WORD.findall(data.decode("utf-8", "surrogateescape"))
        known = data, frozenset(word for word in every if not _NUMBER.fullmatch(word))
        store.put(WORDS, path, known)
    return known[1]


def _in_order(groups: Iterable[Iterable[str]]) -> dict[str, None]:
    return dict.fromkeys(word for group in groups for word in group)
