"""Launch configurations: under which block shapes a kernel is analysed.

The thread-vector domain wants a concrete block.  In order, the first source that says something wins:

1. `option`: the user's --block;
2. `annotation`: `//@ launch`, each one;
3. `call`: launch sites in the project with constant dimensions, each distinct one;
4. `shape`: the block that a launch has as the program is run, with the words that it is run with or with none (`run_arguments`); a launch that a
   constant condition of the host leaves out; strides of the kernel's own indexes, if they tell all extents
   (`shape_evidence`); extents of shared tiles, which mostly repeat the block's; strides that tell some extents;
5. `launch_bounds`: the most threads that `__launch_bounds__` allows;
6. `default`: the configured shape for the components of threadIdx that the kernel uses; of two, findings are asked once more for other common
   blocks (`other_common_blocks`).

Sources 4 to 6 are guesses, made to fit those extents that all launches give, where they leave others open, and cut to what arrays that all threads index have room for; results that rest on
them say so and findings have a lower level (`is_assumed`).
Tested by `tests/machine/test_launch.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from math import prod

from analysis_core.ir.launch_site import Arguments, LaunchSite, SizeRange, made_launches
from analysis_core.ir.nodes import Atomic, If, Kernel, Load, Loop, Store, Switch
from analysis_core.ir.stated import StatedName
from analysis_core.ir.walk import statements_of
from analysis_core.lower.names.annotation_values import constant_value
from analysis_core.machine.block_shape import COMMON_PLANES, MAXIMUM_EXTENTS, MAXIMUM_THREADS, Shape, is_launchable
from analysis_core.program.shape_evidence import Limit, fitted, shape_evidence, shape_limits, tile_shape
from analysis_core.support.facts import Assumption
from analysis_core.support.fuel import FOLLOWED, FURTHER, Fuel
from analysis_core.support.settings import Settings
from analysis_core.syntax.read.annotation_tree import Number, Term
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

DEFAULT_SHAPE = "the default shape"
"""What is assumed of a block of which nothing says the shape."""


@dataclass(frozen=True, slots=True)
class Launch:
    """`block` in threads; `grid` in blocks, None where it is not constant; `span`: where it was stated, if anywhere.

    `stated_grid`: the extents as an annotation gives them, three terms, () if none does.  `arguments`: what all launches that it stands for
    say of what reaches the kernel's parameters.  `among`: how many launches share the work that the kernel may take."""

    block: Shape
    grid: tuple[int | None, int | None, int | None]
    source: str  # option, annotation, call, shape, launch_bounds, default or common
    span: Span | None
    assumptions: tuple[Assumption, ...]
    stated_grid: tuple[Term, ...] = ()
    arguments: Arguments = field(default_factory=Arguments)
    among: int = 1


def shape_text(block: tuple[int, ...]) -> str:
    """ "256" for (256, 1, 1), "16x16" for (16, 16, 1)."""
    used = list(block)
    while len(used) > 1 and used[-1] == 1:
        used.pop()
    return "x".join(str(extent) for extent in used)


def choose_launches(kernel: Kernel, settings: Settings) -> tuple[Launch, ...]:
    """The launches to analyse: at least one, at most `settings.launch_configurations` (in source order), of a long kernel as many as it has
    work for.

    Offsets of pointers are seen at launch sites, also where these say nothing of the block."""
    chosen = _paid(kernel, _first(_choose(kernel, settings), settings), settings)
    sites = made_launches(kernel.launches) or kernel.launches
    said = _said_by_all(sites)
    own = (replace(c, arguments=said) if c.source != "call" else c for c in chosen)
    return tuple(replace(c, among=len(chosen)) for c in own)


def _first(chosen: tuple[Launch, ...], settings: Settings) -> tuple[Launch, ...]:
    """As many launches as the settings allow; they say that there are more."""
    most = max(1, settings.launch_configurations)
    further = len(chosen) - most
    if further <= 0:
        return chosen
    text = f"not analysed: {further} of {len(chosen)} launches of this kernel, the first with block {shape_text(chosen[most].block)}"
    left = Assumption(f"{text}, since `launch-configurations` is {settings.launch_configurations}", chosen[most].span)
    return tuple(replace(one, assumptions=(*one.assumptions, left)) for one in chosen[:most])


def _paid(kernel: Kernel, chosen: tuple[Launch, ...], settings: Settings) -> tuple[Launch, ...]:
    """The first of these launches, and those behind it for which the kernel's account lasts; they say which are not analysed."""
    if len(chosen) < 2:
        return chosen
    places = sum(isinstance(stmt, Load | Store | Atomic | If | Switch | Loop) for stmt in statements_of(kernel))
    further = Fuel.of_kernel(FURTHER, settings).left // (FOLLOWED * max(1, places))
    left = tuple(
        Assumption(f"not analysed: a launch with block {shape_text(one.block)}, since the kernel is too long", one.span)
        for one in chosen[1 + further :]
    )
    kept = chosen[: 1 + further]
    return tuple(replace(one, assumptions=(*one.assumptions, *left)) for one in kept) if left else kept


def other_common_blocks(kernel: Kernel, launch: Launch) -> tuple[Launch, ...]:
    """The launch with the other common blocks of two dimensions, where nothing but the default says that it has one."""
    if launch.source != "default" or _dimensions(kernel) != 2:
        return ()
    limits = shape_limits(kernel)
    others = (shape for shape in COMMON_PLANES if shape != launch.block and fitted(shape, limits)[1] is None)
    return tuple(replace(launch, block=shape, source="common") for shape in others)


def _said_by_all(sites: Sequence[LaunchSite]) -> Arguments:
    """What all of these launches say of the kernel's parameters."""
    each = [site.arguments for site in sites]
    return Arguments(
        _alignments(each),
        _ranges(each),
        _most(one.rooms for one in each),
        scaled=_named([one.scaled for one in each]),
        same=tuple(dict.fromkeys(pair for one in each for pair in one.same)),
    )


def _alignments(each: Iterable[Arguments]) -> tuple[tuple[str, int], ...]:
    """The least alignment of each pointer that some site passes with an offset (all are powers of two)."""
    least: dict[str, int] = {}
    for one in each:
        for name, aligned in one.aligned:
            least[name] = min(aligned, least.get(name, aligned))
    return tuple(least.items())


def _ranges(each: Sequence[Arguments]) -> tuple[SizeRange, ...]:
    """What all launches together say of each parameter of which they all say something."""
    joined: dict[str, SizeRange] = {}
    for number, said in enumerate(each):
        mine = {one.name: one for one in said.ranges}
        joined = {n: _either(joined.get(n, one), one) for n, one in mine.items() if number == 0 or n in joined}
    return tuple(joined.values())


def _most(said: Iterable[tuple[tuple[str, int], ...]]) -> tuple[tuple[str, int], ...]:
    """The most bytes for each pointer for which all sites say how many."""
    each = [dict(one) for one in said]
    names = [name for name in (each[0] if each else ()) if all(name in one for one in each)]
    return tuple((name, max(one[name] for one in each)) for name in names)


def _named(said: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The names that all sites say."""
    return tuple(name for name in (said[0] if said else ()) if all(name in one for one in said))


def _either(a: SizeRange, b: SizeRange) -> SizeRange:
    """What holds of a parameter for which one of both holds."""
    least = None if a.least is None or b.least is None else min(a.least, b.least)
    most = None if a.most is None or b.most is None else max(a.most, b.most)
    step = None if a.step is None or b.step is None else max(a.step, b.step)
    return SizeRange(a.name, least, most, step, a.condition and b.condition, a.run or b.run)


def _choose(kernel: Kernel, settings: Settings) -> tuple[Launch, ...]:
    option_grid: tuple[int | None, int | None, int | None] | None = settings.grid
    grid = option_grid or (None, None, None)
    if settings.block is not None:
        return (Launch(settings.block, grid, "option", None, ()),)
    if kernel.annotations.launches:
        return _annotated(kernel, option_grid)
    if called := _called(kernel, option_grid):
        return called
    if usual := _as_run(kernel, grid, settings):
        return usual
    if meant := _left_out(kernel, option_grid):
        return (meant,)
    limits = shape_limits(kernel)
    guess = _guessed(kernel, settings, grid, limits)
    return (_within(_as_launched(guess, kernel, settings), limits),)


def _as_run(kernel: Kernel, grid: tuple[int | None, int | None, int | None], settings: Settings) -> tuple[Launch, ...]:
    """The blocks that launches have as the program is run, each distinct one, where all of them are known."""
    run = "as the program is run" + (" without arguments" if settings.run_arguments is None else "")
    sites = made_launches(kernel.launches)
    first = {site.usual: site for site in reversed(sites)}
    shapes = [(shape, first[shape]) for shape in dict.fromkeys(site.usual for site in sites)]
    found = []
    for shape, site in shapes:
        if shape is None or not is_launchable(shape):
            return ()
        text = f"block {shape_text(shape)}, which `{_block_text(site)}` is {run}"
        found.append(Launch(shape, grid, "shape", site.span, (Assumption(text, site.span), *_unread_sites(kernel))))
    return tuple(found)


def _left_out(kernel: Kernel, grid: tuple[int | None, int | None, int | None] | None) -> Launch | None:
    """The first launch that a constant condition of the host leaves out (`bool periodic = false;`): nobody makes it, and it says more
    than any default."""
    for site in kernel.launches:
        if site.dead and site.block is not None and is_launchable(site.block):
            text = f"block {shape_text(site.block)}, of a launch that a constant condition of the host leaves out"
            assumptions = (Assumption(text, site.span), *_unread_sites(kernel))
            return Launch(site.block, grid or site.grid, "shape", site.span, assumptions)
    return None


def _as_launched(guess: Launch, kernel: Kernel, settings: Settings) -> Launch:
    """The guess, or where it contradicts what all launches say of some extents (`block.x = n; block.y = 1;`), these, and as many
    threads as are usual."""
    sites = made_launches(kernel.launches)
    each = [{site.extents[axis] for site in sites} for axis in range(3)]
    given = [_extent(said, most) for said, most in zip(each, MAXIMUM_EXTENTS, strict=True)]
    if all(one is None or one == block for one, block in zip(given, guess.block, strict=True)):
        return guess
    threads = prod(settings.default_blocks[0])
    left = max(1, threads // prod(one for one in given if one is not None))
    open_axes = [axis for axis in range(3) if given[axis] is None]
    usual = settings.default_blocks[max(0, len(open_axes) - 1)]
    block = [one or 1 for one in given]
    for place, axis in enumerate(open_axes):
        block[axis] = left if place == len(open_axes) - 1 else min(usual[place], left)
        left //= block[axis]
    shape = (block[0], block[1], max(1, min(block[2], MAXIMUM_EXTENTS[2])))
    if not is_launchable(shape):
        return guess
    known = ", ".join(f"{'xyz'[axis]} = {one}" for axis, one in enumerate(given) if one is not None)
    assumption = Assumption(f"block {shape_text(shape)}, which is launched with {known}", sites[0].span)
    return Launch(shape, guess.grid, "shape", sites[0].span, (assumption, *_unread_sites(kernel)))


def _extent(said: set[int | None], most: int) -> int | None:
    """The extent that all launches give, if it is one that a block may have."""
    extent = next(iter(said)) if len(said) == 1 else None
    return extent if extent is not None and 1 <= extent <= most else None


def _within(guess: Launch, limits: Sequence[Limit]) -> Launch:
    """A guess cut to what the kernel's arrays have room for."""
    block, limit = fitted(guess.block, limits)
    if limit is None:
        return guess
    assumption = Assumption(f"block {shape_text(block)}, as far as `{limit.name}` reaches", limit.span)
    return replace(
        guess, block=block, source="shape", span=limit.span, assumptions=(assumption, *guess.assumptions[1:])
    )


def _guessed(
    kernel: Kernel, settings: Settings, grid: tuple[int | None, int | None, int | None], limits: Sequence[Limit]
) -> Launch:
    """The block where nobody states one; the first of the assumptions says what it rests on."""
    by_index = _indexed_shape(kernel, settings, limits)
    if by_index is not None and by_index[1]:
        return _by_index(kernel, grid, *by_index[0])
    if (inferred := tile_shape(kernel, _dimensions(kernel), limits)) is not None:
        block, tile = inferred
        assumption = Assumption(f"block {shape_text(block)}, from the extents of `{tile.name}`", tile.span)
        return Launch(block, grid, "shape", tile.span, (assumption, *_unread_sites(kernel)))
    if by_index is not None:
        return _by_index(kernel, grid, *by_index[0])
    if kernel.launch_bounds is not None and 1 <= kernel.launch_bounds <= MAXIMUM_THREADS:
        block = _shape_of_size(kernel.launch_bounds, _dimensions(kernel))
        text = f"block {shape_text(block)}, the most that __launch_bounds__({kernel.launch_bounds}) allows"
        assumption = Assumption(text, kernel.name_span)
        return Launch(block, grid, "launch_bounds", kernel.name_span, (assumption, *_unread_sites(kernel)))
    block = settings.default_blocks[_dimensions(kernel) - 1]
    assumption = Assumption(f"block {shape_text(block)}, {DEFAULT_SHAPE}", None)
    return Launch(block, grid, "default", None, (assumption, *_unread_sites(kernel)))


def _by_index(kernel: Kernel, grid: tuple[int | None, int | None, int | None], block: Shape, span: Span) -> Launch:
    assumption = Assumption(f"block {shape_text(block)}, from the strides of indexes", span)
    return Launch(block, grid, "shape", span, (assumption, *_unread_sites(kernel)))


def _indexed_shape(
    kernel: Kernel, settings: Settings, limits: Sequence[Limit]
) -> tuple[tuple[Shape, Span], bool] | None:
    """The block that the kernel's own indexes take for granted, and whether they speak of all extents that it uses; those of
    which they do not are filled up to the threads of the default shape, or to what there is room for."""
    dimensions = _dimensions(kernel)
    found = shape_evidence(kernel, dimensions)
    if found is None:
        return None
    x, y, z = settings.default_blocks[dimensions - 1]
    room = x * y * z
    extents = [1, 1, 1]
    for axis, extent in found.extents.items():
        extents[axis] = extent
        room //= extent
    for axis in range(dimensions):
        if axis not in found.extents:
            extents[axis], room = max(1, room), 1
    block, _ = fitted((extents[0], extents[1], extents[2]), limits)
    refuted = any(block[axis] != extent for axis, extent in found.extents.items())
    if refuted or not is_launchable(block) or (block[0] * block[1] * block[2]) % 32:
        return None
    return (block, found.span), len(found.extents) == dimensions


def _annotated(kernel: Kernel, grid: tuple[int | None, int | None, int | None] | None) -> tuple[Launch, ...]:
    """The launches that annotations state; extents of the grid that are left out are 1, as in CUDA."""
    launches = []
    for stated in kernel.annotations.launches:
        if grid is not None or not stated.grid:
            launches.append(Launch(stated.block, grid or (None, None, None), "annotation", stated.span, ()))
            continue
        terms = (*stated.grid, *(Number(1, stated.span) for _ in range(3 - len(stated.grid))))
        names: dict[str, StatedName] = dict(kernel.annotations.names)
        for axis, letter in enumerate("xyz"):
            names[f"blockDim.{letter}"] = stated.block[axis]
        x, y, z = (constant_value(term, names) for term in terms)
        launches.append(Launch(stated.block, (x, y, z), "annotation", stated.span, (), terms))
    return tuple(launches)


def _called(kernel: Kernel, grid: tuple[int | None, int | None, int | None] | None) -> tuple[Launch, ...]:
    """Each distinct constant launch site; sites that the hardware would refuse are passed over."""
    groups: dict[tuple[Shape, object], list[LaunchSite]] = {}
    for site in made_launches(kernel.launches):
        if site.block is not None and is_launchable(site.block):
            groups.setdefault((site.block, grid or site.grid), []).append(site)
    unread = _unread_sites(kernel)
    return tuple(
        Launch(
            block,
            grid or sites[0].grid,
            "call",
            sites[0].span,
            (*dict.fromkeys(a for site in sites for a in site.rests_on), *unread),
            (),
            _said_by_all(sites),
        )
        for (block, _), sites in groups.items()
    )


def _unread_sites(kernel: Kernel) -> tuple[Assumption, ...]:
    """Launches whose block nobody knows, or no device accepts, are not analysed; that is part of what a result rests on."""
    return tuple(
        Assumption(f"the launch with block `{_block_text(site)}` is not analysed: {_why_unread(site)}", site.span)
        for site in made_launches(kernel.launches)
        if site.block is None or not is_launchable(site.block)
    )


def _why_unread(site: LaunchSite) -> str:
    known = [
        (one, most) for one, most in zip(site.block or site.extents, MAXIMUM_EXTENTS, strict=True) if one is not None
    ]
    refused = any(not 1 <= one <= most for one, most in known) or prod(one for one, _ in known) > MAXIMUM_THREADS
    return f"no device accepts it (1 to {MAXIMUM_THREADS} threads)" if refused else "its value is not known here"


def _block_text(site: LaunchSite) -> str:
    text = " ".join(site.block_text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def _dimensions(kernel: Kernel) -> int:
    """1, 2 or 3: the highest component of threadIdx that the kernel uses."""
    return 1 + max((axis for axis in kernel.requested_axes if axis in (0, 1, 2)), default=0)


def _shape_of_size(threads: int, dimensions: int) -> Shape:
    """At most `threads` threads as squarely as powers of two allow: 256 -> 16x16, 512 -> 32x16, 1024 -> 16x8x8."""
    if dimensions == 1:
        return (threads, 1, 1)
    exponent = threads.bit_length() - 1
    x = 1 << -(-exponent // dimensions)
    if dimensions == 2:
        return (x, threads // x, 1)
    y = 1 << -(-(exponent - x.bit_length() + 1) // 2)
    return (x, y, max(1, min(64, threads // (x * y))))
