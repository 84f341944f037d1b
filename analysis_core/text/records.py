"""`dataclass` as in the standard library, but a class costs little until it is used.

The library writes and compiles five methods for every class while its module is imported: with 700 classes that took more than half of the time
of a run over a small file.  Here `__init__`, `__eq__`, `__hash__` and the comparisons are compiled when they are called first, and the others
are shared by all classes.  `__init__` of a frozen class with slots asks the slots themselves and not `object.__setattr__`, which takes
half the time: some records are made by the hundred thousand.

Not supported: `init=False` and `repr=False` of a class, `unsafe_hash`, `InitVar`.  To the type checker it is the library's `dataclass`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar, overload

C = TypeVar("C", bound=type)


@overload
def _record(cls: C, /) -> C: ...
@overload
def _record(
    *, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False, kw_only: bool = False
) -> Callable[[C], C]: ...
def _record(
    cls: Any = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    order: bool = False,
    kw_only: bool = False,
) -> Any:
    """The decorator; see the library's for the options."""

    def wrap(cls: C) -> Any:
        own = cls.__dict__
        if own.get("__doc__") is None:  # Else the library looks for a signature to put there.
            cls.__doc__ = cls.__name__
        hashed = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
        made = _plain(cls, slots, kw_only)
        _share(made, "__repr__", _repr)
        if "__init__" not in own:
            _later(made, "__init__", lambda name: _init(made, name, frozen, slots))
        if eq:
            _later(made, "__eq__", lambda name: _comparison(made, name, "=="))
        if eq and not hashed:
            if frozen:
                _later(made, "__hash__", lambda name: _hash(made, name), anyway=True)
            else:
                setattr(made, "__hash__", None)  # noqa: B010
        for name, sign in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")) if order else ():
            _later(made, name, lambda name, sign=sign: _comparison(made, name, sign))  # type: ignore[misc]
        if frozen:
            setattr(made, "__setattr__", _setattr)  # noqa: B010
            setattr(made, "__delattr__", _delattr)  # noqa: B010
            if slots:
                _share(made, "__getstate__", _getstate)
                _share(made, "__setstate__", _setstate)
        return made

    return wrap if cls is None else wrap(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _record


def _plain(cls: Any, slots: bool, kw_only: bool) -> Any:
    """The class with its fields, and with slots if asked for: what the library does without writing methods."""
    return dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)


def _share(cls: type, name: str, method: object) -> None:
    if name not in cls.__dict__:
        setattr(cls, name, method)


def _later(cls: type, name: str, make: Callable[[str], Callable[..., Any]], anyway: bool = False) -> None:
    """Gives the class a method that is made when it is called first. `anyway`: also in place of one that is there."""
    if name in cls.__dict__ and not anyway:
        return

    def first(self: object, *given: object, **named: object) -> object:
        method = make(name)
        method.__name__, method.__qualname__, method.__module__ = name, f"{cls.__qualname__}.{name}", cls.__module__
        setattr(cls, name, method)
        return method(self, *given, **named)

    setattr(cls, name, first)


def _compiled(name: str, parameters: Sequence[str], body: Sequence[str], names: dict[str, Any]) -> Callable[..., Any]:
    lines = "".join(f"\n {line}" for line in body or ("pass",))
    exec(f"def {name}({', '.join(parameters)}):{lines}", names)
    method: Callable[..., Any] = names[name]
    return method


def _init(cls: Any, name: str, frozen: bool, slots: bool) -> Callable[..., Any]:
    by_position, by_name, body = list[str](), list[str](), list[str]()
    names: dict[str, Any] = {"MISSING": MISSING, "set_any": object.__setattr__}
    for field in fields(cls):
        value, rest = _value(field, names), _rest(field)
        if field.init:
            (by_name if field.kw_only else by_position).append(field.name + rest)
        elif not rest:
            continue
        if not frozen:
            body.append(f"self.{field.name} = {value}")
        elif slots:
            names[f"set_{field.name}"] = getattr(cls, field.name).__set__
            body.append(f"set_{field.name}(self, {value})")
        else:
            body.append(f"set_any(self, {field.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    return _compiled(name, ["self", *by_position, *(["*", *by_name] if by_name else [])], body, names)


def _value(field: Field[Any], names: dict[str, Any]) -> str:
    """What a field is set to, as an expression. `names`: gets what occurs in it and in `_rest`."""
    default = f"default_{field.name}"
    if field.default_factory is not MISSING:
        names[default] = field.default_factory
        return f"{default}() if {field.name} is MISSING else {field.name}" if field.init else f"{default}()"
    names[default] = field.default
    return field.name if field.init else default


def _rest(field: Field[Any]) -> str:
    """What follows a parameter's name, where it need not be given."""
    if field.default_factory is not MISSING:
        return "=MISSING"
    return "" if field.default is MISSING else f"=default_{field.name}"


def _comparison(cls: Any, name: str, sign: str) -> Callable[..., Any]:
    one, other = (_tuple(which, [f.name for f in fields(cls) if f.compare]) for which in ("self", "other"))
    body = ["if other.__class__ is self.__class__:", f" return {one} {sign} {other}", "return NotImplemented"]
    return _compiled(name, ["self", "other"], body, {})


def _hash(cls: Any, name: str) -> Callable[..., Any]:
    counted = [f.name for f in fields(cls) if (f.compare if f.hash is None else f.hash)]
    return _compiled(name, ["self"], [f"return hash({_tuple('self', counted)})"], {})


def _tuple(which: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{which}.{name},' for name in names)})"


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join([f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr])
    return f"{self.__class__.__qualname__}({shown})"


def _setattr(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _setstate(self: Any, state: Sequence[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
