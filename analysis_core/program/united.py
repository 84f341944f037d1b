"""The kernels of one file as several translation units see them, put together.

A kernel in a header means what the macros and types of the unit around it say, and runs under the launches of each.  Where two
units make the same of it, it is one kernel with the launches of both.  Where they do not (another `#define TILE`) it is two,
each with its own launches: under those of the other it would be a kernel that nobody runs.

    same name span, instantiation and body   ->  one kernel, launches united
    a template that some unit instantiates   ->  the one with open parameters goes
    a variant that another unit launches     ->  those that nobody launches go
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.text.span import Span


def united(modules: Sequence[IrModule]) -> IrModule:
    """One module; what comes first is that of the first unit.  Kernels are in source order."""
    kinds: dict[Span, list[Kernel]] = {}
    for module in modules:
        for kernel in module.kernels:
            _add(kinds.setdefault(kernel.name_span, []), kernel)
    chosen = [kernel for variants in kinds.values() for kernel in _worth_keeping(variants)]
    rejected: dict[Misstatement, None] = dict.fromkeys(wrong for module in modules for wrong in module.rejected)
    dependencies = dict.fromkeys(name for module in modules for name in module.dependencies)
    return IrModule(tuple(sorted(chosen, key=lambda k: k.span.start)), tuple(dependencies), tuple(rejected))


def _add(variants: list[Kernel], kernel: Kernel) -> None:
    for number, known in enumerate(variants):
        if known.instantiation == kernel.instantiation and replace(known, launches=()) == replace(kernel, launches=()):
            variants[number] = replace(known, launches=tuple(dict.fromkeys((*known.launches, *kernel.launches))))
            return
    variants.append(kernel)


def _worth_keeping(variants: Sequence[Kernel]) -> Iterable[Kernel]:
    """Without templates whose parameters are open if some are not, and without what nobody launches if some are launched."""
    if len(variants) == 1:
        return variants
    instances = [kernel for kernel in variants if kernel.instantiation is not None] or variants
    launched = [kernel for kernel in instances if kernel.launches]
    return [k for k in launched if not all(site.dead for site in k.launches)] or launched or instances
