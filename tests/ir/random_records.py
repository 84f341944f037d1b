"""Random records of every kind that layout knows: members, bit-fields, bases, attributes, pragmas, special member functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

SCALARS = (
    "char", "bool", "short", "int", "long long", "float", "double", "long double", "wchar_t", "char16_t", "char32_t", "unsigned char",
    "unsigned", "unsigned short", "int *", "void (*)(int)", "Small", "Wide", "Plain", "Tight",
)  # fmt: skip
INTEGERS = ("char", "bool", "short", "int", "long long", "unsigned char", "unsigned", "unsigned short")
ENUMS = "enum Small : short { S1 }; enum Wide { W1 = 1ull << 40 }; enum Plain { P1 }; enum __attribute__((packed)) Tight { T1, T2 };\n"
SPECIAL = (
    "{0}();", "{0}() = default;", "explicit {0}() = default;", "{0}(const {0} &);", "{0}(const {0} &) = default; {0}() = default;",
    "{0} &operator=(const {0} &);", "{0} &operator=(const {0} &) = default;", "~{0}();", "~{0}() = default;",
    "void f();", "static int s;", "operator int() const;", "template <class T> {0}(T);", "typedef int number;",
    "{0} &operator=(int);", "{0}({0} &&);", "template <class T> {0} &operator=(T);",
)  # fmt: skip


@dataclass
class Record:
    """`text` defines it; `scalars`: its public members of scalar type by their paths."""

    name: str
    text: str
    scalars: list[str] = field(default_factory=list)
    is_union: bool = False
    by_value: bool = True  # may be a member of others
    virtual: bool = False


class Records:
    """A program of records, each of which may use those before it.  `settled`: without what compilers lay out differently."""

    def __init__(self, random: Random, count: int, settled: bool = False, prefix: str = "R") -> None:
        self.random = random
        self.settled = settled
        self.prefix = prefix
        self.made: list[Record] = []
        for i in range(count):
            self.made.append(self._record(f"{prefix}{i}"))

    def text(self) -> str:
        return ENUMS + "".join(record.text for record in self.made)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def _record(self, name: str) -> Record:
        record = Record(name, "", is_union=self.chance(0.08))
        kind = "union" if record.is_union else self.random.choice(["struct", "struct", "class"])
        attribute = self._attribute() if self.chance(0.2) else ""
        bases = [] if record.is_union else self._bases(record)
        self.hidden = kind == "class"
        lines = [] if self.chance(0.15) else [self._member(record, i) for i in range(self.random.randint(1, 5))]
        if not record.is_union:
            functions = [
                one.format(name) for one in self.random.sample(SPECIAL, self.random.choice([0, 0, 0, 1, 1, 2]))
            ]
            if self.chance(0.12):
                functions.append(self.random.choice(["virtual void g();", f"virtual ~{name}();"]))
            lines = ["public:", *self._consistent(functions), "private:" if kind == "class" else "public:", *lines]
        body = "\n  ".join(lines)
        behind = " __attribute__((packed))" if self.chance(0.06) and not self.settled else ""
        text = f"{kind} {attribute}{name}{' : ' if bases else ''}{', '.join(bases)} {{\n  {body}\n}}{behind};\n"
        if self.chance(0.2) and not (self.settled and (bases or "align" in text)):
            text = self._packed(text)
        record.text = text
        return record

    def _consistent(self, lines: list[str]) -> list[str]:
        """Without a second declaration of a special member function."""
        seen: set[str] = set()
        kept = []
        for line in lines:
            heads = {
                one.strip().removeprefix("explicit ").removeprefix("virtual ").partition(")")[0]
                for one in line.split(";")[:-1]
            }
            if not heads & seen:
                kept.append(line)
                seen |= heads
        return kept

    def _packed(self, text: str) -> str:
        n = self.random.choice([1, 2, 4, 8])
        before, after = self.random.choice(
            [
                (f"#pragma pack(push, {n})", "#pragma pack(pop)"),
                (f"#pragma pack({n})", "#pragma pack()"),
                (f"#pragma pack(push, here, {n})", "#pragma pack(pop, here)"),
                (f'_Pragma("pack(push, {n})")', '_Pragma("pack(pop)")'),
                (f"#pragma pack(push)\n#pragma pack({n})", "#pragma pack(pop)"),
            ]
        )
        return f"{before}\n{text}{after}\n"

    def _attribute(self) -> str:
        n = self.random.choice([1, 2, 4, 8, 16, 32])
        aligned = [f"alignas({n}) ", f"__attribute__((aligned({n}))) ", "alignas(double) ", "alignas(2) alignas(8) "]
        packed = ["__attribute__((packed)) ", "[[gnu::packed]] ", f"__attribute__((packed, aligned({n}))) "]
        return self.random.choice(aligned if self.settled else aligned + packed)

    def _bases(self, record: Record) -> list[str]:
        known = [r for r in self.made if not r.is_union]
        chosen = self.random.sample(known, min(len(known), self.random.choice([0, 0, 0, 1, 1, 2, 3])))
        words = []
        for base in chosen:
            virtual = self.chance(0.05) and not self.settled
            record.virtual = record.virtual or virtual or base.virtual
            words.append(("virtual " if virtual else "") + "public " + base.name)
        return words

    def _member(self, record: Record, i: int) -> str:
        name = f"{record.name.lower()}m{i}"
        if self.chance(0.08) and not record.is_union:
            self.hidden = self.chance(0.5)
            return ("private:" if self.hidden else "public:") + " " + self._member(record, i)
        roll = self.random.random()
        if roll < 0.2:
            return self._bits(name)
        if roll < 0.35 and self.made:
            return self._object(record, name)
        if roll < 0.37 and not record.is_union and not self.settled:
            return f"int &{name};"
        if roll < 0.47:
            inner = f"{self.random.choice(SCALARS[:12])} {name}a; {self.random.choice(SCALARS[:12])} {name}b;"
            if not self.hidden:
                record.scalars += [f"{name}a", f"{name}b"]
            return f"{self.random.choice(['struct', 'union'])} {{ {inner} }};"
        return self._scalar(record, name)

    def _scalar(self, record: Record, name: str) -> str:
        type = self.random.choice(SCALARS)
        before = self.random.choice(["", "", "", "", "", f"alignas({self.random.choice([16, 32])}) "])
        behind = self.random.choice(["", "", "", "", "", " __attribute__((packed))", " __attribute__((aligned(8)))"])
        extent = self.random.choice(["", "", "", "[2]", "[3]", "[0]"])
        init = " = {}" if self.chance(0.05) and not record.is_union else ""
        if not self.hidden and extent != "[0]" and "(*)" not in type:
            record.scalars.append(name + ("[1]" if extent else ""))
        if "(*)" in type:
            return f"{before}void (*{name}{extent})(int){behind};"
        return f"{before}{type} {name}{extent}{behind}{init};"

    def _bits(self, name: str) -> str:
        type = self.random.choice(INTEGERS)
        most = {"char": 8, "bool": 1, "short": 16, "int": 32, "long long": 64}.get(
            type.removeprefix("unsigned ").strip(), 32
        )
        most = {"unsigned char": 8, "unsigned short": 16}.get(type, most)
        if self.chance(0.1):
            return f"{type} : 0;"
        width = self.random.randint(1, most)
        return f"{type} : {width};" if self.chance(0.1) else f"{type} {name} : {width};"

    def _object(self, record: Record, name: str) -> str:
        other = self.random.choice(self.made)
        if record.is_union and not other.is_union:
            return f"short {name};"
        extent = "[2]" if self.chance(0.2) else ""
        overlaps = (
            "[[no_unique_address]] "
            if self.chance(0.1) and not extent and not self.settled and not record.is_union
            else ""
        )
        return f"{overlaps}{other.name} {name}{extent};"
