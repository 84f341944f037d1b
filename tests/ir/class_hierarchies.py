"""Random class hierarchies: members that hide others, functions that are virtual or not, constructors that call them, several bases,
and uses of an object as itself, as its bases, through references and pointers, by copies and through lambdas."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.ir.class_programs import Case

NAMES = ("f", "g", "h")
FIELDS = ("x", "y")


@dataclass
class Class:
    """A class of the program: `bases` by number, `reached`: all classes that it is derived from, each once."""

    number: int
    bases: tuple[int, ...]
    reached: tuple[int, ...]
    own_fields: tuple[str, ...] = ()
    fields: dict[str, int] = field(
        default_factory=dict
    )  # data members that names mean, by the class that declares them
    methods: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"C{self.number}"


def hierarchy(seed: int) -> Case:
    """A program with some classes and a number made of what an object of one of them says."""
    rng = Random(seed)
    classes: list[Class] = []
    for number in range(rng.randint(2, 5)):
        classes.append(_class(rng, number, classes))
    text = "\n".join(f"struct {c.name}{_bases(c)} {{ {' '.join(c.lines)} }};" for c in classes)
    uses, functions = _uses(rng, classes)
    body = " ".join(uses)
    return Case(f"hierarchy {seed}", f"{text}\n{functions}", body)


def _bases(cls: Class) -> str:
    return " : " + ", ".join(f"C{b}" for b in cls.bases) if cls.bases else ""


def _class(rng: Random, number: int, classes: list[Class]) -> Class:
    bases = _chosen_bases(rng, classes)
    reached = tuple(dict.fromkeys(r for b in bases for r in (b, *classes[b].reached)))
    cls = Class(number, bases, reached)
    for table in ("fields", "methods"):
        for name in NAMES if table == "methods" else FIELDS:
            owners = {getattr(classes[b], table)[name] for b in bases if name in getattr(classes[b], table)}
            if len(owners) == 1:
                getattr(cls, table)[name] = owners.pop()
            elif owners:
                getattr(cls, table)[name] = -1  # ambiguous
    for name in FIELDS:
        if rng.random() < 0.5 or not (bases or cls.fields):
            cls.fields[name] = number
            cls.lines.append(f"int {name} = {rng.randint(0, 9)};")
            cls.own_fields += (name,)
    for name in NAMES:
        if rng.random() < 0.6:
            cls.lines.append(_method(rng, cls, name, number))
    if rng.random() < 0.5:
        cls.lines.append(_constructor(rng, cls))
    return cls


def _chosen_bases(rng: Random, classes: list[Class]) -> tuple[int, ...]:
    if not classes or rng.random() < 0.2:
        return ()
    first = rng.choice(classes)
    apart = [c for c in classes if not {c.number, *c.reached} & {first.number, *first.reached}]
    if apart and rng.random() < 0.5:
        pair = [first.number, rng.choice(apart).number]
        rng.shuffle(pair)
        return tuple(pair)
    return (first.number,)


def _known_fields(cls: Class) -> list[str]:
    return [name for name, owner in cls.fields.items() if owner >= 0]


def _expression(rng: Random, cls: Class, calls: bool = True) -> str:
    """Something that a member function of the class may compute: smaller names are called by greater ones, so that calls end."""
    terms = [str(rng.randint(0, 9))]
    terms += [f"{rng.randint(1, 3)} * {name}" for name in _known_fields(cls) if rng.random() < 0.6]
    if calls:
        terms += [f"{name}()" for name, owner in cls.methods.items() if owner >= 0 and rng.random() < 0.5]
    return " + ".join(terms)


def _method(rng: Random, cls: Class, name: str, number: int) -> str:
    earlier = {n: o for n, o in cls.methods.items() if n < name}
    visible = Class(number, cls.bases, cls.reached, cls.own_fields, cls.fields, earlier)
    word = rng.choice(("virtual ", "virtual ", "", ""))
    const = rng.choice((" const", ""))
    if const:
        visible.methods = {}  # of which not all are const
    cls.methods[name] = number
    return f"__device__ {word}int {name}(){const} {{ return {_expression(rng, visible)}; }}"


def _constructor(rng: Random, cls: Class) -> str:
    fields = [name for name in cls.own_fields if rng.random() < 0.5]
    written = [f"{name}({rng.randint(0, 9)})" for name in fields]
    head = " : " + ", ".join(written) if written else ""
    changed = _known_fields(cls)
    body = f"{rng.choice(changed)} += {_expression(rng, cls)};" if changed else ""
    return f"__device__ {cls.name}(){head} {{ {body} }}"


# --- uses ---------------------------------------------------------------------------------------------------------


def _uses(rng: Random, classes: list[Class]) -> tuple[list[str], str]:
    statements, functions, terms = [], [], []
    for use in range(rng.randint(1, 3)):
        cls = rng.choice(classes[len(classes) // 2 :])
        seen = classes[rng.choice((cls.number, *cls.reached))]
        name = f"o{use}"
        statements.append(f"{cls.name} {name};")
        statements += [f"{name}.{f} += {rng.randint(0, 5)};" for f in _known_fields(cls) if rng.random() < 0.4]
        made, statement, expression = _way(rng, use, name, cls, seen)
        functions.append(made)
        statements.append(statement)
        terms.append(expression)
        if rng.random() < 0.5:
            terms.append(_asked(rng, name, cls))
    total = " + ".join(terms)
    return [*statements, f"int total = {total};", "int e = (total % 32 + 32) % 32 + 1;"], "\n".join(functions)


def _asked(rng: Random, what: str, cls: Class, arrow: str = ".") -> str:
    """What is asked of an object that is seen as one of the class."""
    found = [f"{what}{arrow}{f}" for f in _known_fields(cls)]
    calls = [f"{what}{arrow}{m}()" for m, owner in cls.methods.items() if owner >= 0]
    options = found + 2 * calls or ["1"]
    return " + ".join(rng.choice(options) for _ in range(rng.randint(1, 3)))


def _way(rng: Random, use: int, name: str, cls: Class, seen: Class) -> tuple[str, str, str]:
    """A function, a statement and an expression that look at the object as one of another class."""
    way = rng.randrange(8)
    function, parameter = f"u{use}", f"{seen.name} &o"
    if way == 0:
        return (
            f"__device__ int {function}({parameter}) {{ return {_asked(rng, 'o', seen)}; }}",
            "",
            f"{function}({name})",
        )
    if way == 1:
        pointed = _asked(rng, "o", seen, "->")
        return f"__device__ int {function}({seen.name} *o) {{ return {pointed}; }}", "", f"{function}(&{name})"
    if way == 2:
        return (
            f"__device__ int {function}({seen.name} o) {{ return {_asked(rng, 'o', seen)}; }}",
            "",
            f"{function}({name})",
        )
    if way == 3:
        return "", f"{seen.name} &r{use} = {name};", _asked(rng, f"r{use}", seen)
    if way == 4:
        return "", f"{seen.name} c{use} = {name};", _asked(rng, f"c{use}", seen)
    if way == 5:
        return "", f"auto l{use} = [&]() {{ {seen.name} &q = {name}; return {_asked(rng, 'q', seen)}; }};", f"l{use}()"
    if way == 6:
        back = f"static_cast<{cls.name} &>(o)"
        return (
            f"__device__ int {function}({parameter}) {{ return {_asked(rng, back, cls)}; }}",
            "",
            f"{function}({name})",
        )
    calls = [m for m, owner in seen.methods.items() if owner == seen.number]
    return "", "", f"{name}.{seen.name}::{rng.choice(calls)}()" if calls else _asked(rng, name, cls)
