"""Functions of a unit that other files of the program call once, beside a loop in which these launch other kernels.

    main.cu      int main() { prepare(table); search(table, words); }
    search.cu    void search(float *table, ..) { while (more()) compare<<<blocks, 256>>>(table, ..); }
    this unit    void prepare(float *table) { fill<<<1024, 16>>>(table); }

The loop stands in the function that calls, or in another one that this calls and hands what it handed on before: what was prepared is used there.  Of several
ways to do the same, which main may call one behind the other, each would be timed in a loop of its own, so a function of the unit that launches in
loops itself is none of these (launch_rounds.py).  For levels of findings only: which files make a program is a guess.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from analysis_core.program.host.host_calls import Calls
from analysis_core.program.launch_extents import Called, Launched, is_one_size
from analysis_core.program.launch_rounds import Host, hosts_of, launched_in_loops, repeated_functions
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.beyond import Once


def called_beside_loops(functions: Sequence[syn.FunctionDecl], calls: Calls, outer: Collection[str]) -> Once:
    """Those of the functions `outer` of a unit that these of other files call at one place, in no loop, and beside loops that launch how many kernels."""
    hosts = hosts_of(functions, calls, {}, outer)
    pointers = {d.name: tuple(isinstance(p.type, syn.PointerTo | syn.ArrayOf) for p in d.parameters) for d in functions}
    repeated = repeated_functions(hosts)
    below = {host.name: host for host in hosts}
    found: dict[str, int] = {}
    for name in sorted(outer):
        places = [(host, call) for host in hosts for call in host.leads.calls if call.name == name]
        if len(places) == 1 and name not in repeated:
            kernels = {one.kernel for one in _beside(*places[0], below, pointers) if not is_one_size(one)}
            found.update({name: len(kernels)} if kernels else {})
    return tuple(found.items())


def _beside(
    host: Host, call: Called, below: Mapping[str, Host], pointers: Mapping[str, Sequence[bool]]
) -> Iterator[Launched]:
    """What is launched in loops of the caller, or by functions that it hands the same arrays."""
    yield from launched_in_loops(host, below, False)
    handed = set(call.names) - {""}
    for other in host.leads.calls:
        if other is call or other.name not in below:
            continue
        arrays = {name for name, pointer in zip(other.names, pointers[other.name], strict=False) if pointer}
        if not handed.isdisjoint(arrays):
            yield from launched_in_loops(below[other.name], below, True)
