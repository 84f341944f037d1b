"""How numbers of blocks and threads grow with sizes, read off host text: sums of products of names, with coefficients.

    (n + 255) / 256            n / 256 + 255 / 256
    dim3(w / b, (h + 3) / 4)   w h / (4 b) + 3 w / (4 b)
    blocks_for(n, 256)         what its one `return` says of its arguments

Names stand for whatever they are, through what local variables are set to once and what constants of the file say.  Quotients are exact
(but for those of two constants), so that a number is right but for what rounding does; both ways of a condition count.  What is no sum of
products, or a quotient of sums, is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from math import isfinite
from operator import add

from analysis_core.ir.launch_site import Amount
from analysis_core.ir.literals import literal
from analysis_core.program.host.host_calls import bare_name
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.records import dataclass

Product = tuple[tuple[str, int], ...]
"""Names with their exponents (negative below a quotient), in the order of names."""

Sizes = Mapping[Product, Fraction]
"""A sum of products."""

ONE: Sizes = {(): Fraction(1)}
DIMENSIONS = ("x", "y", "z")
_MOST = 12
_DEPTH = 12
_WIDEST = 64
_ROUNDING = frozenset({"ceil", "ceilf", "floor", "floorf"})


@dataclass(slots=True)
class Steps:
    """A limit: how many expressions may still be read, wherever names lead."""

    left: int = 2_000


@dataclass(frozen=True, slots=True)
class Names:
    """What names stand for. `values`: those of variables, None for variables that change; `known`: of parameters that
    were read already (None: not read); `functions`: those of one `return`; `steps`: the limit for all that is read."""

    values: Mapping[str, syn.Expr | None] = field(default_factory=dict)
    known: Mapping[str, Sizes | None] = field(default_factory=dict)
    functions: Mapping[str, syn.FunctionDecl] = field(default_factory=dict)
    steps: Steps = field(default_factory=Steps)


def returning(functions: Iterable[syn.FunctionDecl]) -> Mapping[str, syn.FunctionDecl]:
    """The functions that are one `return`, by name; of several with one name none."""
    found: dict[str, syn.FunctionDecl | None] = {}
    for function in functions:
        one = function if _returned(function) is not None else None
        found[function.name] = None if function.name in found else one
    return {name: function for name, function in found.items() if function is not None}


def _returned(function: syn.FunctionDecl) -> syn.Expr | None:
    match function.body:
        case syn.Compound(body=(syn.Return(value=value),)):
            return value
        case _:
            return None


def sizes_of(expr: syn.Expr, names: Names, depth: int = _DEPTH) -> Sizes | None:
    """The sum of products that an expression is; None where it is none that can be read."""
    expr = uncast(expr)
    names.steps.left -= 1
    if depth == 0 or names.steps.left < 0:
        return None

    def read(part: syn.Expr) -> Sizes | None:
        return sizes_of(part, names, depth - 1)

    match expr:
        case syn.Literal():
            known = literal(expr)
            number = None if known is None or not isfinite(known.value) else Fraction(known.value)
            return None if number is None else {(): number.limit_denominator()}
        case syn.Name(name=name):
            return _of_name(name, names, read)
        case syn.Member(base=syn.Name(name=base), name=name):
            return _of_member(base, name, names, read)
        case syn.Construct(args=args) | syn.InitList(items=args):
            return product_of(map(read, args))
        case syn.Conditional(then=then, otherwise=otherwise):
            return _either(read(then), read(otherwise))
        case syn.Call(callee=syn.Name() as callee, args=args):
            return _of_call(bare_name(callee), args, names, depth)
        case syn.Binary(op=op, left=left, right=right):
            return _combined(op, read(left), read(right))
        case _:
            return None


def number_of(expr: syn.Expr) -> int | None:
    """The number that a literal stands for."""
    expr = uncast(expr)
    known = literal(expr) if isinstance(expr, syn.Literal) else None
    return known.value if known is not None and isinstance(known.value, int) else None


def _either(one: Sizes | None, other: Sizes | None) -> Sizes | None:
    """One of two sums of the same products, which differ by what rounding does."""
    if one is None or other is None or one.keys() - {()} != other.keys() - {()}:
        return None
    is_same = bool(one.keys() - {()}) or one == other
    return pointwise(one, other, max) if is_same else None


def _of_name(name: str, names: Names, read: Callable[[syn.Expr], Sizes | None]) -> Sizes | None:
    if name in names.known:
        return names.known[name]
    value = names.values.get(name)
    found = None if value is None else read(value)
    is_chosen = value is not None and isinstance(
        uncast(value), syn.Conditional
    )  # Nobody knows which, but it is no size.
    return found if found is not None or is_chosen else itself(name)


def _of_member(base: str, name: str, names: Names, read: Callable[[syn.Expr], Sizes | None]) -> Sizes | None:
    """A dimension of a shape, or a member that stands for itself."""
    if (spelled := f"{base}.{name}") in names.known:
        return names.known[spelled]
    whole = None if name not in DIMENSIONS else names.values.get(base)
    part = None if whole is None else dimension(whole, DIMENSIONS.index(name))
    return itself(spelled) if part is None else read(part)


def extents_of(shape: syn.Expr, names: Names) -> tuple[Sizes | None, ...]:
    """The three dimensions of a shape; a number is its first."""
    shape = uncast(shape)
    if isinstance(shape, syn.Name) and shape.name not in names.known:
        whole = names.values.get(shape.name)
        if isinstance(whole, syn.Construct | syn.InitList):
            shape = whole
    parts = tuple(dimension(shape, n) for n in range(3))
    if None in parts:
        return sizes_of(shape, names), ONE, ONE
    return tuple(None if part is None else sizes_of(part, names) for part in parts)


def dimension(whole: syn.Expr, number: int) -> syn.Expr | None:
    """One dimension of a shape: 1 where it is left out; None where that is not to be seen."""
    match whole:
        case syn.Construct(args=args) | syn.InitList(items=args):
            one = syn.Literal(span=whole.span, kind=syn.LiteralKind.INT, text="1")
            return args[number] if number < len(args) else one
        case _:
            return None


def _of_call(name: str, args: Collection[syn.Expr], names: Names, depth: int) -> Sizes | None:
    """What a function of one `return` gives, or one that rounds."""
    handed = [sizes_of(arg, names, depth - 1) for arg in args]
    if name in _ROUNDING and len(handed) == 1:
        return handed[0]
    if name == "max" and len(handed) == 2:
        return pointwise(handed[0], handed[1], max)
    function = names.functions.get(name)
    value = None if function is None else _returned(function)
    if function is None or value is None or len(handed) != len(function.parameters):
        return None
    known = {p.name: sizes for p, sizes in zip(function.parameters, handed, strict=True) if p.name is not None}
    return sizes_of(value, replace(names, values={}, known=known), depth - 1)


def _combined(op: str, left: Sizes | None, right: Sizes | None) -> Sizes | None:
    if left is None or right is None:
        return None
    number = constant_of(right)
    match op:
        case "*":
            return product_of((left, right))
        case "/":
            return quotient(left, right)
        case "<<" | ">>" if number is not None and 0 <= number <= _WIDEST:
            power = Fraction(2) ** int(number)
            return product_of((left, {(): power if op == "<<" else 1 / power}))
        case "+":
            return pointwise(left, right, add)
        case "-":
            return pointwise(left, {p: -c if not p else c for p, c in right.items()}, add)
        case _:
            return None


def quotient(left: Sizes, right: Sizes) -> Sizes | None:
    """One sum divided by another; exact except for quotients of two integers. None where the divisor is no single
    product."""
    above, below = constant_of(left), constant_of(right)
    if below == 0 or len(right) != 1:
        return None
    if above is not None and below is not None and above.denominator == below.denominator == 1:
        return {(): Fraction(above // below)}
    ((product, number),) = right.items()
    return product_of((left, {tuple((name, -power) for name, power in product): 1 / number})) if number else None


def constant_of(sizes: Sizes) -> Fraction | None:
    """The number, where no name is in it."""
    return sizes.get((), Fraction(0)) if not any(sizes) else None


def pointwise(left: Sizes | None, right: Sizes | None, both: Callable[[Fraction, Fraction], Fraction]) -> Sizes | None:
    """Two sums combined product by product: `both` combines their coefficients. None where one is not known."""
    if left is None or right is None:
        return None
    none = Fraction(0)
    return _limited({p: both(left.get(p, none), right.get(p, none)) for p in (*left, *right)})


def product_of(factors: Iterable[Sizes | None]) -> Sizes | None:
    """The product of sums; None where one of them is not read, or there is too much of it."""
    product: Sizes | None = ONE
    for factor in factors:
        if factor is None or product is None:
            return None
        found: dict[Product, Fraction] = {}
        for one, number in product.items():
            for other, times in factor.items():
                both = _times(one, other)
                found[both] = found.get(both, Fraction(0)) + number * times
        product = _limited(found)
    return product


def _times(one: Product, other: Product) -> Product:
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _limited(sizes: Sizes) -> Sizes | None:
    return sizes if len(sizes) <= _MOST else None


def amount(sizes: Sizes) -> Amount:
    """The sum as plain data, to be hashed and packed."""
    return tuple(sorted(sizes.items()))


def itself(name: str) -> Sizes:
    """A name as a sum: the name stands for itself."""
    return {((name, 1),): Fraction(1)}


def substituted(sizes: Sizes, meant: Mapping[str, Sizes | None]) -> Sizes | None:
    """A sum in which names stand for others; None where one of them is not read, or what is divided by is a sum."""
    found: Sizes | None = {}
    for product, number in sizes.items():
        factors: list[Sizes | None] = [{(): number}]
        for name, power in product:
            base = name.partition(".")[0]
            other = meant[base] if base in meant else itself(name)
            factors += [other if power > 0 else None if other is None else quotient(ONE, other)] * abs(power)
        found = pointwise(found, product_of(factors), add)
    return found


def is_part(one: Product, other: Product) -> bool:
    """Whether one product is a proper part of another: the other has more names, and is divided by none of them (as by
    the size of a block)."""
    rest = _times(other, tuple((name, -power) for name, power in one))
    divisors = {name for name, power in one if power < 0}
    return bool(rest) and all(power > 0 and name not in divisors for name, power in rest)


USUAL = 1024
"""What a size is taken for, as in findings (`Settings.representative_size`)."""


def at_usual_sizes(sizes: Sizes) -> Fraction:
    """The value of a sum in which each size is `USUAL`."""
    return sum((number * Fraction(USUAL) ** _degree(product) for product, number in sizes.items()), Fraction(0))


def roughly(sizes: Iterable[tuple[Product, Fraction]]) -> float:
    """The same, as a number that is only compared."""
    return sum(float(number) * float(USUAL) ** _degree(product) for product, number in sizes)


def least_times(one: Sizes, other: Sizes) -> Fraction:
    """How many times larger `other` is than `one`, at least, whatever the sizes that both have. A size that only
    `other` has counts as `USUAL`. 0 where some product of `one` is no part of a product of `other`, since either may
    then be the greater. Constants are ignored beside sizes."""
    few, many = constant_of(one), constant_of(other)
    if few is not None:
        return at_usual_sizes(other) / few if few > 0 else Fraction(0)
    if many is not None:
        return Fraction(0)
    there = _growing(other)
    return min(
        (max((_times_of(p, c, q, d) for q, d in there), default=Fraction(0)) for p, c in _growing(one)),
        default=Fraction(0),
    )


def _times_of(one: Product, number: Fraction, other: Product, more: Fraction) -> Fraction:
    if one != other and not is_part(one, other):
        return Fraction(0)
    return more / number * Fraction(USUAL) ** (_degree(other) - _degree(one))


def _growing(sizes: Sizes) -> list[tuple[Product, Fraction]]:
    """The products that grow with something."""
    return [(p, number) for p, number in sizes.items() if number > 0 and any(power > 0 for _, power in p)]


def _degree(product: Product) -> int:
    return sum(power for _, power in product)


def text_of(sizes: Sizes) -> str:
    """The greatest products of the sum, for a message: "w * h / 256". Marks that tell apart variables of several
    functions are left out."""
    some = {product: number for product, number in sizes.items() if number}
    highest = max(map(_degree, some), default=0)
    parts = sorted((number, product) for product, number in some.items() if _degree(product) == highest)
    return " + ".join(_product_text(product, number) for number, product in reversed(parts)) or "0"


def _product_text(product: Product, number: Fraction) -> str:
    above = [name.partition("'")[0].partition("@")[0] for name, power in product for _ in range(power)]
    below = [name.partition("'")[0].partition("@")[0] for name, power in product for _ in range(-power)]
    if number.numerator != 1 or not above:
        above.insert(0, str(number.numerator))
    if number.denominator != 1:
        below.append(str(number.denominator))
    return " * ".join(above) + "".join(f" / {name}" for name in below)
