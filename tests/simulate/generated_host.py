"""Generated kernels compiled by g++ and run thread by thread, beside the same launches in the simulator.

Many kernels share one translation unit, each in a namespace of its own: reading the shim is most of what g++ does.  The
machines differ in the order of the threads, so a launch can be compared only where the order shows nowhere:

    skipped   undefined behaviour or any other fault but a race, an endless loop, a byte that one thread writes and another
              reads (in shared memory only if a race was told: barriers order the rest), too many accesses, shuffles and
              votes (fibers have no masks), loads whose value decides nothing (g++ leaves them out)
    left out  bytes that several threads write and nobody reads: their final value, not the accesses themselves

What was never written is zero on both machines.  Atomics that hand out no old value commute; a byte that only they touch is compared.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis_core.ir.nodes import Kernel
from analysis_core.simulate.arguments import Alias, ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped, Touched
from analysis_core.simulate.run import Outcome, simulate
from tests.harness.concrete.run import SHIM
from tests.properties.kernels.generator import program
from tests.properties.kernels.printing import print_program
from tests.properties.kernels.spellings import Spelled
from tests.properties.kernels.syntax import (
    CELL,
    PAIR,
    Array,
    AtomicAdd,
    Binary,
    Const,
    Expr,
    Load,
    Program,
    Shuffle,
    Vote,
)
from tests.simulate import host
from tests.simulate.random_launches import kernel_of, launches

_MOST = 40_000
"""Accesses of a launch; the shim takes some microseconds for each."""

_FEW = ((1, 1, 1), (3, 1, 1), (5, 1, 1), (2, 2, 1), (1, 2, 3))
_NO_MATTER = frozenset(
    {FaultKind.UNINITIALISED, FaultKind.RACE_IN_WARP, FaultKind.RACE_IN_BLOCK, FaultKind.RACE_IN_GRID}
)

_LIBRARY = """
#undef __shared__
#define __shared__ static __attribute__((section("shared_memory")))
extern "C" char __start_shared_memory[] __attribute__((weak)), __stop_shared_memory[] __attribute__((weak));
NOT_COUNTED void launch_one(dim3 grid, dim3 block, uint3 index, void (*kernel)()) {
    if (__start_shared_memory) std::memset(__start_shared_memory, 0, __stop_shared_memory - __start_shared_memory);
    shim::body = kernel;
    shim::block_dim = block;
    shim::grid_dim = grid;
    shim::block_index = index;
    int count = 0;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++) shim::threads[count++] = {x, y, z};
    shim::run_block(count);
}
#define LIBRARY NOT_COUNTED static inline
// Without it g++ computes a target whose index is loaded from memory twice, once to read and once to write.
template <class T> LIBRARY T &once(T &target) { return target; }
LIBRARY int min(int a, int b) { return a < b ? a : b; }
LIBRARY int max(int a, int b) { return a > b ? a : b; }
LIBRARY unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
LIBRARY long long llmin(long long a, long long b) { return a < b ? a : b; }
LIBRARY int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
LIBRARY int __ffs(int v) { return __builtin_ffs(v); }
LIBRARY int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
LIBRARY unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
LIBRARY unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
LIBRARY unsigned __brev(unsigned v) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++) r |= (v >> i & 1) << (31 - i);
    return r;
}
LIBRARY unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
LIBRARY unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
"""


@dataclass(frozen=True, slots=True)
class Launch:
    """A launch whose outcome no order of its threads changes, as simulated; `text`: for the host's compiler;
    `blurred`: bytes per array that depend on the order."""

    name: str
    program: Program
    text: str
    request: LaunchRequest
    outcome: Outcome
    trace: host.Trace
    blurred: dict[str, set[int]]


@dataclass
class Tally:
    """What became of the launches, and why they were skipped."""

    kernels: int = 0
    compared: int = 0
    accesses: int = 0
    skipped: Counter[str] | None = None

    def skip(self, why: str) -> None:
        self.skipped = self.skipped if self.skipped is not None else Counter()
        self.skipped[why] += 1


def comparable(p: Program, tally: Tally, count: int = 6, spelled: bool = False) -> list[Launch]:
    """The launches of a kernel that both machines must agree on; `spelled`: its text in other words (`spellings.py`)."""
    tally.kernels += 1
    why = _incomparable(p)
    if why is not None:
        tally.skip(why)
        return []
    p = replace(p, arrays=tuple(_ample(a) for a in p.arrays))
    text, compiled = (
        print_program(p, target=target, spelling=Spelled(p.seed) if spelled else None)[0] for target in ("", "once")
    )
    kernel = kernel_of(text)
    rng = random.Random(p.seed)
    found = []
    for number, request in enumerate(launches(p, kernel, count)):
        # One block of the grid, half of the time of a few threads, which rarely get into each other's way.
        block = rng.choice((p.block, *_FEW))
        x, y, z = request.grid
        chosen = rng.choice((0, x * y * z - 1, rng.randrange(x * y * z)))
        small = replace(request, block=block, blocks=(chosen,), keep=None, rounds=250)
        launch = _simulated(f"g{p.seed}_{number}", p, compiled, kernel, small, tally)
        found += [] if launch is None else [launch]
    return found


def _incomparable(p: Program) -> str | None:
    """What in the kernel the two machines are free to do differently."""
    for node in _nodes((p.body, p.functions)):
        match node:
            case Shuffle() | Vote():
                return "shuffle or vote"
            case Binary(op="*" | "&" | "|", a=a, b=b) if any(_decides(node.op, e) for e in (a, b)):
                # g++ knows the result of `a[i] | -1` and reads nothing.
                if any(isinstance(part, Load) for part in _nodes(node)):
                    return "load of no consequence"
    return None


def _decides(op: str, e: Expr) -> bool:
    """Whether an operand decides the result alone: 0 of a product or conjunction, -1 of a disjunction."""
    return isinstance(e, Const) and e.value == (-1 if op == "|" else 0)


def _ample(array: Array) -> Array:
    """The array with more room, so that indices leave it less often."""
    return replace(array, extents=(4 * array.extents[0], *array.extents[1:])) if array.extents else array


def _simulated(name: str, p: Program, text: str, kernel: Kernel, request: LaunchRequest, tally: Tally) -> Launch | None:
    touched: list[Touched] = []
    try:
        outcome = simulate(kernel, request, trace=touched.append)
    except Stopped as stop:
        if "does not end" not in stop.reason:
            raise
        tally.skip("endless")
        return None
    faults = {fault.kind for fault in outcome.faults}
    if faults - _NO_MATTER:
        tally.skip(min(kind.value for kind in faults - _NO_MATTER))
        return None
    if sum(len(t.threads) for t in touched) > _MOST:
        tally.skip("many accesses")
        return None
    trace = host.trace_of(outcome, touched)
    handed_out = any(isinstance(node, AtomicAdd) and node.result for node in _nodes(p.body))
    blurred = _order_dependent(trace, handed_out, shared=bool(faults - {FaultKind.UNINITIALISED}))
    if blurred is None:
        tally.skip("order of threads")
        return None
    tally.compared += 1
    tally.accesses += sum(sum(accesses.values()) for accesses in trace.values())
    return Launch(name, p, text, request, outcome, trace, blurred)


def _nodes(node: Any) -> Iterator[Any]:
    """A node of the language and all below it."""
    yield node
    parts = node if isinstance(node, tuple) else ()
    if is_dataclass(node):
        parts = tuple(getattr(node, part.name) for part in fields(node))
    for part in parts:
        if isinstance(part, tuple) or is_dataclass(part):
            yield from _nodes(part)


Byte = tuple[str, int, int]
"""Array, block (0 for global memory), offset."""


def _order_dependent(trace: host.Trace, handed_out: bool, shared: bool) -> dict[str, set[int]] | None:
    """Per array the bytes whose last writer is open; None if some thread may see another one's writes.

    `shared`: some race was told, so that barriers do not order all accesses to shared memory; `handed_out`: old values of
    atomics are used, whose order no barrier decides."""
    by_kind: dict[str, dict[Byte, set[tuple[int, int]]]] = {kind: defaultdict(set) for kind in "RWA"}
    for thread, accesses in trace.items():
        for kind, name, offset, size in accesses:
            if shared or _is_global(name) or (kind == "A" and handed_out):
                block = 0 if _is_global(name) else thread[0]
                for byte in range(offset, offset + size):
                    by_kind[kind][name, block, byte].add(thread)
    read, wrote, added = by_kind["R"], by_kind["W"], by_kind["A"]
    blurred: dict[str, set[int]] = defaultdict(set)
    for byte in {**wrote, **added}:
        threads = set().union(*(kind.get(byte, ()) for kind in by_kind.values()))
        if len(threads) == 1:
            continue
        if byte in added and not handed_out and byte not in wrote and byte not in read:
            continue
        if byte in read or byte in added:
            return None
        blurred[byte[0]].add(byte[2])
    return blurred


def _is_global(name: str) -> bool:
    return name.startswith("room")


# --- the host's side --------------------------------------------------------------------------------------------


def disagreements(launches: list[Launch]) -> dict[str, list[str]]:
    """Per launch where the compiled kernel and the simulator differ, those that agree left out."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "host.cpp").write_text(_source(launches, folder), encoding="utf-8")
        flags = [
            "-std=c++20",
            "-O0",
            "-w",
            "-fwrapv",
            "-fno-threadsafe-statics",
            "-ftrivial-auto-var-init=zero",
            "-fno-pie",
            "-no-pie",
        ]
        subprocess.run(["g++", *flags, "-fsanitize=thread", "-c", "host.cpp", "-o", "host.o"], check=True, cwd=folder)
        subprocess.run(["g++", "-no-pie", "host.o", "-o", "host"], check=True, cwd=folder)
        subprocess.run(["./host"], check=True, cwd=folder, timeout=60)
        symbols = subprocess.run(["nm", "host"], check=True, cwd=folder, capture_output=True, text=True).stdout
        found = {launch.name: _differences(launch, folder, symbols) for launch in launches}
    return {name: wrong for name, wrong in found.items() if wrong}


def _differences(launch: Launch, folder: Path, symbols: str) -> list[str]:
    arrays = _rooms(launch)
    text = (folder / f"{launch.name}.trace").read_text(encoding="ascii")
    trace = host.read_trace(text, host.places(symbols, list(arrays)))
    outputs = {}
    for array in arrays:
        contents = bytearray((folder / f"{launch.name}.{array}.out").read_bytes())
        ours = launch.outcome.arrays[array].tobytes()
        for byte in launch.blurred.get(array, ()):
            contents[byte] = ours[byte]
        outputs[array] = bytes(contents)
    return host.differences(host.HostRun(outputs, trace), launch.outcome, launch.trace)


def _rooms(launch: Launch) -> dict[str, np.ndarray]:
    """The array arguments, in order of the shim's buffers."""
    return {n: a.values for n, a in launch.request.arguments.items() if isinstance(a, ArrayArgument)}


def _source(launches: list[Launch], folder: Path) -> str:
    parts = [f'#include "{SHIM}"', "#include <string>", host.PRELUDE, _LIBRARY, host.DRIVER]
    written: set[int] = set()
    main = ["std::ofstream trace; driver::trace = &trace; shim::on_touch = driver::note;"]
    for launch in launches:
        seed = launch.program.seed
        if seed not in written:
            written.add(seed)
            parts.append(f"namespace g{seed} {{\n{launch.text}}}")
        rooms = _rooms(launch)
        for number, (room, values) in enumerate(rooms.items()):
            (folder / f"{launch.name}.{room}.in").write_bytes(values.tobytes())
            main.append(f'driver::fill("{launch.name}.{room}", shim::memory[{number}], {values.nbytes});')
        main.append(f'trace.open("{launch.name}.trace");')
        shapes = [f"dim3({', '.join(map(str, extents))})" for extents in (launch.request.grid, launch.request.block)]
        x, y, _ = launch.request.grid
        (block,) = launch.request.blocks or (0,)
        shapes.append(f"uint3{{{block % x}, {block // x % y}, {block // (x * y)}}}")
        main.append(f"launch_one({', '.join(shapes)}, [] {{ {_call(launch, list(rooms))}; }});")
        main.append("trace.close();")
        for number, (room, values) in enumerate(rooms.items()):
            main.append(f'driver::save("{launch.name}.{room}", shim::memory[{number}], {values.nbytes});')
    return "\n".join([*parts, "int main() {", *main, "}"]) + "\n"


def _call(launch: Launch, rooms: list[str]) -> str:
    """The call of the kernel, in the order in which printing.py declares its parameters."""
    given = launch.request.arguments
    words = []
    for array in launch.program.arrays:
        if array.space == "global":
            alias = given[array.name]
            assert isinstance(alias, Alias)
            where = f"shim::memory[{rooms.index(alias.array)}] + {alias.offset}"
            scope = f"g{launch.program.seed}::" if array.element in (CELL, PAIR) else ""
            words.append(f"({scope}{array.element.name} *)({where})")
    words += [f"({p.type.name}){given[p.name]}LL" for p in launch.program.parameters if "." not in p.name]
    members = [f"({p.type.name}){given[p.name]}LL" for p in launch.program.parameters if "." in p.name]
    if members:
        words.append(f"g{launch.program.seed}::Dims{{{', '.join(members)}}}")
    return f"g{launch.program.seed}::k({', '.join(words)})"


def compared(first: int, count: int, tally: Tally, spelled: bool = False) -> dict[str, list[str]]:
    """The kernels of these seeds, all in one translation unit."""
    seeds = range(first, first + count)
    found = [launch for seed in seeds for launch in comparable(program(seed), tally, spelled=spelled)]
    return disagreements(found) if found else {}
