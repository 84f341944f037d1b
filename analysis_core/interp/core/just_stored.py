"""What a thread finds where it has just stored: what it stored.

    p->count = 1;  p->item[0] = t;  for (int k = 0; k < p->count; k++) sum += w[p->item[k]];      // one round, w[t]

A compiler keeps such a value in a register, whoever else may store there.  A thread that stores between the two without being waited
for races with both, which C++ leaves undefined (listed as an assumption).  So a value holds until the thread itself may have stored to one
of its bytes, or lets others in: at a barrier or a fence, an atomic, a shuffle or a vote, an access of volatile memory, and at code that is
not known.

The values are cells of the environment, by address, type and place: an address is the same for a thread if its polynomial is, and where
ways meet only what all of them have stored is left (state.join).  A loop that is summarised starts without any, and leaves none, if it
stores or lets others in.  Integers and pointers are followed, of memory that the kernel loads again (`Roots.read_back`).
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.domains.thread_value import Integer, Value, is_integral
from analysis_core.interp.core.roots import LOADED, Root
from analysis_core.interp.core.state import STORED, Environment, Run, Stored, is_stored
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Access, VarId
from analysis_core.ir.types import Space, Type

_MOST = 16
"""Values that are kept at a time: the last ones."""


def value_there(run: Run, access: Access, address: Integer, root: Root | None, space: Space) -> Value | None:
    """The value that the present threads have stored at the place they load from; None if that is not known."""
    if access.volatile:
        run.env = forget(run.env)
    if root not in run.roots.read_back or access.volatile:
        return None
    key = _key(address, root, space, access.type)
    value = None if key is None else run.env.get(key)
    if value is not None:
        run.assume_that(f"no data race on {_name(run, root)}")
    return value


def _name(run: Run, root: Root | None) -> str:
    match root:
        case ("object", number):
            return f"`{run.kernel.objects[number].name}`"
        case int():
            return f"`{run.kernel.variables[VarId(root)].name}`"
        case _:
            return "memory behind loaded pointers"


def keep(
    run: Run, access: Access, address: Integer, root: Root | None, space: Space, value: Callable[[], Value]
) -> None:
    """Notes that the present threads have stored the value at this place."""
    if root not in run.roots.read_back or access.volatile or not is_integral(access.type):
        return
    key = _key(address, root, space, access.type)
    if key is None:
        return
    run.env[key] = value()
    kept = [key for key in run.env if is_stored(key)]
    for oldest in kept[: max(0, len(kept) - _MOST)]:
        del run.env[oldest]


def forget_written(run: Run, access: Access, address: Integer, root: Root | None, space: Space) -> None:
    """Forgets what a store of the present threads to this place may have changed."""
    if access.volatile:
        run.env = forget(run.env)
    written = _key(address, root, space, access.type)
    for key in [key for key in run.env if is_stored(key)]:
        if written is None or _may_overlap(key, written, access.width):
            del run.env[key]


def forget(env: Environment) -> Environment:
    """The environment without any stored values: all of the places may have changed."""
    return {key: value for key, value in env.items() if not is_stored(key)} if any(map(is_stored, env)) else env


def _key(address: Integer, root: Root | None, space: Space, type_: Type) -> Stored | None:
    """The place of a value of this type; None where nobody knows what memory it is in, or each thread has its own."""
    if root is None or space in (Space.LOCAL, Space.UNKNOWN):
        return None
    constant = address.poly.constant
    offset = constant if isinstance(constant, int) else int(constant[0])
    lanes = None if isinstance(constant, int) else (constant - offset).tobytes()
    terms = tuple([term for term in address.poly.key() if term[0]])
    return STORED, (terms, lanes, address.bits), offset, root, type_


def _may_overlap(kept: Stored, written: Stored, width: int) -> bool:
    """Whether a store of so many bytes may be to one of those of a value that is kept."""
    _, rest, offset, root, type_ = kept
    _, other, start, place, _ = written
    if root != place:
        return LOADED in (root, place)
    size = size_of(type_)
    return rest != other or size is None or (offset < start + width and start < offset + size)
