"""Sizes, alignments and offsets of the classes in models are those of the toolkit's own headers, as clang reads them.

Needs the extras `oracles` and `headers`.  A member that is held nowhere is in `model_layouts.py`, with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import analysis_core
from analysis_core.ir.layout import align_of, size_of
from analysis_core.ir.types import ArrayType, OpaqueType, StructType, Type
from analysis_core.syntax.lex.models import CLASS_SIZES
from tests.ir.lowering import module
from tests.oracles.model_layouts import HEADERS, NO_PACKAGE, OWN, TAGS, Record, records
from tests.oracles.toolkit import ask, why_not

MODELS = Path(analysis_core.__file__ or "").parent / "models"
_AT = 4096
"""Where an object is thought to be: clang takes bases of none at address 0."""


@pytest.mark.nightly
@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_layouts_are_those_of_the_headers() -> None:
    held = records()
    types = _types(held)
    ours: dict[str, int | str | None] = {}
    questions: dict[str, str] = {}
    for record in held:
        for what, value, question in _questions(record, types[record.name]):
            ours[what], questions[what] = value, question
    answers = ask(HEADERS, list(questions.values()))
    differing = {
        what: (ours[what], theirs) for what, theirs in zip(questions, answers, strict=True) if ours[what] != theirs
    }
    assert not differing, "\n".join(
        f"{what}: {mine}; the headers: {theirs}" for what, (mine, theirs) in differing.items()
    )
    assert len(held) > 2000
    assert sum(what.startswith("offset") for what in questions) > 1000
    met = {path for record in held for path in _paths(types[record.name])}
    apart = {path.removesuffix(" size") for record in held for path in record.apart}
    assert apart <= met, "these members are no longer there"


def test_every_class_of_a_model_is_held() -> None:
    names = {re.split(r"[<:]", part)[0] for record in records() for part in re.findall(r"\w+(?:<|$)|\w+$", record.name)}
    names |= {word for record in records() for word in re.findall(r"\w+", record.name)}
    names |= {
        "curandStateXORWOW",
        "curandStatePhilox4_32_10",
        "__nv_fp8_FORMAT",
        "__nv_fp8x2_FORMAT",
        "__nv_fp8x4_FORMAT",
    }
    for path in sorted(MODELS.glob("*.cuh")):
        if path.name not in NO_PACKAGE:
            apart = {*OWN.get(path.name, ()), *TAGS.get(path.name, ())}
            declared = set(
                re.findall(
                    r"(?<!enum )\b(?:struct|class) (?:alignas\((?:[^()]|\([^()]*\))*\) )?(\w+)\b(?! *[,>])", _code(path)
                )
            )
            assert declared - apart - names == set(), path.name
            assert apart - declared == set(), f"{path.name} declares these no longer"
    assert {name.partition("<")[0] for name in CLASS_SIZES} <= {record.name.partition("<")[0] for record in records()}


def _code(path: Path) -> str:
    """A model without comments and template heads, where `class` names a parameter."""
    return re.sub(
        r"\btemplate <[^{};]*?>\s(?=struct|class|__|inline|using|constexpr)", "", re.sub(r"//.*", "", path.read_text())
    )


def _types(held: list[Record]) -> Mapping[str, Type]:
    """What lowering makes of each class."""
    types: dict[str, Type] = {record.name: OpaqueType(record.name, "not read", unsized=True) for record in held}
    for start in range(0, len(held), 100):
        some = held[start : start + 100]
        lines = [
            f"__global__ void k{i}() {{ __shared__ {record.name} v[1]; v[0]; }}\n" for i, record in enumerate(some)
        ]
        for found in module("#include <string>\n" + "".join(lines)).kernels:
            array = next((one.type for one in found.objects), None)
            if isinstance(array, ArrayType):
                types[some[int(found.name[1:])].name] = array.element
    return types


def _questions(record: Record, type_: Type) -> Iterator[tuple[str, int | None, str]]:
    """What is asked, our own answer, and the question to clang."""
    yield f"size of {record.name}", size_of(type_), f"sizeof({record.name})"
    yield f"alignment of {record.name}", align_of(type_), f"alignof({record.name})"
    if not isinstance(type_, StructType):
        return
    for path, offset, size in _members(type_):
        if path in record.apart:
            continue
        theirs = record.members.get(path, path)
        place = f"(({record.within or record.name} *){_AT})->{theirs}"
        yield f"offset of {path} in {record.name}", _AT + offset, f"(long long)&({place})"
        if f"{path} size" not in record.apart:
            yield f"size of {path} in {record.name}", size, f"sizeof({place})"


def _paths(type_: Type) -> Iterator[str]:
    return (path for path, _, _ in _members(type_)) if isinstance(type_, StructType) else iter(())


def _members(type_: StructType, before: str = "", start: int = 0) -> Iterator[tuple[str, int, int | None]]:
    """Path, offset and size of each member, outer ones first."""
    for one in type_.fields:
        path, offset = before + one.name, start + one.offset
        yield path, offset, size_of(one.type)
        if isinstance(one.type, StructType) and not one.type.vector:
            yield from _members(one.type, f"{path}.", offset)
