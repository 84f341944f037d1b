"""The truth behind `access!`: a fixture compiled by g++, run with many sizes, its requests counted (shim.h).

This shares nothing with the analysis: addresses come from the compiled C++, costs from the rules of the hardware written
once more.  `worst` is the most that any request cost, `best` the least among requests with the most active lanes,
`ideal` that of the worst request, over all blocks of the launched grid and all sampled sizes.  Samples cover every
residue of a size modulo a sector, with rows that overlap and with rows that do not; that is evidence, not proof.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SHIM = Path(__file__).with_name("shim.h")
SIZES = (*range(65), *range(1000, 1008), 1024)

_LAUNCHED = re.compile(
    r"^(?P<indent>\s*)(?P<name>\w+)(?P<args><[^<>;]*>)?"
    r"<<<(?P<grid>\d+), (?P<block>dim3\([^)]*\)|\d+)>>>\([^;]*\);",
    re.MULTILINE,
)
_DYNAMIC = re.compile(r"extern\s+__shared__\s+((?:volatile\s+)?[\w ]+?)\s+(\w+)\[\];")
_KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\(([^)]*)\)")
_SIZES = re.compile(r"// SIZES: up to (\d+)\n")


@dataclass(frozen=True, slots=True)
class Truth:
    """The requests of one line, by space and kind: least and greatest sectors (wavefronts) per request."""

    line: int
    space: str
    rw: str
    bytes: int
    worst: int
    best: int
    ideal: int
    times: int


@dataclass(frozen=True, slots=True)
class _Run:
    kernel: str
    block: str
    grid: str
    largest: int  # greatest size to try; 0 if it has none


def _runs(source: str) -> Iterator[_Run]:
    """Every launch in the fixture; a `// SIZES: up to 64` above a kernel keeps its indices inside of an array."""
    kernels = {m[1]: m for m in _KERNEL.finditer(source)}
    before = 0
    limits = {}
    for name, kernel in kernels.items():
        limit = _SIZES.search(source, before, kernel.start())
        sized = any(parameter.strip() and "*" not in parameter for parameter in kernel[2].split(","))
        limits[name] = 0 if not sized else int(limit[1]) if limit else max(SIZES)
        before = kernel.end()
    for launch in _LAUNCHED.finditer(source):
        name = launch["name"]
        yield _Run(name + (launch["args"] or ""), launch["block"], launch["grid"], limits[name])


def _host_source(source: str, name: str) -> str:
    """The fixture as C++ for the host, line for line, and a main that runs its kernels over the sampled sizes."""
    body = _LAUNCHED.sub(r"\g<indent>;", source)
    body = _DYNAMIC.sub(r"\1 *\2 = (\1 *)shim::dynamic_shared;", body)
    body = re.sub(r"^#include <(cuda|cooperative).*$", "", body, flags=re.MULTILINE)
    parts = [f'#include "{SHIM}"', f'#line 1 "{name}"', body, '#line 1 "driver"', "int main() {"]
    for run in _runs(source):
        sizes = ", ".join(str(size) for size in SIZES if size <= run.largest)
        parts += [
            f"for (long p : {{{sizes}}}) {{ shim::parameter = p;",
            f"shim::launch(dim3({run.grid}), {run.block}, [] {{ shim::call(&{run.kernel}); }}); }}",
            f'shim::report("{run.kernel.split("<")[0]}");',
        ]
    return "\n".join([*parts, "}"]) + "\n"


def run(source: str) -> tuple[Truth, ...]:
    """The cost of every global and shared access of a fixture, by line; raises if it does not compile or run."""
    with tempfile.TemporaryDirectory() as folder:
        host, binary = Path(folder) / "host.cpp", Path(folder) / "host"
        host.write_text(_host_source(source, "fixture.cu"), encoding="utf-8")
        flags = ["-std=c++20", "-O0", "-g", "-w", "-fno-pie", "-no-pie"]
        compiled = Path(folder) / "host.o"
        subprocess.run(["g++", *flags, "-fsanitize=thread", "-c", str(host), "-o", str(compiled)], check=True)
        subprocess.run(["g++", "-no-pie", str(compiled), "-o", str(binary)], check=True)
        output = subprocess.run([str(binary)], check=True, capture_output=True, text=True, timeout=120).stdout
        rows = [line.split() for line in output.splitlines()]
        places = sorted({row[1] for row in rows if row[2] == "0"})
        # A return address is that of the next instruction; the call before it carries the line.
        before = [hex(int(place, 16) - 1) for place in places]
        names = subprocess.run(["addr2line", "-e", str(binary), *before], check=True, capture_output=True, text=True)
    lines = {
        p: int(n.split(":")[-1].split()[0]) for p, n in zip(places, names.stdout.splitlines()) if "fixture.cu" in n
    }
    return tuple(_truths(rows, lines))


def _truths(rows: list[list[str]], lines: dict[str, int]) -> Iterator[Truth]:
    spaces = {"g": "global", "s": "shared"}
    groups: dict[tuple[int, str, str], list[tuple[int, ...]]] = {}
    for _, place, line, kind, space, *numbers in rows:
        at = int(line) or lines.get(place, 0)
        if at and space in spaces:
            groups.setdefault((at, spaces[space], kind), []).append(tuple(map(int, numbers)))
    for (at, space, kind), found in sorted(groups.items()):
        full = max(active for _, active, *_ in found)
        worst = max(cost for _, _, cost, _, _ in found)
        yield Truth(
            line=at,
            space=space,
            rw=kind,
            bytes=max(size for size, *_ in found),
            worst=worst,
            best=min(cost for _, active, cost, _, _ in found if active == full),
            ideal=max(ideal for _, _, cost, ideal, _ in found if cost == worst),
            times=max(times for *_, times in found),
        )
