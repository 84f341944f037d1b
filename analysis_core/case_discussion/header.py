"""A header of CUDA with all variants of a case discussion, and a dispatcher that asks the device.

    #include "turn_cases.cuh"
    cudaDeviceProp device; cudaGetDeviceProperties(&device, 0);
    turn_cases::launch(device, stream, out, in, n);          the first case that holds there, cudaErrorInvalidConfiguration where none fits

Each variant is the file's own text in a namespace of its own, with its macros set around it; includes, other kernels and functions of the host are left out.  Parameters
stay macros, which whoever includes the header may define before.  Compiled by tests/case_discussion/test_header.py, with nvcc where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import assert_never

from analysis_core.case_discussion.constraints import Constraint
from analysis_core.case_discussion.discuss import STATIC_WORDS, Counted, Discussion
from analysis_core.case_discussion.rewrites import LAUNCH_BOUNDS, launch_bounds
from analysis_core.case_discussion.tree import Variant
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.report.findings.model import Edit
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.syntax.read import tree as syn

_LINES_LEFT_OUT = re.compile(rb"^[ \t]*#[ \t]*(?:include|pragma[ \t]+once)\b[^\n]*", re.M)
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include\b[^\n]*", re.M)

_SHAPES = """struct Shape {
    dim3 grid, block;
    size_t shared_bytes;
};
"""


class NoHeader(Exception):
    """Why there is none, as a sentence."""


def header(found: Discussion, tree: syn.SyntaxTree, text: bytes) -> str:
    """The header's text.  `tree`: the file as it is at its present values.  Raises `NoHeader`."""
    declaration = next(
        (d for d in tree.declarations if isinstance(d, syn.FunctionDecl) and d.name_span == found.kernel.name_span),
        None,
    )
    if declaration is None or declaration.template:
        raise NoHeader("a header is made of kernels that are no templates, and outside of namespaces and classes")
    constants = [one.name for one in found.parameters if not one.is_macro]
    if any(name in constants for leaf in found.cases for name, _ in (leaf.variant.values if leaf.variant else ())):
        raise NoHeader(f"a header is made of macros, and {', '.join(constants)} is none")
    name = found.kernel.name
    variants = {one.variant: n for n, one in reversed(list(enumerate(found.cases, 1))) if one.variant is not None}
    parts = [
        f"// Variants of `{name}` by cases, which are disjoint and cover all values; made from its text by `warpcost cases --header`.\n"
        "#pragma once\n#include <cuda_runtime.h>\n",
        *(f"{one}\n" for one in dict.fromkeys(line.decode("utf-8", "replace") for line in _INCLUDE.findall(text))),
        *(f"#ifndef {one.name}\n#define {one.name} {one.value}\n#endif\n" for one in found.parameters if one.is_macro),
        f"\nnamespace {name}_cases {{\n\n{_SHAPES}\n",
        *(
            _variant(
                found, variant, number, declaration, _body(found, tree, text, _edits(found, variant, declaration)), text
            )
            for variant, number in sorted(variants.items(), key=lambda v: v[1])
        ),
        _choose(found, constants),
        _launch(found, variants, declaration, text),
        "}\n",
    ]
    return "".join(parts)


def _edits(found: Discussion, variant: Variant, declaration: syn.FunctionDecl) -> tuple[Edit, ...]:
    """What the variant's rewrites do to the text, in its order."""
    counted = found.counted[variant]
    if LAUNCH_BOUNDS not in variant.rewrites or declaration.launch_bounds:
        return counted.edits
    return (launch_bounds(declaration, _c(counted.threads, lambda name: f"({name})")), *counted.edits)


def _body(found: Discussion, tree: syn.SyntaxTree, text: bytes, edits: tuple[Edit, ...]) -> str:
    """What the kernel may need of its file: all but includes, definitions of parameters, other kernels and functions of the host."""
    left = bytearray(text)

    def blank(start: int, end: int) -> None:
        left[start:end] = re.sub(rb"[^\n]", b" ", bytes(left[start:end]))

    for one in _LINES_LEFT_OUT.finditer(code_of(text)):
        blank(one.start(), one.end())
    for parameter in found.parameters:
        if parameter.is_macro:
            blank(parameter.start, parameter.end)
    for node in tree.declarations:
        if (
            isinstance(node, syn.FunctionDecl)
            and node.span.file == tree.main
            and node.name_span != found.kernel.name_span
        ):
            if node.is_kernel or not {"__device__", "constexpr"} & node.qualifiers:
                blank(node.span.start, node.span.end)
    for edit in reversed(edits):
        left[edit.span.start : edit.span.end] = edit.text.encode()
    lines = bytes(left).decode("utf-8", "replace").splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


def _variant(
    found: Discussion, variant: Variant, number: int, declaration: syn.FunctionDecl, body: str, text: bytes
) -> str:  # fmt: skip
    values = dict(variant.values)
    pushed = "".join(f'#pragma push_macro("{n}")\n#undef {n}\n#define {n} {v}\n' for n, v in values.items())
    popped = "".join(f'#pragma pop_macro("{n}")\n' for n in values)
    shape = _shape(found.counted[variant], declaration, text)
    return f"// Case {number} and others of {found.label(variant)}.\nnamespace case_{number} {{\n{pushed}{body}{shape}{popped}}}\n\n"


def _guard(found: Discussion, variant: Variant) -> str:
    """What the compiler would refuse is not shown to it."""
    constants = {one.name: f"{one.value}" for one in found.parameters if not one.is_macro}
    return (
        f"#if {_c(found.counted[variant].declared, lambda name: f'({constants.get(name, name)})')} <= {STATIC_WORDS}\n"
    )


def _shape(counted: Counted, declaration: syn.FunctionDecl, text: bytes) -> str:
    """The launch of an annotation as a function of the kernel's parameters; nothing where the host's text says it."""
    stated = next((s for s in counted.kernel.annotations.launches if s.span == counted.launch.span), None)
    if stated is None or not stated.grid or counted.launch.span is None:
        return ""
    words = text[counted.launch.span.start : counted.launch.span.end].decode("utf-8", "replace")
    parts = re.fullmatch(r"launch\s+block\s*=\s*(.*?)\s+grid\s*=\s*(.*)", words.strip(), re.S)
    if parts is None:
        return ""
    block, grid = (_of_c(part) for part in parts.groups())
    return (
        f"inline Shape shape({_parameters(declaration, text)}) {{\n    return {{dim3({grid}), dim3({block}), 0}};\n}}\n"
    )


def _of_c(extents: str) -> str:
    """Extents of an annotation, without the parentheses around them; `ceil(a / b)` is that of integers."""
    inner = extents[1:-1] if extents.startswith("(") and _closes_at_end(extents) else extents
    return re.sub(r"\bceil\(([^()/]*)/([^()/]*)\)", r"((\1 + \2 - 1) / (\2))", inner)


def _closes_at_end(text: str) -> bool:
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def _parameters(declaration: syn.FunctionDecl, text: bytes) -> str:
    """As they are written; those of a macro are written where it stands."""
    return ", ".join(text[p.span.start : p.span.end].decode("utf-8", "replace") for p in declaration.parameters)


def _choose(found: Discussion, constants: list[str]) -> str:
    """The number of the case that holds on a device."""
    names = {name: limit.name for name, limit in found.machine.items() if isinstance(limit, ex.Symbol)}
    values = {one.name: one.value for one in found.parameters if one.name in constants}

    def spell(name: str) -> str:
        return name if name in names.values() else f"(long long)({values.get(name, name)})"

    asked = {
        "T": "device.maxThreadsPerBlock",
        "Z": "(long long)(device.sharedMemPerBlock / 4)",
        "R": "registers_of_a_thread(device)",
    }
    lines = [f"    const long long {name} = {asked[resource]};\n" for resource, name in names.items()]
    for number, leaf in enumerate(found.cases, 1):
        outcome = "no variant fits" if leaf.variant is None else found.label(leaf.variant)
        condition = " && ".join(_condition(one, spell) for one in leaf.case) or "true"
        lines.append(f"    if ({condition}) return {number if leaf.variant is not None else 0}; // {outcome}\n")
    threads = next(iter(found.counted.values())).threads
    registers = (
        "inline long long registers_of_a_thread(const cudaDeviceProp &device) {\n"
        f"    const long long threads = ({_c(threads, spell)} + 31) / 32 * 32, most = device.regsPerBlock / threads;\n"
        "    return most < 255 ? most : 255;\n}\n\n"
    )
    unused = "" if names else "    (void)device;\n"
    return (
        f"{registers if 'R' in names else ''}// The number of the case that holds there, 0 where no variant fits.\n"
        f"inline int choose(const cudaDeviceProp &device) {{\n{unused}{''.join(lines)}    return 0;\n}}\n\n"
    )


def _condition(one: Constraint, spell: Callable[[str], str]) -> str:
    counter, limit = _c(one.counter, spell), _c(one.limit, spell)
    return f"{counter} <= {limit}" if one.fits else f"{limit} < {counter}"


def _c(expression: Expression, spell: Callable[[str], str]) -> str:
    """Text of C++ with the value of a counter, which is at least 0."""

    def combine(node: Expression, parts: tuple[str, ...]) -> str:
        match node:
            case ex.Integer(value):
                return str(value)
            case ex.Symbol(name):
                return spell(name)
            case ex.Sum():
                return f"({' + '.join(parts)})"
            case ex.Product():
                return f"({' * '.join(parts)})"
            case ex.CeilDiv():
                return f"(({parts[0]} + {parts[1]} - 1) / {parts[1]})"
            case ex.FloorDiv():
                return f"({parts[0]} / {parts[1]})"
            case ex.Modulo():
                return f"({parts[0]} % {parts[1]})"
            case ex.FloorLog() | ex.Maximum() | ex.Minimum():
                raise NoHeader(f"`{ex.to_text(node)}` is no arithmetic of C++")
            case _:
                assert_never(node)

    return ex.fold(expression, combine)


def _launch(found: Discussion, variants: Mapping[Variant, int], declaration: syn.FunctionDecl, text: bytes) -> str:
    """Launches the case that holds on a device."""
    name, parameters = found.kernel.name, _parameters(declaration, text)
    names = ", ".join(p.name or "" for p in declaration.parameters)
    stated = all(_shape(found.counted[one], declaration, text) for one in variants)
    comma = ", " if parameters else ""
    head = f"inline cudaError_t launch(const cudaDeviceProp &device, cudaStream_t stream{'' if stated else ', Shape (*shape_of)(int)'}"
    cases = []
    for number, leaf in enumerate(found.cases, 1):
        if leaf.variant is not None:
            space = f"case_{variants[leaf.variant]}"
            shape = f"{space}::shape({names})" if stated else f"shape_of({number})"
            cases.append(
                f"{_guard(found, leaf.variant)}    case {number}: {{\n        const Shape shape = {shape};\n"
                f"        {space}::{name}<<<shape.grid, shape.block, shape.shared_bytes, stream>>>({names});\n        break;\n    }}\n#endif\n"
            )
    return (
        f"#ifdef __CUDACC__\n{head}{comma}{parameters}) {{\n    switch (choose(device)) {{\n{''.join(cases)}"
        "    default:\n        return cudaErrorInvalidConfiguration;\n    }\n    return cudaGetLastError();\n}\n#endif\n\n"
    )
