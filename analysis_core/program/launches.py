"""Launch sites: every `k<<<grid, block>>>(...)` and `cudaLaunchKernel(k, ...)` of a translation unit.

Only functions of the host that contain a launch, or call a function template that leads to one, are walked
(`host_walk`).  A function template of the host is walked once for each set of arguments found at its calls, so that
`launch<float>(...)` gives `k<float>`, and a function whose parameters decide on a block once for each shape that calls hand it
(`host_flow`); this is repeated until nothing new is found, with a limit per function.

A block is constant where all three components are; its text is kept as spelled in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.ir.launch_site import Arguments, LaunchSite, not_alone, with_names
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import NOT_INSTANTIATED, OpaqueType
from analysis_core.lower.context import Frame, Lowering
from analysis_core.lower.names import deduction, identity, overloads
from analysis_core.lower.names.instance_names import argument_text
from analysis_core.lower.names.scope import (
    Binding,
    RecordInstance,
    Scope,
    TypeBinding,
    Unit,
    join,
    types_of,
)
from analysis_core.lower.objects import bind_parameters
from analysis_core.lower.values import FunctionName, Operand
from analysis_core.program import launch_arguments, launch_blocks, launch_sizes, member_launches, program_profile
from analysis_core.program.host import (
    host_calls,
    host_constants,
    host_flow,
    host_objects,
    host_operands,
    host_state,
    host_unknowns,
    host_walk,
    host_ways,
)
from analysis_core.program.host.host_constants import Settled
from analysis_core.program.host.host_operands import kernels_named
from analysis_core.program.launch_coverage import LaunchCoverage
from analysis_core.program.scaled_arguments import scaled_arguments, with_scaled
from analysis_core.support.distinct import distinct
from analysis_core.support.facts import Assumption
from analysis_core.support.fuel import LAUNCH, LAUNCHES, Fuel, OutOfFuel
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.launchers import LAUNCHERS, Launcher
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_HOST_INSTANCES = 16


@dataclass(frozen=True, slots=True)
class FoundLaunch:
    """One launch of one kernel.  `bindings`: what it makes of the kernel's template parameters, None if it does not determine them (or there
    are none); `own`: a lambda may, that no other launch has.  `site` is None for an explicit instantiation of the kernel itself.
    `instances`: the classes of the unit as far as the search resolved them; `partly`: what it makes of some parameters where not of all; `undeclared`: the
    parameters that it gives types which are not declared."""

    kernel: syn.FunctionDecl
    bindings: Mapping[str, Binding] | None
    site: LaunchSite | None
    instances: Mapping[str, RecordInstance] = field(compare=False)
    own: bool = False
    partly: Mapping[str, Binding] = field(default_factory=dict, compare=False)
    undeclared: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(slots=True)
class _Search:
    """`leading`: names of functions that lead to a launch; `classes`: class templates of which `members` do; `flows`, `seen`: by id of
    the declaration; `rests`: what the function that is walked takes for granted, by name of a variable."""

    ctx: Lowering
    leading: frozenset[str]
    asked: Mapping[str, frozenset[int]]
    flows: Mapping[int, host_flow.Flow]
    variables: Settled
    classes: frozenset[str]
    members: Sequence[syn.FunctionDecl]
    found: list[FoundLaunch] = field(default_factory=list)
    waiting: list[tuple[syn.FunctionDecl, Mapping[str, Binding], Mapping[str, Operand]]] = field(default_factory=list)
    seen: dict[int, list[object]] = field(default_factory=dict)
    flow: host_flow.Flow = field(default_factory=lambda: host_flow.Flow({}, frozenset()))
    rests: Mapping[str, Assumption] = field(default_factory=dict)
    coverage: LaunchCoverage = field(default_factory=LaunchCoverage)


def find_launches(unit: Unit, coverage: LaunchCoverage | None = None) -> tuple[FoundLaunch, ...]:
    """All launches of the unit in source order, equal ones once; explicit instantiations of kernels come last.  Launches in other files
    of the program stand behind them, for kernels that the unit launches nowhere.  `coverage` is told how far they were read."""
    said = unit.tree.beyond.launches
    elsewhere = {name for name, _ in said}
    coverage = coverage or LaunchCoverage()
    own = tuple(
        replace(one, site=not_alone(one.site)) if coverage.unread or one.kernel.name in elsewhere else one
        for one in _launches_of(unit, coverage)
    )
    launched = {launch.kernel.name for launch in own}
    found: list[FoundLaunch] = []
    for name, site in said:
        defined = [d for d in unit.functions.get(name, ()) if d.body is not None and d.is_kernel and not d.template]
        if len(defined) == 1 and name not in launched:
            names = {str(n): p.name for n, p in enumerate(defined[0].parameters) if p.name is not None}
            found.append(FoundLaunch(defined[0], None, with_names(site, names), {}))
    return (*own, *found)


def _launches_of(unit: Unit, coverage: LaunchCoverage) -> tuple[FoundLaunch, ...]:
    if not any(d.is_kernel and d.body is not None for group in unit.functions.values() for d in group):
        return ()
    hosts = host_calls.host_functions(unit)
    calls = host_calls.calls_of(hosts)
    leading, flows, asked = _leading(unit, hosts, calls)
    if not leading and not unit.instantiations:
        return ()
    ctx = Lowering(unit, Frame("", None, Scope()), Scope())
    ctx.fuel = Fuel.of_reading(LAUNCHES, unit.settings)
    half = ctx.fuel.left // 2
    members = [d for d in leading if d.owner]
    classes = member_launches.launching_classes(unit, members)
    names = frozenset(d.name for d in leading)
    search = _Search(ctx, names, asked, flows, Settled(ctx, hosts), classes, members, coverage=coverage)
    for instantiation in unit.instantiations:
        _note_instantiation(search, instantiation)
    called = frozenset[str]().union(*(calls[id(d)][1] - {d.name} for d in leading))
    if search.classes:
        member_launches.instantiate_named(ctx, hosts)
    _drain(search)
    for declaration in leading:
        if id(declaration) in search.seen or member_launches.is_of_template(ctx, declaration):
            continue
        if not declaration.template and (declaration.name not in asked or declaration.name not in called):
            _enqueue(search, declaration, {}, {})
    _drain(search)
    uncalled = [d for d in leading if id(d) not in search.seen]  # Their launches count without arguments.
    for declaration, bindings in member_launches.member_instances(ctx, uncalled, templates=True):
        _enqueue(search, declaration, bindings, {})
    _drain(search)
    for declaration in leading:
        if id(declaration) not in search.seen:
            _enqueue(search, declaration, {}, {})
            _drain(search)
    is_crowded = ctx.fuel.left < half
    is_open = any(one.site is not None and one.site.block is None for one in search.found)
    sized = _sized(search, hosts, calls, is_open)
    coverage.crowded = bool(coverage.unread) or is_crowded
    profiled = program_profile.profiles_of(hosts, calls, _constants(unit), ctx.hidden)
    found = [
        one if one.site is None else replace(one, site=profiled(one.kernel, one.site))
        for one in _distinct(search.found)
    ]
    scaled = scaled_arguments(leading)
    found = (
        [replace(launch, site=with_scaled(launch.kernel, launch.site, scaled)) for launch in found] if scaled else found
    )
    return tuple(replace(launch, site=sized(launch.kernel, launch.site)) for launch in found)


def _sized(
    search: _Search, hosts: Sequence[syn.FunctionDecl], calls: host_calls.Calls, is_open: bool
) -> Callable[[syn.FunctionDecl, LaunchSite | None], LaunchSite | None]:
    """Adds the numbers that callers hand to a launch, where the account of the search lasts so far."""
    if not search.coverage.unread:
        try:
            return launch_sizes.with_all_numbers(search.ctx, hosts, calls, search.variables, is_open)
        except OutOfFuel as error:
            text = f"the numbers that callers hand to the launches of this file are not read to the end: {error}"
            search.coverage.unread.append(Assumption(text, None))
    return lambda kernel, site: site


def _constants(unit: Unit) -> Mapping[str, syn.Expr]:
    """What the constants of the file are set to, by bare name."""
    fixed = (d for d in unit.variables.values() if "constexpr" in d.storage or "const" in d.type.qualifiers)
    return {d.name: d.init for d in fixed if d.init is not None}


def _leading(
    unit: Unit, hosts: Sequence[syn.FunctionDecl], calls: host_calls.Calls
) -> tuple[list[syn.FunctionDecl], dict[int, host_flow.Flow], dict[str, frozenset[int]]]:
    """The functions that launch, those that call a template which leads to a launch or a function that asks its callers for
    the block, and templates that name a class template of which a member is one; the flows of all, by identity, and what they ask for."""
    chosen = {id(d) for d in hosts if calls[id(d)][0]}
    flows: dict[int, host_flow.Flow] = {}
    asked: dict[str, frozenset[int]] = {}
    while True:
        for d in hosts:
            if id(d) in chosen and (id(d) not in flows or not calls[id(d)][1].isdisjoint(asked)):
                flow = flows[id(d)] = host_flow.block_flow(d, asked)
                if wanted := host_flow.parameters_asked(d, flow):
                    asked[d.name] = asked.get(d.name, frozenset()) | wanted
        called = {d.name for d in hosts if id(d) in chosen and d.template} | asked.keys()
        more = {id(d) for d in hosts if id(d) not in chosen and calls[id(d)][1] & called}
        if classes := member_launches.launching_classes(unit, [d for d in hosts if id(d) in chosen]):
            templates = [d for d in hosts if d.template and not d.owner and id(d) not in chosen]
            more |= {id(d) for d in templates if member_launches.names_class(d, classes)}
        if not more:
            return [d for d in hosts if id(d) in chosen], flows, asked
        chosen |= more


def _enqueue(
    search: _Search,
    declaration: syn.FunctionDecl,
    bindings: Mapping[str, Binding],
    known: Mapping[str, Operand],
) -> None:
    """Has a function walked under these template arguments, if it has not been and all of them are known."""
    if not all(map(identity.is_determined, bindings.values())):
        return
    seen = search.seen.setdefault(id(declaration), [])
    key = deduction.bindings_key({**bindings, **known})
    if key not in seen and len(seen) < _HOST_INSTANCES:
        seen.append(key)
        search.waiting.append((declaration, bindings, known))


def _drain(search: _Search) -> None:
    """Walks what waits, and the members of class instances that this brings."""
    ctx = search.ctx
    while True:
        _drain_waiting(search)
        if search.classes:
            for declaration, bindings in member_launches.member_instances(ctx, search.members):
                _enqueue(search, declaration, bindings, {})
        if not search.waiting or search.coverage.unread:
            return


def _drain_waiting(search: _Search) -> None:
    try:
        _walk_waiting(search)
    except OutOfFuel as error:
        search.waiting.clear()
        search.coverage.unread.append(Assumption(f"the launches of this file are not read to the end: {error}", None))
        search.ctx.fuel = Fuel.of_reading(LAUNCHES, search.ctx.settings)  # for what was found


def _walk_waiting(search: _Search) -> None:
    while search.waiting and not search.coverage.unread:
        declaration, bindings, known = search.waiting.pop(0)
        search.flow = search.flows[id(declaration)]
        for ways in host_ways.walks(search.flow.behind(search.flow.blocks)):
            _walk(search, declaration, bindings, known, ways)


def _walk(
    search: _Search,
    declaration: syn.FunctionDecl,
    bindings: Mapping[str, Binding],
    known: Mapping[str, Operand],
    ways: host_ways.Ways,
) -> None:
    """Walks a function once, with what one of its ways says."""
    ctx = search.ctx
    host = host_state.HostWalk(ctx, lambda walk, expr: _visit(search, walk, expr), ways=ways)
    with ctx.scratch():
        scope = Scope(None, ctx.unit.body_scope(declaration), {**_left_open(declaration), **bindings})
        if search.classes:
            member_launches.instantiate_in(ctx, declaration, scope)
        own = {parameter.name for parameter in declaration.parameters}
        settled = search.variables.among(search.flow.behind(search.flow.blocks) - own, scope)
        search.rests = {name: rests for name, (_, rests) in settled.items() if rests is not None}
        values = {name: value for name, (value, _) in settled.items()}
        ctx.frame = Frame("", None, scope, this=member_launches.this_of(ctx, declaration, bindings))
        host_walk.walk(host, declaration, scope, {**values, **known})


def _left_open(declaration: syn.FunctionDecl) -> dict[str, Binding]:
    """The types of a template of the host, as nothing instantiates it."""
    types = (p.name for p in declaration.template or () if p.type is None and not p.template and not p.pack)
    return {name: TypeBinding(OpaqueType(name, NOT_INSTANTIATED)) for name in types if name is not None}


def _distinct(found: Sequence[FoundLaunch]) -> tuple[FoundLaunch, ...]:
    """Without repetitions, by place in the text; those that a constant condition leaves out only of kernels without others."""
    living = {id(launch.kernel) for launch in found if not _is_dead(launch)}
    kept = [one for one in distinct(found, _place) if not (_is_dead(one) and id(one.kernel) in living)]
    launched = [(launch.site.span, launch) for launch in kept if launch.site is not None]
    launched.sort(key=lambda pair: pair[0])
    return (*(launch for _, launch in launched), *(launch for launch in kept if launch.site is None))


def _is_dead(launch: FoundLaunch) -> bool:
    return launch.site is not None and launch.site.dead


def _place(launch: FoundLaunch) -> Span | None:
    return None if launch.site is None else launch.site.span


def _note_instantiation(search: _Search, written: syn.ExplicitInstantiation) -> None:
    """`template void run<float>(float *);`: an instance of a host template that leads to a launch, or of a kernel."""
    ctx = search.ctx
    namespace = join(written.scope, written.owner)
    candidates = [
        d for d in ctx.unit.find_functions(written.name, namespace) if d.template and not d.specialisation and d.body
    ]
    with ctx.in_scope(Scope(None, namespace)):
        operands = [_instantiated_operand(ctx, p) for p in written.parameters]
        choice = overloads.choose(ctx, candidates, written.template_args, operands)
    if choice.best is None or not all(map(identity.is_determined, choice.best.bindings.values())):
        return
    # `choose` may have given the candidate the defaults of its prototype; what is walked is the declaration itself.
    declaration = next(d for d in candidates if d.name_span == choice.best.declaration.name_span)
    if declaration.is_kernel:
        search.found.append(FoundLaunch(declaration, choice.best.bindings, None, ctx.instances))
    elif declaration.name in search.leading:
        _enqueue(search, declaration, choice.best.bindings, {})


def _instantiated_operand(ctx: Lowering, parameter: syn.Parameter) -> Operand | None:
    type = bind_parameters.parameter_type(ctx, parameter.type)
    return None if type is None else host_unknowns.unknown_of(type)


# --- one expression ---------------------------------------------------------------------------------------------


def _visit(search: _Search, host: host_state.HostWalk, expr: syn.Expr) -> None:
    """Notes the launches in an expression, and the instances of host templates that it calls."""
    for node in inside(expr, lambdas=False):
        match node:
            case syn.KernelLaunch(callee=callee, config=config, args=args):
                for kernel in kernels_named(host.ctx, callee, host.known.pointers):
                    grid = config[0] if config else None
                    block = config[1] if len(config) > 1 else None
                    shared = config[2] if len(config) > 2 else None
                    _note(search, host, kernel, grid, block, args, node, shared)
            case syn.Call(callee=syn.Name(name=name), args=args):
                bare = name.rpartition("::")[2]
                if (launcher := LAUNCHERS.get(bare)) is not None:
                    _note_launcher(search, host, node, launcher)
                elif bare in host_flow.ALLOCATORS and len(args) >= 2:
                    launch_arguments.note_room(host, args)
                elif bare in search.leading and not host.dead:
                    _note_host_call(search, host, node)
            case syn.Call(callee=syn.Member(name=name)) if name in search.leading and not host.dead:
                _note_member_call(search, host, node)
            case _:
                pass


def _note_host_call(search: _Search, host: host_state.HostWalk, call: syn.Call) -> None:
    """A call of a function that leads to a launch: one more instance of a template, and one more block or kernel where the function
    asks for it."""
    ctx = search.ctx
    assert isinstance(call.callee, syn.Name)
    args, whole = host_operands.written_out(ctx, call.args)
    found = ctx.unit.find_functions(call.callee.name, ctx.scope.root().namespace)
    candidates = [d for d in found if id(d) in search.flows and (not whole or overloads.takes(d, len(args)))]
    for declaration in candidates:
        for operands in host_operands.operands_of(host.ctx, args, host.known.pointers):
            known = _handed(search, declaration, args, operands)
            if not declaration.template:
                if search.asked.get(declaration.name):
                    _enqueue(search, declaration, {}, known)
                continue
            bindings = overloads.template_bindings(ctx, declaration, call.callee.template_args, operands, {})
            if bindings is not None:
                _enqueue(search, declaration, bindings, known)


def _note_member_call(search: _Search, host: host_state.HostWalk, call: syn.Call) -> None:
    """A call of a member template that leads to a launch: one more instance of it."""
    for operands in host_operands.operands_of(
        search.ctx, host_operands.written_out(search.ctx, call.args)[0], host.known.pointers
    ):
        for declaration, bindings in member_launches.called_templates(search.ctx, call, operands, search.members):
            _enqueue(search, declaration, bindings, {})


def _handed(
    search: _Search, declaration: syn.FunctionDecl, args: Sequence[syn.Expr], operands: Sequence[Operand]
) -> dict[str, Operand]:
    """The constants and kernels that a call hands to the parameters which blocks and launches rest on."""
    ctx = search.ctx
    known: dict[str, Operand] = {}
    for number in sorted(search.asked.get(declaration.name, ())):
        if number >= len(declaration.parameters):
            continue
        parameter = declaration.parameters[number]
        arg = args[number] if number < len(args) else parameter.default
        type = None if arg is None else bind_parameters.parameter_type(ctx, parameter.type)
        if parameter.name is not None and arg is not None and type is not None:
            value = operands[number] if number < len(operands) else None
            if not isinstance(value, FunctionName):
                value = host_objects.handed(ctx, type, arg) or host_constants.initial(ctx, type, arg)
            if isinstance(value, FunctionName) or host_constants.is_known(value):
                known[parameter.name] = value
    return known


def _note_launcher(search: _Search, host: host_state.HostWalk, call: syn.Call, launcher: Launcher) -> None:
    """A launch through a function; of `cudaLaunchKernelEx(&config, k, ...)` the dimensions are members of the configuration."""
    if len(call.args) <= max(launcher.kernel, launcher.block):
        return
    grid, block = None if launcher.grid is None else call.args[launcher.grid], call.args[launcher.block]
    if grid is None:
        while isinstance(block, syn.Cast) or (isinstance(block, syn.Unary) and block.op == "&"):
            block = block.operand
        grid, block = (
            syn.Member(span=block.span, base=block, name=name, arrow=False, name_span=block.span)
            for name in ("gridDim", "blockDim")
        )
    args = () if launcher.first is None else call.args[launcher.first :]
    for kernel in kernels_named(host.ctx, call.args[launcher.kernel], host.known.pointers):
        _note(search, host, kernel, grid, block, args, call)


def _note(
    search: _Search,
    host: host_state.HostWalk,
    kernel: FunctionName,
    grid: syn.Expr | None,
    block: syn.Expr | None,
    args: Sequence[syn.Expr],
    node: syn.Expr,
    shared: syn.Expr | None = None,
) -> None:
    ctx = search.ctx
    ctx.fuel.spend(LAUNCH, "they are more than a file may have")
    args, whole = host_operands.written_out(ctx, args)
    candidates = [d for d in kernel.declarations if not args or not whole or overloads.takes(d, len(args))]
    operands = next(host_operands.operands_of(host.ctx, args, host.known.pointers))
    for declaration in _chosen(ctx, candidates or kernel.declarations, kernel, operands if args else None):
        bindings, partly, undeclared = _bindings(ctx, declaration, kernel, operands)
        texts = tuple(argument_text(bindings.get(p.name or "")) for p in declaration.template or ()) if bindings else ()
        if not texts and kernel.template_args:
            texts = tuple(spelling(a) if isinstance(a, syn.Node) else argument_text(a) for a in kernel.template_args)
        own = any(isinstance(arg, syn.Lambda) for arg in args)
        arguments = Arguments(
            launch_arguments.alignments(host, declaration, args),
            launch_arguments.ranges(host, declaration, args),
            launch_arguments.rooms(host, declaration, args),
            launch_arguments.unplaced(host, declaration, args),
            same=launch_arguments.same(host, declaration, args),
        )
        for side in launch_blocks.sides_of(host, block):
            shape, rests = launch_blocks.block_of(host, side, search.flow, search.rests)
            site = LaunchSite(
                node.span,
                shape,
                (None, None, None) if grid is None else host_constants.dims(ctx, grid),
                "" if block is None else ctx.hidden.shown(launch_blocks.dims_text(block)),
                "" if grid is None else ctx.hidden.shown(launch_blocks.dims_text(grid)),
                texts,
                rests,
                host.dead,
                (None, None, None) if side is None else host_constants.dims(ctx, side),
                arguments=arguments,
                handed=block is not None and launch_arguments.is_handed(host, block),
                shared=host_constants.bytes_of(ctx, shared),
            )
            search.found.append(FoundLaunch(declaration, bindings, site, ctx.instances, own, partly, undeclared))


def _chosen(
    ctx: Lowering, candidates: Sequence[syn.FunctionDecl], kernel: FunctionName, operands: Sequence[Operand] | None
) -> Sequence[syn.FunctionDecl]:
    """The overload that is launched: by the arguments where they are known, else every definition."""
    defined = [d for d in candidates if d.body is not None]
    if len(defined) > 1 and operands is not None:
        choice = overloads.choose(ctx, defined, kernel.template_args, operands)
        if choice.best is not None:
            return [choice.best.declaration]
    return defined


def _bindings(
    ctx: Lowering, declaration: syn.FunctionDecl, kernel: FunctionName, operands: Sequence[Operand]
) -> tuple[Mapping[str, Binding] | None, Mapping[str, Binding], frozenset[str]]:
    """What the launch makes of the template parameters, None if they are not all determined; in that case those that are, and those that are
    types which are not declared."""
    if not declaration.template:
        return None, {}, frozenset()
    bindings = overloads.template_bindings(ctx, declaration, kernel.template_args, operands, {})
    types = [p.name for p in declaration.template if p.type is None and not p.template and not p.pack and p.name]
    if bindings is None:
        return None, {}, frozenset(types)
    determined = {name: binding for name, binding in bindings.items() if identity.is_determined(binding)}
    if len(determined) == len(bindings):
        return bindings, {}, frozenset()
    return None, determined, frozenset(name for name in types if _is_undeclared(bindings.get(name)))


def _is_undeclared(binding: Binding | None) -> bool:
    """Whether a template argument is a type that is not declared, and no parameter of a template of the host that nothing instantiates."""
    type = next(types_of([] if binding is None else [binding]), None)
    return isinstance(type, OpaqueType) and not identity.is_visible(type) and type.why != NOT_INSTANTIATED
