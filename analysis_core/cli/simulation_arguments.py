"""Arguments of a simulated launch as users write them: on the command line, in JSON, in NPZ files.

    --arg n=1024                      a number; sizes may be expressions of numbers given before: n=32*32
    --arg a=1024                      an array of 1024 zeros behind the pointer `a`
    --arg a=16x16:iota                0, 1, 2, ...; other fills: zeros ones undefined permutation[:SEED]
    --arg a=n*n:random:7:-1:1         random with seed 7 between -1 and 1 (integers: below 1)
    --arg a=64:3.5                    one value everywhere
    --arg a=[1,2,3]                   these values
    --arg a=file:data.npy             the contents of a file, or of one array in it: file:data.npz:a
    --arg b=@a+64                     the memory of `a`, 64 bytes later
    --arg a=null                      a null pointer

The element type is that of the parameter, and values that it cannot hold are refused (a float's digits may be lost, an
integer's not); for an array of structs a fill goes to every member.  In a JSON file an
argument is a number, a list, null, a text as above or {"shape": [16, 16], "fill": "random", "seed": 7, "low": -1, "high": 1}; in
an NPZ file it is an array, of no dimension for a number.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from zipfile import BadZipFile

import numpy as np

from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import ArrayType, PointerType, ScalarKind, ScalarType, Space, StructType, Type
from analysis_core.simulate.arguments import Alias, Argument, ArrayArgument
from analysis_core.simulate.representation import Array, Unsupported, converted, representation, stored
from analysis_core.text.records import dataclass
from analysis_core.workspace.values import BadValue

MOST_BYTES = 1 << 32
"""Of one array."""


@dataclass(frozen=True, slots=True)
class Fill:
    """How an array is filled: a word with numbers, "random" (7, -1, 1)."""

    word: str
    numbers: tuple[float, ...] = ()


Given = str | int | float | bool | list[Any] | dict[str, Any] | Array | None
"""An argument before the parameter's type is known."""


def read_file(path: str) -> dict[str, Given]:
    """The arguments in a JSON or NPZ file."""
    if path.endswith(".npz"):
        try:
            with np.load(path, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except (ValueError, EOFError, BadZipFile, AttributeError) as error:
            raise BadValue(f"{path} is no NPZ file: {error}") from None
    with open(path, encoding="utf-8") as file:
        try:
            found = json.load(file)
        except (ValueError, RecursionError) as error:
            raise BadValue(f"{path} is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadValue(f"{path} holds no object with an entry per argument")
    return found


def arguments_for(kernel: Kernel, given: Mapping[str, Given]) -> dict[str, Argument]:
    """What was given, as the kernel's parameters (and arrays at file scope) need it.  Raises `BadValue`."""
    types: dict[str, Type] = {v.name: v.type for v in kernel.variables if v.parameter}
    objects = {o.name: o.type for o in kernel.objects if o.space in (Space.GLOBAL, Space.CONSTANT)}
    numbers: dict[str, int] = {}
    result: dict[str, Argument] = {}
    # Numbers first: extents may be expressions of them.
    for name, value in given.items():
        if name in types and not isinstance(types[name], PointerType):
            number = _number(name, value, numbers)
            result[name] = number
            if not isinstance(number, float):
                numbers[name] = int(number)
    for name, value in given.items():
        if name in result:
            continue
        type = types.get(name, objects.get(name))
        if type is None:
            known = ", ".join([*types, *objects]) or "none"
            raise BadValue(f"`{kernel.name}` has no parameter `{name}`; there are: {known}")
        element = type.target if isinstance(type, PointerType) else type
        while isinstance(element, ArrayType):
            element = element.element
        result[name] = _array(name, value, element, numbers)
        if name in objects and isinstance(filled := result[name], ArrayArgument):
            _check_extent(name, objects[name], filled)
    return result


def _check_extent(name: str, type: Type, given: ArrayArgument) -> None:
    size = size_of(type)
    if size is not None and given.values.nbytes != size:
        raise BadValue(f"`{name}` has {size} bytes, {given.values.nbytes} are given")


# --- numbers --------------------------------------------------------------------------------------------------------


def _number(name: str, value: Given, known: Mapping[str, int]) -> int | float | bool:
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise BadValue(f"`{name}` is a number, not an array")
        value = value.item()
    if isinstance(value, bool | int | float):
        return value
    if not isinstance(value, str):
        raise BadValue(f"`{name}` is a number")
    if value in ("true", "false"):
        return value == "true"
    try:
        return (
            float(value.removesuffix("f") if value[-2:] != "nf" else value)
            if re.fullmatch(r"[-+]?((\d*\.\d*([eE][-+]?\d+)?|\d+[eE][-+]?\d+)f?|inf|nan)", value)
            else evaluated(value, known)
        )
    except ValueError as error:
        raise BadValue(f"`{name}`: {error}") from None


_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.floordiv,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
        ast.LShift: operator.lshift,
    }
)


def evaluated(text: str, known: Mapping[str, int]) -> int:
    """An integer expression of numbers, names and `+ - * / % <<`; raises `BadValue`."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        raise BadValue(f"'{text}' is not a number") from None
    try:
        return _evaluated(tree.body, known)
    except (ZeroDivisionError, OverflowError, RecursionError):
        raise BadValue(f"'{text}' has no value") from None


def _evaluated(node: ast.expr, known: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return int(value)
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand, known)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            a, b = _evaluated(left, known), _evaluated(right, known)
            if isinstance(op, ast.LShift) and not 0 <= b < 64:
                raise BadValue(f"a shift by {b}")
            return _OPERATORS[type(op)](a, b)
        case _:
            raise BadValue(f"'{ast.unparse(node)}' is not a number or the name of one")


# --- arrays ---------------------------------------------------------------------------------------------------------


def _array(name: str, value: Given, element: Type, known: Mapping[str, int]) -> Argument:
    if isinstance(value, str):
        return _from_text(name, value, element, known)
    if isinstance(value, dict):
        return _from_object(name, value, element, known)
    if value is None:
        return 0
    if isinstance(value, bool | int | float):
        return _filled(name, (_extent(name, value),), Fill("zeros"), element)
    return ArrayArgument(_of_values(name, _listed(name, value), element))


def _listed(name: str, values: object) -> Array:
    """A list of numbers, or of lists of one length."""
    try:
        return np.asarray(values)
    except ValueError:
        raise BadValue(f"`{name}`: its rows have different lengths") from None


def _extent(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadValue(f"`{name}`: {value} is no extent")
    return value


def _from_text(name: str, text: str, element: Type, known: Mapping[str, int]) -> Argument:
    if text.startswith("@"):
        other, _, offset = text[1:].partition("+")
        return Alias(other.strip(), evaluated(offset, known) if offset else 0)
    if text in ("null", "nullptr"):
        return 0
    if text.startswith("["):
        try:
            values = np.asarray(json.loads(text))
        except ValueError:
            raise BadValue(f"`{name}`: '{text}' is no list of numbers") from None
        return ArrayArgument(_of_values(name, values, element))
    if text.startswith("file:"):
        return ArrayArgument(_of_values(name, _loaded(text.removeprefix("file:")), element))
    extents, _, rest = text.partition(":")
    shape = tuple(_extent(name, evaluated(part, known)) for part in re.split(r"(?<=[\w)])x(?=[\w(])", extents))
    word, *numbers = rest.split(":") if rest else ["zeros"]
    return _filled(name, shape, Fill(word, _numbers(name, word, numbers)), element)


_FILL_NUMBERS: Mapping[str, tuple[int, ...]] = MappingProxyType({"random": (0, 1, 3), "permutation": (0, 1)})
"""How many numbers may follow a fill: a seed, or a seed and two limits; none elsewhere."""


def _numbers(name: str, word: str, given: Sequence[object]) -> tuple[float, ...]:
    """The seed and the limits of a fill."""
    if len(given) not in _FILL_NUMBERS.get(word, (0,)):
        what = (
            "a seed, or a seed and two limits" if word == "random" else "a seed" if word == "permutation" else "nothing"
        )
        raise BadValue(f"`{name}`: {what} may follow '{word}'")
    found = []
    for number in given:
        try:
            if isinstance(number, bool) or not isinstance(number, str | int | float):
                raise ValueError
            found.append(float(number))
        except (ValueError, OverflowError):
            raise BadValue(f"`{name}`: '{number}' is no number") from None
        if not math.isfinite(found[-1]):
            raise BadValue(f"`{name}`: '{number}' is no seed and no limit")
    if found and (found[0] < 0 or not found[0].is_integer()):
        raise BadValue(f"`{name}`: a seed is a whole number of at least 0")
    return tuple(found)


def _loaded(text: str) -> Array:
    path, _, member = text.partition(".npz:")
    try:
        if member:
            with np.load(path + ".npz", allow_pickle=False) as archive:
                if member not in archive.files:
                    raise BadValue(f"{path}.npz holds no `{member}`, but {', '.join(archive.files)}")
                found: Array = archive[member]
                return found
        values = np.load(text, allow_pickle=False)
    except (ValueError, EOFError, BadZipFile) as error:
        raise BadValue(f"{text}: {error}") from None
    if not isinstance(values, np.ndarray):
        raise BadValue(f"{text}: say which array, as in file:{text}:NAME")
    return values


_KEYS = frozenset({"shape", "fill", "seed", "low", "high", "value", "values"})


def _from_object(name: str, value: Mapping[str, Any], element: Type, known: Mapping[str, int]) -> Argument:
    if unknown := sorted(set(value) - _KEYS):
        raise BadValue(f"`{name}`: '{unknown[0]}' is none of {', '.join(sorted(_KEYS))}")
    if "values" in value:
        return ArrayArgument(_of_values(name, _listed(name, value["values"]), element))
    shape = value.get("shape", [])
    extents = shape if isinstance(shape, list) else [shape]
    sizes = tuple(evaluated(e, known) if isinstance(e, str) else _extent(name, e) for e in extents)
    word = str(value["value"]) if "value" in value else str(value.get("fill", "zeros"))
    limits = [value.get("low", 0), value.get("high", 1)] if "low" in value or "high" in value else []
    seed = [value.get("seed", 0)] if limits or "seed" in value else []
    return _filled(name, sizes, Fill(word, _numbers(name, word, [*seed, *limits])), element)


def _of_values(name: str, values: Array, element: Type) -> Array:
    """Given contents as the element type's bytes; arrays of structs take raw bytes or fields of the same size."""
    if values.dtype.kind not in "iufbV":
        raise BadValue(f"`{name}`: its values are no numbers")
    if isinstance(element, StructType) and values.dtype.kind != "V":
        fields = _dtype(name, element)
        flat = values.reshape(values.shape[0], -1) if values.ndim > 1 else values.reshape(-1, 1)
        if fields.names is None or flat.shape[1] != len(fields.names) or any(fields[n].shape for n in fields.names):
            raise BadValue(f"`{name}`: a row of numbers per element is needed, one for each of {fields.names}")
        result = np.zeros(len(flat), dtype=fields)
        types = {field.name: field.type for field in element.fields}
        for column, field in enumerate(fields.names):
            result[field] = _of_values(name, flat[:, column], types[field])
        return result
    if values.dtype.kind == "V":
        return values
    return _as(name, values, element)


def _as(name: str, values: Array, element: Type) -> Array:
    try:
        kept = representation(element)
    except Unsupported:
        return values  # Memory of a type that is not known: its bytes as they are.
    result = converted(values, kept)
    if kept.compute.kind in "iu" and values.dtype != result.dtype:
        changed = np.flatnonzero(np.not_equal(result, values))
        if len(changed):
            value = values.reshape(-1)[changed[0]]
            raise BadValue(f"`{name}`: {value} is no `{spell(element)}`")
    return np.asarray(stored(result, kept))


def _dtype(name: str, element: Type) -> np.dtype[Any]:
    """The numpy type of an element in memory."""
    match element:
        case StructType(fields=fields, size=size):
            members = [field for field in fields if field.bits is None]
            formats = [_member(name, field.type) for field in members]
            names = [field.name for field in members]
            offsets = [field.offset for field in members]
            return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
        case ScalarType(kind=ScalarKind.VOID):
            return np.dtype(np.uint8)
        case _:
            try:
                return representation(element).storage
            except Unsupported as why:
                raise BadValue(f"`{name}` cannot be given: {why}") from None


def _member(name: str, type: Type) -> Any:
    if isinstance(type, ArrayType):
        extent = size_of(type) or 0
        inner: Type = type
        while isinstance(inner, ArrayType):
            inner = inner.element
        return (_dtype(name, inner), (extent // max(1, size_of(inner) or 1),))
    return _dtype(name, type)


def _filled(name: str, shape: tuple[int, ...], fill: Fill, element: Type) -> ArrayArgument:
    dtype = _dtype(name, element)
    count = int(np.prod(shape, dtype=object)) if shape else 1
    if count * dtype.itemsize > MOST_BYTES:
        raise BadValue(f"`{name}`: {count} elements are more than {MOST_BYTES >> 30} GiB")
    if fill.word == "undefined":
        return ArrayArgument(np.zeros(shape, dtype=dtype), defined=False)
    if dtype.names is None:
        return ArrayArgument(_pattern(name, shape, count, fill, element))
    result = np.zeros(shape, dtype=dtype)
    for position, field in enumerate(dtype.names):
        inner = next(f.type for f in element.fields if f.name == field) if isinstance(element, StructType) else element
        if isinstance(inner, ScalarType):
            numbers = (fill.numbers[0] + position, *fill.numbers[1:]) if fill.numbers else (float(position),)
            result[field] = _pattern(name, shape, count, Fill(fill.word, numbers), inner)
    return ArrayArgument(result)


def _pattern(name: str, shape: tuple[int, ...], count: int, fill: Fill, element: Type) -> Array:
    """The contents of an array of scalars; made in parts, so that nothing is ever much larger than the array itself."""
    dtype = _dtype(name, element)
    generator = np.random.default_rng(int(fill.numbers[0]) if fill.numbers else 0)
    match fill.word:
        case "zeros" | "":
            return np.zeros(shape, dtype=dtype)
        case "iota":
            return _in_parts(count, dtype, lambda start, end: _wrapped(np.arange(start, end), element)).reshape(shape)
        case "permutation":
            return _wrapped(generator.permutation(count), element).reshape(shape)
        case "random":
            between = fill.numbers[1:]
            return _in_parts(
                count, dtype, lambda start, end: _as(name, _random(generator, end - start, between, element), element)
            ).reshape(shape)
        case "ones":
            number: float = 1
        case word:
            try:
                number = float(word) if not re.fullmatch(r"[-+]?\d+", word) else int(word)
            except ValueError:
                words = "zeros, ones, iota, random, permutation, undefined or a number"
                raise BadValue(f"`{name}`: '{word}' is no way to fill an array: {words}") from None
    return np.full(shape, _of_values(name, np.asarray([number]), element)[0], dtype=dtype)


_PART = 1 << 22
"""Elements that are made at a time."""


def _in_parts(count: int, dtype: np.dtype[Any], make: Callable[[int, int], Array]) -> Array:
    result = np.empty(count, dtype=dtype)
    for start in range(0, count, _PART):
        end = min(count, start + _PART)
        result[start:end] = make(start, end)
    return result


def _wrapped(numbers: Array, element: Type) -> Array:
    """Numbers modulo what an integer type holds, as C converts them."""
    if isinstance(element, ScalarType) and element.kind is ScalarKind.VOID:
        return numbers.astype(np.uint8)
    kept = representation(element)
    return np.asarray(stored(converted(numbers, kept), kept))


def _random(generator: np.random.Generator, count: int, between: tuple[float, ...], element: Type) -> Array:
    """Floats from [0, 1), integers from [0, 100), unless `between` says otherwise."""
    whole = not (isinstance(element, ScalarType) and element.kind is ScalarKind.FLOAT)
    low, high = between if len(between) == 2 else (0.0, 100.0 if whole else 1.0)
    if not whole:
        return generator.uniform(low, high, count)
    try:
        return generator.integers(int(low), max(int(low) + 1, int(high)), count)
    except ValueError:
        raise BadValue(f"random integers from {low:g} to {high:g} need more than 64 bits") from None
