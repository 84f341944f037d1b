"""The coverage matrix (tests/kernels/COVERAGE.md) says the truth, and has no hole.

Its rows are the constructs that the reader and the IR promise, its columns block shapes and pitches.  Each cell names
a kernel that exists, is launched with that shape, uses the construct and has that kind of pitch, or gives a reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.harness.annotations import Fixture, parse

KERNELS = Path(__file__).parent / "kernels"
COLUMNS = [f"{shape} {pitch}" for shape in ("1-D", "2-D", "3-D", "partial") for pitch in ("known", "symbolic")]

# What a kernel must contain to be an example of its construct, by the name that COVERS comments use.
EVIDENCE = {
    "arithmetic": r"- -1",
    "division": r"/ 4 .*% 4",
    "bits": r"<< 2\) \| 3\) \^ 1.*>> 1\) & ~1",
    "joined_flag": r"int found = 0.*found = 1;.*if \(found\)",
    "logic": r">= 4 && !\(.*\|\|",
    "conditional": r"\?.*:",
    "comma": r"\(c = .*, c",
    "compound": r"\*= 3.*\+= .*\] \+=",
    "increment": r"c\+\+.*c--.*--c.*\+\+i.*\]\+\+",
    "if_else": r"\bif \(.*\belse\b",
    "for": r"\bfor \(",
    "while": r"\bwhile \(",
    "do": r"\bdo \{.*\bwhile \(",
    "switch": r"\bswitch \(.*\bcase 0:.*\bdefault:",
    "break": r"\bbreak;",
    "continue": r"\bcontinue;",
    "early_return": r"\breturn;",
    "pointer_arithmetic": r"\*\(row \+",
    "pointer_alias": r"float \*second = first;",
    "reference": r"float &cell",
    "array_1d": r"__shared__ float s\[\d+\];",
    "array_2d": r"__shared__ float s\[\d+\]\[\d+\];",
    "array_3d": r"__shared__ float s\[\d+\]\[\d+\]\[\d+\];",
    "array_local": r"int columns\[2\];",
    "extern_shared": r"extern __shared__ float s\[\];",
    "extern_cast": r"extern __shared__ char.*\(double \*\)",
    "extern_carved": r"extern __shared__.*&first\[",
    "struct_value": r"\(View view",
    "struct_pointer": r"Cell \*cells.*\.y.*->id",
    "float4": r"float4 v = in\[",
    "make_float4": r"= make_float4\(",
    "reinterpret_cast": r"reinterpret_cast<float4 \*>",
    "cast_c": r"\(unsigned char\)\(",
    "cast_functional": r"int\(2u.*float\(i\)",
    "cast_static": r"static_cast<short>.*const_cast<",
    "device_call": r"place\(",
    "device_reference": r"halves\(.*, high, low\)",
    "device_access": r"put_\w+\(out",
    "template_type": r"template <typename T>.*T\(1\)",
    "template_value": r"template <int S>.*S \*",
    "restrict": r"\*__restrict__ out",
    "launch_bounds": r"__launch_bounds__\(64\)",
    "unroll": r"#pragma unroll",
    "volatile": r"volatile float \*",
    "atomic": r"atomicAdd\(",
    "shuffle": r"__shfl_xor_sync\(",
    "vote": r"__any_sync\(",
    "barrier": r"__syncthreads\(\)",
    "barrier_warp": r"__syncwarp\(\)",
    "group_rank": r"warp\.thread_rank\(\).*block\.thread_rank\(\)",
    "group_sync": r"block\.sync\(\).*cg::sync\(",
    "min_max": r"max\(min\(",
    "mul24": r"__mul24\(",
    "ldg": r"__ldg\(",
    "math": r"sqrtf\(.*sinf\(",
    "constexpr": r"constexpr int step = stride\(",
    "macro": r"AT\(",
}

LAUNCH = re.compile(r"(\w+)(?:<[^<>]*>)?<<<\d+, (?:dim3\((\d+), (\d+)(?:, (\d+))?\)|(\d+))>>>")


@dataclass(frozen=True, slots=True)
class Cell:
    construct: str  # as the row calls it
    fixture: str
    column: str
    text: str


def matrix() -> list[Cell]:
    """The cells of the table."""
    lines = (KERNELS / "COVERAGE.md").read_text(encoding="utf-8").splitlines()
    rows = [[part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if line.startswith("|")]
    header, _, *body = rows
    assert header[2:] == COLUMNS
    return [Cell(row[0], row[1], column, text) for row in body for column, text in zip(COLUMNS, row[2:], strict=True)]


CELLS = matrix()


def kernel_text(fixture: Fixture, name: str) -> tuple[str, str]:
    """A kernel's COVERS line and its text, from there to the closing brace in the first column."""
    at = re.search(rf"__global__ void (?:__launch_bounds__\(\d+\) )?{name}\(", fixture.text)
    assert at is not None, f"there is no kernel {name}"
    place, covers = max((p, text) for p, text in fixture.covers if p < at.start())
    end = fixture.text.index("\n}", at.end())
    return covers, fixture.text[place:end]


def shape_of(block: tuple[int, ...]) -> str:
    """The column that a block belongs to."""
    threads = block[0] * block[1] * block[2]
    if threads % 32:
        return "partial"
    return "3-D" if block[2] > 1 else "2-D" if block[1] > 1 else "1-D"


def test_no_cell_is_empty() -> None:
    assert len({cell.construct for cell in CELLS}) == len(EVIDENCE)
    for cell in CELLS:
        assert re.fullmatch(r"\w+|n/a: .{10,}", cell.text), cell


def test_every_kernel_appears_once() -> None:
    named = [cell.text for cell in CELLS if not cell.text.startswith("n/a")]
    written = [
        name
        for path in (KERNELS / "coverage").glob("*.cu")
        for name in re.findall(r"__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(", path.read_text("latin-1"))
    ]
    assert sorted(named) == sorted(written)


@pytest.mark.parametrize("name", sorted({cell.fixture for cell in CELLS}))
def test_cells_name_what_they_say(name: str) -> None:
    fixture = parse((KERNELS / name).read_bytes())
    launches = {m[1]: tuple(int(n or 1) for n in (m[2] or m[5], m[3], m[4])) for m in LAUNCH.finditer(fixture.text)}
    for cell in CELLS:
        if cell.fixture != name or cell.text.startswith("n/a"):
            continue
        covers, text = kernel_text(fixture, cell.text)
        construct, shape, pitch = covers.split(" ")
        assert f"{shape} {pitch}" == cell.column
        assert shape_of(launches[cell.text]) == shape, cell
        code = re.sub(r"//.*", "", text)
        assert re.search(EVIDENCE[construct], code, re.DOTALL), f"{cell.text} does not show {construct}"
        assert bool(re.search(r"\* p\b|view\.pitch|, p\b", code)) == (pitch == "symbolic"), cell
        assert re.search(r"//\s*\^+ access", fixture.text), cell


def test_ends_of_loops_have_fixtures() -> None:
    _, _, below = (KERNELS / "COVERAGE.md").read_text(encoding="utf-8").partition("## Ends of loops")
    ends, _, _ = below.partition("\n## ")
    named = re.findall(r"^- .*`(.*\.cu)`$", ends, re.MULTILINE)
    assert named
    assert all("//! bound" in (KERNELS / name).read_text(encoding="utf-8") for name in named)
