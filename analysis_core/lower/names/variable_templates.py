"""Variable templates: `v<T>` is the variable of the definition that the arguments select, under what its parameters mean then."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.lower.context import Lowering
from analysis_core.lower.names import names, records, resolve, specialisations, template_arguments
from analysis_core.lower.names.identity import binding_key
from analysis_core.lower.names.scope import Scope, join
from analysis_core.lower.values import Operand
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def instantiate(
    ctx: Lowering,
    name: str,
    definitions: Sequence[syn.VarDecl],
    args: tuple[syn.TemplateArg, ...],
    node: syn.Name,
    inside: Scope | None = None,
) -> Operand:
    """The variable `name<args>`; `inside`: the scope of the class that declares it."""
    primary = next((d for d in definitions if d.specialisation is None), definitions[0])
    bindings = template_arguments.bind_template(ctx, primary.template, args, primary.scope)
    given = records.flattened(bindings.get(p.name or f"(parameter {i})") for i, p in enumerate(primary.template or ()))
    home = {} if inside is None else inside.bindings
    namespace = primary.scope if inside is None else inside.namespace
    found = specialisations.select(ctx, definitions, given, Scope(None, namespace, dict(home)))
    if found is None:
        reason = f"which specialisation of `{node.name}` is meant is not decided"
        return ctx.unknown(CauseKind.ANALYSIS, reason, node.span, resolve.resolve_type(ctx, primary.type))
    definition, special = found
    scope = Scope(None, namespace, {**home, **(bindings if special is None else special)})
    key = f"{join(namespace, primary.name)}<{', '.join(map(binding_key, given))}>"
    if inside is not None:
        key = f"{name}<{', '.join(map(binding_key, given))}>"
    return names.file_variable(ctx, key, definition, node, scope)
