"""The same launch compiled by g++ and run thread by thread: an oracle for the simulator.

The kernel's text goes through the shim of tests/harness/concrete, whose fibers are the threads of a block, with a driver that
fills the arrays, launches, and writes out every array and every access of every thread.  This shares nothing with warpcost:
a wrong lowering, a wrong offset in a structure or a wrong conversion shows as another address or another byte.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.machine import Touched
from analysis_core.simulate.run import Outcome, simulate
from tests.harness.concrete.run import SHIM
from tests.simulate.running import argument, kernel_of, shape

Access = tuple[str, str, int, int]
"""Kind (R, W, A), array, offset in bytes, bytes."""

Trace = dict[tuple[int, int], Counter[Access]]
"""By block and thread."""

_LAUNCH = re.compile(r"^\s*[\w<>]+<<<[^;]*;$", re.MULTILINE)
_DYNAMIC = re.compile(r"extern\s+__shared__\s+([\w ]+?)\s+(\w+)\[\];")
_STATIC = re.compile(r"E\d+([A-Za-z_]\w*?)(?:_\d+)?$")
_DYNAMIC_BYTES = 1 << 14
_GUARD = "(guard)"
"""The compiler's note that a static array of vectors is initialised; the device has none."""

PRELUDE = """
#include <cmath>
#include <fstream>
struct float3 { float x, y, z; };
NOT_COUNTED inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
NOT_COUNTED inline void __threadfence() {}
template <class T> NOT_COUNTED T __shfl_any(T v) { return v; }
"""

DRIVER = """
namespace driver {
std::ofstream *trace;
NOT_COUNTED void note(const volatile void *p, int size, char kind) {
    char space = shim::space_of((std::uintptr_t)p);
    if (space == 'l') return;
    auto &b = shim::block_index; auto &g = shim::grid_dim;
    *trace << ((long)b.z * g.y + b.y) * g.x + b.x << ' ' << shim::current << ' ' << kind << ' '
           << (std::uintptr_t)p << ' ' << size << '\\n';
}
NOT_COUNTED void fill(const char *name, void *to, long bytes) {
    std::ifstream(std::string(name) + ".in", std::ios::binary).read((char *)to, bytes);
}
NOT_COUNTED void save(const char *name, const void *from, long bytes) {
    std::ofstream(std::string(name) + ".out", std::ios::binary).write((const char *)from, bytes);
}
}
"""


@dataclass(frozen=True, slots=True)
class HostRun:
    """What the compiled kernel did."""

    arrays: Mapping[str, bytes]
    trace: Trace


def host_run(
    source: str, call: str, block: tuple[int, int, int], grid: tuple[int, int, int], arguments: Mapping[str, Any]
) -> HostRun:
    """Compiles and runs one launch.  `call`: the kernel's call with its parameters by name, arrays as `(T *)NAME`."""
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for array, values in arrays.items():
            (folder / f"{array}.in").write_bytes(values.tobytes())
        (folder / "host.cpp").write_text(_source(source, call, block, grid, arguments), encoding="utf-8")
        flags = ["-std=c++20", "-O0", "-w", "-fno-pie", "-no-pie"]
        subprocess.run(["g++", *flags, "-fsanitize=thread", "-c", "host.cpp", "-o", "host.o"], check=True, cwd=folder)
        subprocess.run(["g++", "-no-pie", "host.o", "-o", "host"], check=True, cwd=folder)
        subprocess.run(["./host"], check=True, cwd=folder, timeout=120)
        symbols = subprocess.run(["nm", "host"], check=True, cwd=folder, capture_output=True, text=True).stdout
        trace = read_trace((folder / "trace").read_text(encoding="ascii"), places(symbols, list(arrays)))
        outputs = {array: (folder / f"{array}.out").read_bytes() for array in arrays}
    return HostRun(outputs, trace)


def _source(
    source: str, call: str, block: tuple[int, int, int], grid: tuple[int, int, int], arguments: Mapping[str, Any]
) -> str:
    body = _LAUNCH.sub(";", source)
    body = _DYNAMIC.sub(r"\1 *\2 = (\1 *)shim::dynamic_shared;", body)
    body = re.sub(r"^#include <cuda.*$", "", body, flags=re.MULTILINE)
    parts = [f'#include "{SHIM}"', "#include <string>", PRELUDE, body, DRIVER]
    at_file_scope = {name for name in arguments if re.search(rf"__(?:constant|device)__\s+\w+\s+{name}\b", source)}
    numbers = iter(range(len(arguments)))
    names = {}
    for name, value in arguments.items():
        if isinstance(value, np.ndarray) and name not in at_file_scope:
            names[name] = next(numbers)
            parts.append(f"#define ARRAY_{name.replace('.', '_')} (shim::memory[{names[name]}])")
    parts += ["int main() {", 'std::ofstream trace("trace"); driver::trace = &trace; shim::on_touch = driver::note;']
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            to = name if name in at_file_scope else f"ARRAY_{name.replace('.', '_')}"
            parts.append(f'driver::fill("{name}", {to}, {value.nbytes});')
    dims = [f"dim3({', '.join(map(str, extents))})" for extents in (grid, block)]
    parts.append(f"shim::launch({dims[0]}, {dims[1]}, [] {{ {call}; }});")
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            to = name if name in at_file_scope else f"ARRAY_{name.replace('.', '_')}"
            parts.append(f'driver::save("{name}", {to}, {value.nbytes});')
    return "\n".join([*parts, "}"]) + "\n"


def places(symbols: str, arrays: list[str]) -> list[tuple[int, int, str]]:
    """Start, end and name of everything that has addresses: buffers of arguments, static arrays."""
    found: list[tuple[int, str]] = []
    for line in symbols.splitlines():
        words = line.split()
        if len(words) != 3 or words[1] not in "bBdDuVv":
            continue
        address, name = int(words[0], 16), words[2]
        if name == "_ZN4shim6memoryE":
            found += [(address + (1 << 24) * k, array) for k, array in enumerate(arrays)]
        elif name == "_ZN4shim14dynamic_sharedE":
            found.append((address, "(dynamic)"))
        elif name.startswith("_ZZ") and (inner := _STATIC.search(name)) is not None:
            found.append((address, inner[1]))
        elif name.startswith("_ZGV"):
            found.append((address, _GUARD))
        elif name.startswith("_ZL"):
            found.append((address, re.sub(r"^_ZL\d+", "", name)))
    found.sort()
    ends = [start for start, _ in found[1:]] + [1 << 60]
    return [(start, end, name) for (start, name), end in zip(found, ends)]


def read_trace(text: str, found: list[tuple[int, int, str]]) -> Trace:
    """What the driver wrote, with the names of `places`."""
    starts = np.array([start for start, _, _ in found])
    result: Trace = {}
    for line in text.splitlines():
        block, thread, kind, address, size = line.split()
        start, _, name = found[int(np.searchsorted(starts, int(address), side="right")) - 1]
        if name == _GUARD:
            continue
        accesses = result.setdefault((int(block), int(thread)), Counter())
        accesses[kind, name, int(address) - start, int(size)] += 1
    return result


def traced_simulation(
    source: str, name: str, block: tuple[int, int, int], grid: tuple[int, int, int], arguments: Mapping[str, Any]
) -> tuple[Outcome, Trace]:
    """The same launch in the simulator, local memory left out."""
    found: list[Touched] = []
    values = {key: argument(value) for key, value in arguments.items()}
    request = LaunchRequest(shape(block), shape(grid), values, shared_bytes=_DYNAMIC_BYTES)
    outcome = simulate(kernel_of(source, name), request, trace=found.append)
    return outcome, trace_of(outcome, found, _DYNAMIC_BYTES)


def trace_of(outcome: Outcome, found: list[Touched], dynamic: int | None = None) -> Trace:
    """What the simulator told, local memory left out; `dynamic`: the size of the dynamic shared array."""
    result: Trace = {}
    names = ["", *("(dynamic)" if r.size == dynamic else r.name for r in outcome.regions)]
    local = {n for n, r in enumerate(outcome.regions, start=1) if r.space.value == "local"}
    for touched in found:
        rows = zip(
            touched.blocks.tolist(), touched.threads.tolist(), touched.regions.tolist(), touched.offsets.tolist()
        )
        for at_block, thread, region, offset in rows:
            if region not in local:
                accesses = result.setdefault((at_block, thread), Counter())
                accesses[touched.rw, names[region], offset, touched.bytes] += 1
    return result


def differences(host: HostRun, outcome: Outcome, trace: Trace) -> list[str]:
    """Where the two runs differ, in words."""
    wrong = []
    for name, values in outcome.arrays.items():
        if values.tobytes() != host.arrays[name]:
            expected = np.frombuffer(host.arrays[name], dtype=values.dtype).reshape(values.shape)
            first = np.argwhere(values != expected)
            at = first[0].tolist() if len(first) else "some padding"
            wrong.append(f"`{name}` differs at {at} and {max(0, len(first) - 1)} other places")
    for key in sorted(host.trace.keys() | trace.keys()):
        ours, theirs = trace.get(key, Counter()), host.trace.get(key, Counter())
        if ours != theirs:
            more, less = ours - theirs, theirs - ours
            wrong.append(f"block {key[0]}, thread {key[1]}: simulated {sorted(more)[:4]}, compiled {sorted(less)[:4]}")
    return wrong
