"""Whether a class is "POD for the purpose of layout" (Itanium C++ ABI, 1.1), as far as its own declarations decide.

It is what GCC takes for it (an aggregate of C++98 with constructors that the compiler makes): no constructor of the user's and no explicit
one, no initialisers of members, all members public, no assignment and no destructor of the user's.  Where nvcc's front end reads the same
class otherwise the answer is None: such tail padding is reused by one of them only.
"""

from __future__ import annotations

from analysis_core.lower.names import overloads
from analysis_core.syntax.read import tree as syn

_MADE = frozenset({"default", "delete"})


def own_pod(definition: syn.RecordDef) -> bool | None:
    """Whether the definition itself allows the class to be POD for layout; None where compilers differ. Bases, virtual
    functions and the types of members are checked by the layout."""
    stored = [f for f in definition.fields if not f.storage & {"static", "constexpr"}]
    if any(f.init is not None or (f.private and f.name) for f in stored):
        return False
    if any(f.private and not f.name and f.bits is None for f in stored):
        return False
    constructors = [m for m in definition.methods if m.name == definition.name and definition.name]
    if any(not m.qualifiers & _MADE or "explicit" in m.qualifiers for m in constructors):
        return False
    others = [m for m in definition.methods if m.name in ("~" + definition.name, "operator=")]
    provided = [m for m in others if not m.qualifiers & _MADE]
    if any(m.name != "operator=" or _copies(definition, m) for m in provided):
        return False
    only_copies = bool(constructors) and not any(not m.parameters for m in constructors)
    disputed = any(_moves(definition, m) for m in provided) or any(f.private for f in stored) or only_copies
    return None if disputed else True


def _copies(definition: syn.RecordDef, assignment: syn.FunctionDecl) -> bool:
    """Whether an assignment takes an object of the class, by value or as an lvalue."""
    target = _own(definition, assignment)
    return target is not None and not (isinstance(target, syn.ReferenceTo) and target.rvalue)


def _moves(definition: syn.RecordDef, assignment: syn.FunctionDecl) -> bool:
    target = _own(definition, assignment)
    return isinstance(target, syn.ReferenceTo) and target.rvalue


def _own(definition: syn.RecordDef, assignment: syn.FunctionDecl) -> syn.TypeNode | None:
    """The type of the parameter, if it is of the class."""
    if assignment.template or not overloads.takes(assignment, 1) or not assignment.parameters:
        return None
    type = assignment.parameters[0].type
    inner = type.target if isinstance(type, syn.ReferenceTo) else type
    return type if isinstance(inner, syn.NamedType) and inner.name.rpartition("::")[2] == definition.name else None
