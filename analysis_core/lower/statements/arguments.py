"""Arguments of a call between their evaluation and the choice of the function that receives them."""

from __future__ import annotations

from analysis_core.lower.values import Closure, FunctionName, Handle, Operand, RegisterPointer
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

CompileTime = RegisterPointer | Handle | FunctionName | Closure
"""Operands that no variable can hold: they are bound to names as they are."""


@dataclass(frozen=True, slots=True)
class LibraryObject:
    """The payload of a `Handle` to an object of a library class: what it was made from, which its methods may change."""

    made_from: tuple[Operand | None, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as evaluated in the caller.  `operand` is None for a brace list, which needs its target's type.
    `mark`: the end of the caller's block right after its evaluation (`Lowering.keep`)."""

    node: syn.Expr
    operand: Operand | None
    mark: int
