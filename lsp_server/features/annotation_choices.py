"""Choices and cards within `//@` comments: their words, the parts of a launch, and the names that conditions may speak of.

A text is asked while somebody types in it, so nothing rests on its analysis: the comment is found on its line, and its kernel, around it or
below it, by the look of its head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from analysis_core.report.cards import Card
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span
from lsp_server.features.choices import Choice, Kind

FORMS: Mapping[str, tuple[str, str]] = {
    "launch": ("launch block=(16,16) grid=(ceil(n/16), ceil(n/16))",
               "One launch of the kernel; several of them are each analysed. `grid` may be left out."),
    "assume": ("assume n % 32 == 0 && w >= 1", "What holds of the kernel's integer parameters, and of the grid, when it begins."),
    "aligned": ("aligned(p, 16)", "The address in pointer parameter `p` is a multiple of 16 bytes (else: of 256)."),
    "loop_bound": ("loop_bound 64", "The next loop makes at most 64 iterations each time it is reached; also in device functions."),
    "assert": ("assert i < n", "What is to be proved of every thread at this place (WC407)."),
    "requires": ("requires n > 0", "As `assume`, and launches are to see to it."),
    "ensures": ("ensures n >= 0", "What is to be proved of every thread at the end of the kernel (WC407)."),
    "expect": ("expect sectors <= 4*ceil(n/32) per_warp when n % 32 == 0",
               "What the kernel, or the next statement, is to cost (WC501)."),
}  # fmt: skip
"""By the word that an annotation begins with: its form, and what it states."""

_PARTS = {"block": "The shape of a block in threads: (x), (x, y) or (x, y, z).", "grid": "The grid in blocks: (x), (x, y) or (x, y, z)."}  # fmt: skip
_FUNCTIONS = {
    "ceil": "`ceil(n / 32)`: the quotient, rounded up.",
    "ceil_div": "`ceil_div(n, 32)`: the quotient, rounded up.",
    "min": "The least of two.",
    "max": "The greatest of two.",
}
_BUILT_IN = {
    "gridDim": "The grid, in blocks.",
    "blockDim": "The block, in threads.",
    "blockIdx": "The block's place in the grid.",
    "threadIdx": "The thread's place in its block.",
}
METRICS = {
    "sectors": "32-byte sectors of global memory that are moved.",
    "excessive_sectors": "Sectors beyond those of the best pattern.",
    "wavefronts": "Passes through shared memory.",
    "conflicts": "Wavefronts beyond those of the best pattern.",
    "divergences": "How often a warp splits at a branch or a loop test.",
    "steps": "Abstract evaluation steps, of whole kernels.",
}
"""What contracts speak of, beside the metrics of the settings."""

_SCOPES = {
    "per_warp": "Of the most expensive warp, if nothing is said.",
    "per_block": "Of the most expensive block.",
    "per_launch": "Of all blocks of a launch together.",
}
_OLD = r"`\old(a[i])`: what it was worth when the kernel began."
_CARDS = {**_PARTS, **_FUNCTIONS, **_BUILT_IN, **METRICS, **_SCOPES, "when": "For which sizes a contract is to hold."}
_CLAIMS = frozenset({"assert", "ensures"})

_HEAD = re.compile(rb"(?://|/\*)@[ \t]*")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_KERNEL = re.compile(rb"\b__global__\b")
_NO_CODE = re.compile(rb'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_LOCAL = re.compile(
    rb"\b(?:int|unsigned|long|short|char|size_t|auto|bool|u?int\d+_t)[ \t]+(?:int[ \t]+)?([A-Za-z_]\w*)[ \t]*=(?!=)"
)

NEAR = 200_000
"""Bytes of the text that are looked through for the kernel of an annotation."""


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A kernel by the look of it: the bytes of its body, and its parameters with their types, by name."""

    body: int
    end: int
    parameters: Mapping[str, str]


def annotation_choices(index: LineIndex, at: int) -> Iterator[Choice]:
    """What may be typed at a byte of a source; nothing outside of annotations."""
    found = _comment(index, at)
    if found is None:
        return
    start, said = found
    first = _WORD.match(said)
    typed = re.search(rb"\w*$", said)
    assert typed is not None
    begin = start + typed.start()
    if first is None or first.end() == len(said):
        for word, (form, meaning) in FORMS.items():
            yield Choice(word, Kind.WORD, begin, at, word, f"```cuda\n//@ {form}\n```\n{meaning}", form)
        return
    word = first[0].decode("ascii")
    rest = said[first.end() : typed.start()]
    if word == "launch" and rest.count(b"(") <= rest.count(b")"):
        for part, meaning in _PARTS.items():
            if part.encode() not in rest and rest.rstrip()[-1:] != b"=":
                yield Choice(part, Kind.WORD, begin, at, f"{part}=(", meaning)
        return
    if word not in FORMS or word == "loop_bound":
        return
    if word == "expect":
        first_of_all = not rest.strip()
        behind = re.search(rb"(<=|>=|==|<|>)", rest) is not None
        if first_of_all:
            yield from (Choice(metric, Kind.WORD, begin, at, metric, says) for metric, says in METRICS.items())
            return
        if b"when" not in rest.split() and b"per_" not in rest:
            yield from (Choice(scope, Kind.WORD, begin, at, scope, says) for scope, says in _SCOPES.items())
        if b"when" not in rest.split() and behind:
            yield Choice("when", Kind.WORD, begin, at, "when", "For which sizes it is to hold: `when n % 32 == 0`.")
        if not behind:
            return
    yield from _names(index, at, word, begin, rest)


def _names(index: LineIndex, at: int, word: str, begin: int, rest: bytes) -> Iterator[Choice]:
    """What terms may name: after `threadIdx.` and the like an axis."""
    kernel = _kernel(index.data, at)
    choice = partial(Choice, start=begin, end=at)
    parameters = {} if kernel is None else kernel.parameters
    member = re.search(rb"(\w+)\.$", rest)
    if member is not None:
        for axis in "xyz" if member[1].decode("ascii", "replace") in _BUILT_IN else "":
            yield choice(axis, Kind.VARIABLE, text=axis)
        return
    pointers = {name: kind for name, kind in parameters.items() if "*" in kind or "[" in kind}
    if word == "aligned":
        if b"," not in rest:
            for name, kind in pointers.items():
                yield choice(name, Kind.VARIABLE, text=name, detail=kind)
        return
    for name, kind in parameters.items():
        if name not in pointers or word in _CLAIMS:
            yield choice(name, Kind.VARIABLE, text=name, detail=kind)
    if word in _CLAIMS and kernel is not None and kernel.body < at:
        for local in dict.fromkeys(_LOCAL.findall(_code(index.data[kernel.body : at]))):
            name = local.decode("ascii")
            yield choice(name, Kind.VARIABLE, text=name, detail="a variable of the kernel")
    for name, meaning in _BUILT_IN.items():
        if name != "threadIdx" or word in _CLAIMS:
            yield choice(name, Kind.VARIABLE, text=name, says=meaning)
    for name, meaning in _FUNCTIONS.items():
        yield choice(name, Kind.FUNCTION, text=f"{name}(", says=meaning)
    if word == "ensures":
        slash = 1 if rest.endswith(b"\\") else 0
        yield Choice(r"\old", Kind.FUNCTION, begin - slash, at, r"\old(", _OLD)


def annotation_card(path: str, index: LineIndex, at: int) -> Card | None:
    """What the word of an annotation at a byte means."""
    start, end = index.line_range(index.line_of(at))
    word = next((m for m in _WORD.finditer(index.data, start, end) if m.start() <= at < m.end()), None)
    found = None if word is None else _comment(index, word.end())
    if word is None or found is None:
        return None
    name = word[0].decode("ascii")
    if word.start() == found[0] and name in FORMS:
        form, meaning = FORMS[name]
        text = f"```cuda\n//@ {form}\n```\n{meaning}"
    elif name in _CARDS:
        text = _CARDS[name]
    else:
        kernel = _kernel(index.data, at)
        if kernel is None or name not in kernel.parameters:
            return None
        text = f"Parameter `{' '.join(f'{kernel.parameters[name]} {name}'.split())}` of the kernel."
    return Card(Span(FileId(path), word.start(), word.end()), text)


def _comment(index: LineIndex, at: int) -> tuple[int, bytes] | None:
    """Where the words of the annotation around a byte begin, and its text up to there; None outside of annotations."""
    start, _ = index.line_range(index.line_of(at))
    line = index.data[start:at]
    for head in _HEAD.finditer(line):
        said = line[head.end() :]
        is_open = b"*/" not in said if line[head.start() + 1 : head.start() + 2] == b"*" else b"//" not in said
        if is_open and line[: head.start()].count(b'"') % 2 == 0 and b"//" not in line[: head.start()]:
            return start + head.end(), said
    return None


def _kernel(data: bytes, at: int) -> _Kernel | None:
    """The kernel around a byte, else the next one."""
    begin = max(0, at - NEAR)
    code = _code(data[begin : at + NEAR])
    heads = [match.start() for match in _KERNEL.finditer(code)]
    before = [head for head in heads if head < at - begin]
    around = _read_kernel(code, before[-1], begin) if before else None
    if around is not None and around.body <= at < around.end:
        return around
    after = [head for head in heads if head >= at - begin]
    return _read_kernel(code, after[0], begin) if after else None


def _code(data: bytes) -> bytes:
    """The text with blanks for comments and strings."""
    return _NO_CODE.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), data)


def _read_kernel(code: bytes, head: int, begin: int) -> _Kernel | None:
    """The kernel whose head begins at a place of the code; None if that is no head."""
    brace = min((p for p in (code.find(b"{", head), code.find(b";", head)) if p >= 0), default=-1)
    if brace < 0 or code[brace : brace + 1] != b"{":
        return None
    close = code.rfind(b")", head, brace)
    depth, opened = 0, close
    while opened > head:
        depth += {b")": 1, b"(": -1}.get(code[opened : opened + 1], 0)
        if depth == 0:
            break
        opened -= 1
    if close < 0 or depth:
        return None
    end, depth = brace, 0
    for match in re.finditer(rb"[{}]", code[brace:]):
        depth += 1 if match[0] == b"{" else -1
        end = brace + match.end()
        if depth == 0:
            break
    else:
        end = len(code)
    return _Kernel(begin + brace, begin + end, dict(_parameters(code[opened + 1 : close].decode("utf-8", "replace"))))


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    """Name and type of each parameter."""
    depth, part = 0, ""
    for char in f"{text},":
        depth += (char in "(<[{") - (char in ")>]}")
        if char == "," and depth <= 0:
            found = re.match(r"(.*?)([A-Za-z_]\w*)\s*(\[.*\])?\s*(=.*)?$", part.strip(), re.DOTALL)
            if found is not None and found[1].strip():
                yield found[2], " ".join(f"{found[1]}{'[]' if found[3] else ''}".split())
            part = ""
        else:
            part += char
