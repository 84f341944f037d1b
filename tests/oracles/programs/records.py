"""Records: members of all kinds, bit-fields, bases, virtual functions, alignments, packing."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from tests.oracles.programs.text import INTEGERS, SCALARS, Writer

_CLASS_ARRAY = re.compile(r"\bR\d+(<[^>]*>)? m\d+\[")
"""Arrays of classes as members: where those are not POD, clang packs them in a packed record, and neither g++ nor nvcc does."""


@dataclass
class _Record:
    """A finished class: what later ones may be made of."""

    name: str
    members: list[str] = field(default_factory=list)  # all names that offsetof takes, also of bases
    base: bool = True
    virtual: bool = False
    arguments: str = ""

    @property
    def spelled(self) -> str:
        return self.name + self.arguments


def write(random: random.Random) -> Writer:
    w = Writer(random, feature="layout")
    known: list[_Record] = []
    w.add("enum E { e0, e1 };", "enum class F : short { f0 };", "enum G : unsigned char { g0, g1 };")
    for _ in range(random.randint(3, 6)):
        known.append(_union(w, known) if w.chance(0.12) else _record(w, known))
    for record in known:
        w.ask(f"sizeof({record.spelled})")
        w.ask(f"alignof({record.spelled})")
        w.layouts.append((record.spelled, tuple(record.members)))
        if w.chance(0.4):
            w.ask(f"sizeof({record.spelled}[{random.randint(1, 5)}]) + 84 / sizeof({record.spelled})")
    return w


def _union(w: Writer, known: list[_Record]) -> _Record:
    record = _Record(w.name("U"), base=False)
    body = "".join(_plain(w, known, record) for _ in range(w.random.randint(1, 4)))
    w.add(f"union {_alignment(w, 0.15)}{record.name} {{ {body}}};")
    return record


def _record(w: Writer, known: list[_Record]) -> _Record:
    record = _Record(w.name("R"))
    template = w.chance(0.2)
    if template:
        record.arguments = f"<{w.scalar()}, {w.random.randint(1, 4)}>"
    virtual_base = w.chance(0.08)
    bases = _bases(w, known, record, virtual_base)
    parts = [_member(w, known, record, template) for _ in range(w.random.choice((0, 1, 2, 3, 3, 4, 5)))]
    parts += _functions(w, record)
    if w.chance(0.15):
        parts.insert(w.random.randint(0, len(parts)), w.pick("private: ", "protected: ", "public: "))
    keyword = w.pick("struct", "struct", "class")
    packed = w.chance(0.12) and not any(_CLASS_ARRAY.search(part) for part in parts)
    attribute = "__attribute__((packed)) " if packed and w.chance(0.5) else ""
    line = f"{keyword} {attribute}{_alignment(w, 0.15)}{record.name}{bases} {{ {''.join(parts)}}}"
    line += " __attribute__((packed));" if packed and not attribute else ";"
    if template:
        line = f"template <class T, int N> {line}"
    if w.chance(0.15):
        n = w.pick("1", "2", "4", "8")
        opened = w.pick(f"#pragma pack(push, {n})", f"#pragma pack(push)\n#pragma pack({n})")
        line = f"{opened}\n{line}\n#pragma pack(pop)"
    w.add(line)
    if virtual_base:
        record.members.clear()
    return record


def _bases(w: Writer, known: list[_Record], record: _Record, virtual: bool) -> str:
    possible = [r for r in known if r.base]
    if not possible or not w.chance(0.45 if not virtual else 1):
        return ""
    chosen = w.random.sample(possible, min(len(possible), w.random.choice((1, 1, 2))))
    record.virtual = any(r.virtual for r in chosen) or virtual
    for base in chosen:
        record.members += [m for m in base.members if m not in record.members]
    return " : " + ", ".join(("virtual " if virtual else "") + f"public {r.spelled}" for r in chosen)


def _functions(w: Writer, record: _Record) -> list[str]:
    """Member functions take no room, but for the first virtual one; constructors decide who reuses padding."""
    name, found = record.name, []
    if w.chance(0.12):
        record.virtual = True
        found.append(
            w.pick("virtual DF void vf() {} ", f"virtual DF ~{name}() {{}} ", f"virtual DF ~{name}() = default; ")
        )
    if w.chance(0.2):
        found.append(f"DF {name}() {w.pick('{} ', '= default; ')}")
    elif w.chance(0.1):
        found.append(f"DF {name}(const {name} &) = default; DF {name}() = default; ")
    if w.chance(0.1):
        found.append("DF int get() const { return 1; } ")
    if w.chance(0.07):
        found.append(f"DF {name} &operator=(const {name} &) {w.pick('= default; ', '{ return *this; } ')}")
    return found


def _alignment(w: Writer, share: float) -> str:
    if not w.chance(share):
        return ""
    return w.pick("alignas(16) ", "alignas(32) ", *(f"__attribute__((aligned({n}))) " for n in (4, 8, 16)))


def _member(w: Writer, known: list[_Record], record: _Record, template: bool) -> str:
    kind = w.random.random()
    name = w.name("m")
    if kind < 0.2:
        return _bit_field(w, name)
    if kind < 0.27:
        inner = w.name("m"), w.name("m")
        record.members += inner
        keyword = w.pick("struct", "union")
        return f"{keyword} {{ {w.scalar()} {inner[0]}; {w.scalar()} {inner[1]}; }}; "
    if kind < 0.31:
        return f"static {w.scalar()} {w.name('s')}; "
    if kind < 0.36:
        return (
            f"{w.pick('int &', 'double &', 'char &&')}{name}; " if w.chance(0.4) else f"using t{name} = {w.scalar()}; "
        )
    if template and kind < 0.55:
        record.members.append(name)
        return w.pick(f"T {name}; ", f"T {name}[N]; ", f"char {name}[N]; ", f"T *{name}; ", f"char {name}[sizeof(T)]; ")
    return _plain(w, known, record)


def _bit_field(w: Writer, name: str) -> str:
    if w.chance(0.12):
        return f"{w.pick(*INTEGERS)} : 0; "
    type_ = w.pick(*INTEGERS, "bool", "E", "G")
    most = {"char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "bool": 1, "E": 3, "G": 8}.get(type_, 32)
    return f"{type_} {name if w.chance(0.9) else ''} : {w.random.randint(1, most)}; "


def _plain(w: Writer, known: list[_Record], record: _Record) -> str:
    name = w.name("m")
    record.members.append(name)
    if known and w.chance(0.3):
        type_ = w.random.choice(known).spelled
    else:
        type_ = w.pick(
            *SCALARS, *SCALARS, "long double", "wchar_t", "char16_t", "E", "F", "G", "void *", "const char *"
        )
    text = f"{type_} {name}"
    if w.chance(0.2):
        text += "".join(f"[{w.random.randint(1, 4)}]" for _ in range(w.random.choice((1, 1, 2))))
    elif w.chance(0.04):
        text = f"void (*{name})(int)"
    if w.chance(0.06):
        text = f"{_alignment(w, 1) if w.chance(0.5) else 'alignas(16) '}{text}"
    if w.chance(0.06):
        text += w.pick(" __attribute__((packed))", " __attribute__((aligned(8)))", " __attribute__((aligned(2)))")
    elif type_ in SCALARS and "[" not in text and w.chance(0.08):
        text += w.pick(" = 1", "{}")
    return text + "; "
