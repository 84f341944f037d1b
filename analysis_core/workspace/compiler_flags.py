"""What compilers are told on their command lines that changes what a file says: folders of includes, macros, the architecture.

Folders of the system and of the toolkit are left out: what their headers say to a kernel is known already.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice

from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import read_file
from analysis_core.workspace.values import BadValue, cc_of, define_of

_MOST_RESPONSE = 1_000_000
_MOST_FOLDERS = 64
"""Of one file: each is asked for every header that is missing."""
_SYSTEM = ("/usr/include", "/usr/local/include", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_TOOLKIT = "cuda_runtime.h"

_INCLUDES = ("--include-path", "--system-include", "-isystem", "-iquote", "-I")
_DEFINES = ("--define-macro", "-D")
_UNDEFINES = ("--undefine-macro", "-U")
_FILES = ("--options-file", "-optf")
_ARCHITECTURES = (
    "--gpu-architecture", "--generate-code", "--cuda-gpu-arch", "--offload-arch", "--gpu-code", "-gencode", "-arch", "-code"
)  # fmt: skip
_SHORT = ("-I", "-D", "-U")
_STARTS = ("@", *_SHORT, "-i", "-op", "-ar", "-co", "-ge", "--")
_ALL = (*_INCLUDES, *_DEFINES, *_UNDEFINES, *_FILES, *_ARCHITECTURES)
_DEEPEST = 3
"""Response files that name response files."""

_MOST_RESPONSES = 64
"""Response files of one command."""

_MOST_OPTIONS = 10_000
"""Of one command, those of response files among them."""

Read = Callable[[str], str]
"""The text of a file, "" where there is none that may be read."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What a file is compiled with.  `include_paths`: absolute; `compute_capability`: the greatest of its architectures."""

    include_paths: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    compute_capability: str | None = None


def flags_of(words: Sequence[str], directory: str) -> Flags:
    """The flags that the words of a command give in a folder, without those in response files."""
    return made_of(options_of(words, directory, lambda path: ""), directory)


def made_of(options: Sequence[tuple[str, str]], directory: str) -> Flags:
    """The flags that options are, in their order."""
    folders: dict[str, None] = {}
    defines: dict[str, str] = {}
    architectures: list[str] = []
    for option, value in options:
        if option in _INCLUDES:
            folders[os.path.normpath(os.path.join(directory, value))] = None
        elif option in _UNDEFINES:
            defines.pop(value, None)
        elif option in _ARCHITECTURES:
            architectures += re.findall(r"(?:sm|compute)_(\d{2,3})", value)
        else:
            try:
                name, text = define_of(value)
            except BadValue:  # a macro with parameters
                continue
            defines[name] = text
    kept = [folder for folder in folders if not _is_known(folder)]
    return Flags(tuple(kept[:_MOST_FOLDERS]), defines, _capability(architectures))


def options_of(words: Sequence[str], directory: str, read: Read) -> tuple[tuple[str, str], ...]:
    """(option, value) of all that count, response files read in their place: as many as there may be."""
    found = _options(words, directory, read, [_MOST_RESPONSES], 0)
    return tuple(islice(found, _MOST_OPTIONS))


def _options(
    words: Sequence[str], directory: str, read: Read, left: list[int], depth: int
) -> Iterator[tuple[str, str]]:
    """`left` counts the response files that may still be read."""
    rest = iter(words)
    for word in rest:
        if not word.startswith(_STARTS):
            continue
        option, value = word[:2], ""
        if option not in _SHORT:
            option = next((o for o in _ALL if _begins(word, o)), "")
        if option:
            value = next(rest, "") if word == option else word[len(option) :].removeprefix("=")
        elif word.startswith("@"):
            option, value = _FILES[0], word[1:]
        if option in _FILES:
            if depth < _DEEPEST and left[0] > 0:
                left[0] -= 1
                text = read(os.path.join(directory, value))
                yield from _options(split_words(text), directory, read, left, depth + 1)
        elif option and value:
            yield option, value


def _begins(word: str, option: str) -> bool:
    """Whether a word is the option, alone or with its value: of long ones after `=`, of one letter at once."""
    return word == option or word.startswith(option if len(option) == 2 or option[1] == "i" else f"{option}=")


def response_text(path: str) -> str:
    """The text of a response file; "" where there is none."""
    return (read_file(path, _MOST_RESPONSE) or b"").decode("utf-8", "replace")


def _is_known(folder: str) -> bool:
    """Whether it belongs to the system or the toolkit."""
    system = any(folder == place or folder.startswith(f"{place}/") for place in _SYSTEM)
    return system or os.path.exists(os.path.join(folder, _TOOLKIT))


def _capability(architectures: Sequence[str]) -> str | None:
    for digits in sorted(set(architectures), key=int, reverse=True):
        try:
            return cc_of(f"{digits[:-1]}.{digits[-1]}")
        except BadValue:
            continue
    return None


def split_words(text: str) -> list[str]:
    """A command as its words; none where a quote is not closed."""
    if not any(mark in text for mark in "\"'\\"):
        return text.split()  # a thousand times as fast, and nearly all are like this
    try:
        return shlex.split(text, posix=os.sep == "/")
    except ValueError:  # a quote that is not closed
        return []
