"""Inputs that nobody would write: what people wrote, taken apart and put together wrongly.

Tokens are found by a rough expression of the fuzzer's own, so that a fault of the product's lexer hides nothing.  All choices are those of the
generator of random numbers that is handed in: the same seed makes the same inputs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

MOST = 16 * 1024
"""Bytes of an input at most."""

_TOKEN = re.compile(
    rb"\s+|//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||->|::|.",
    re.S,
)
_WORDS = (
    b"if for while do switch case default break continue return goto template typename class struct union enum namespace using typedef "
    b"constexpr const static extern volatile auto int unsigned float double char bool long short void size_t float4 half sizeof alignas operator "
    b"this new delete true false nullptr __global__ __device__ __host__ __shared__ __constant__ __restrict__ __syncthreads __launch_bounds__ threadIdx "
    b"blockIdx blockDim gridDim .x .y __shfl_down_sync atomicAdd __ldg asm #define #include #if #ifdef #else #elif #endif #pragma <<< >>> ... ## \\\n "
    b"static_assert decltype noexcept requires concept co_await [&] [=] mutable explicit friend virtual public: ~ -> :: 0 1 -1 2 31 32 33 1024 "
    b"2147483647 4294967296u 0x8000000000000000 1e400 08 0b2 1'000 'a' '\\' \" u8R\"("
).split(b" ")
_NUMBERS = (
    b"0",
    b"1",
    b"-1",
    b"2",
    b"7",
    b"31",
    b"32",
    b"33",
    b"1000003",
    b"2147483647",
    b"2147483648",
    b"4294967295u",
    b"0x7fffffffffffffffLL",
    b"1ull<<63",
)
_OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}

Mutation = Callable[[list[bytes], random.Random, Sequence[bytes]], list[bytes]]


def tokens(data: bytes) -> list[bytes]:
    """The pieces of a text; joined they are the text."""
    return _TOKEN.findall(data)


def mutated(data: bytes, chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A text made of `data` by one to five changes, some of which take pieces from `seeds`."""
    pieces = tokens(data)
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        pieces = chance.choice(_MUTATIONS)(pieces or [b" "], chance, seeds)
    made = b"".join(pieces)
    if chance.random() < 0.1:
        made = _bytes_changed(made, chance)
    return made[:MOST]


def _part(pieces: list[bytes], chance: random.Random) -> tuple[int, int]:
    """Where a piece begins and ends: a token, some tokens, or all between two brackets."""
    start = chance.randrange(len(pieces))
    if chance.random() < 0.5:
        for at in range(start, len(pieces)):
            if pieces[at] in _OPEN:
                return at, _closing(pieces, at)
    return start, min(len(pieces), start + chance.choice((1, 1, 2, 4, 8, 30)))


def _closing(pieces: list[bytes], at: int) -> int:
    depth = 0
    for end in range(at, len(pieces)):
        depth += (pieces[end] == pieces[at]) - (pieces[end] == _OPEN[pieces[at]])
        if depth == 0:
            return end + 1
    return len(pieces)


def _dropped(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    start, end = _part(pieces, chance)
    return pieces[:start] + pieces[end:]


def _doubled(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    start, end = _part(pieces, chance)
    return pieces[:end] + pieces[start:end] * chance.choice((1, 1, 2, 3, 10, 40)) + pieces[end:]


def _moved(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    start, end = _part(pieces, chance)
    rest = pieces[:start] + pieces[end:]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + pieces[start:end] + rest[at:]


def _word(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    at = chance.randrange(len(pieces))
    return pieces[:at] + [b" ", chance.choice(_WORDS), b" "] + pieces[at + chance.randrange(2) :]


def _number(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    places = [at for at, piece in enumerate(pieces) if piece[:1].isdigit()]
    if not places:
        return _word(pieces, chance, seeds)
    at = chance.choice(places)
    return pieces[:at] + [chance.choice(_NUMBERS)] + pieces[at + 1 :]


def _name(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    """One name instead of another of the text."""
    places = [at for at, piece in enumerate(pieces) if re.match(rb"[A-Za-z_]", piece)]
    if not places:
        return _word(pieces, chance, seeds)
    at = chance.choice(places)
    return pieces[:at] + [pieces[chance.choice(places)]] + pieces[at + 1 :]


def _taken(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    """A piece of another text, in the place of one or beside it."""
    other = tokens(chance.choice(seeds)) or [b";"]
    start, end = _part(other, chance)
    first, last = _part(pieces, chance)
    return pieces[:first] + other[start:end] + pieces[first if chance.random() < 0.5 else last :]


def _nested(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    """A piece inside of many brackets, conditions or loops."""
    start, end = _part(pieces, chance)
    opened, closed = chance.choice(
        (
            (b"(", b")"),
            (b"{", b"}"),
            (b"if (n > 1) {", b"}"),
            (b"for (int k = 0; k < n; k++) {", b"}"),
            (b"while (p[0]) {", b"}"),
            (b"do {", b"} while (n);"),
            (b"n ? 1 : (", b")"),
            (b"a[", b"]"),
            (b"f(", b")"),
            (b"T<", b">"),
        )
    )
    deep = chance.choice((1, 2, 5, 20, 200))
    return pieces[:start] + [opened] * deep + pieces[start:end] + [closed] * deep + pieces[end:]


def _cut(pieces: list[bytes], chance: random.Random, seeds: Sequence[bytes]) -> list[bytes]:
    """The text as far as it was typed."""
    return pieces[: chance.randrange(len(pieces)) + 1]


_MUTATIONS: tuple[Mutation, ...] = (
    _dropped,
    _doubled,
    _moved,
    _word,
    _number,
    _name,
    _name,
    _taken,
    _taken,
    _nested,
    _cut,
)


def _bytes_changed(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 3, 20))):
        at = chance.randrange(len(changed) + 1)
        changed[at : at + chance.randrange(2)] = bytes(
            [chance.choice((0, 9, 10, 13, 34, 92, 127, 0xC3, 0xFF, chance.randrange(256)))]
        )
    return bytes(changed)
