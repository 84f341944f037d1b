"""`#pragma pack` reaches the records behind it, through includes, macros, names and conditionals."""

from __future__ import annotations

import pytest

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read import tree as t


def packs(text: str, **headers: str) -> dict[str, int]:
    """What each record of a file is packed to, by its name."""
    files = {"a.cu": text.encode(), **{f"{name}.h": header.encode() for name, header in headers.items()}}
    tree = parse("a.cu", MemoryFiles(files), Settings())
    return {d.name: d.pack for d in tree.declarations if isinstance(d, t.RecordDef)}


@pytest.mark.parametrize(
    ("pragmas", "bytes_"),
    [
        (["pack(1)"], 1),
        (["pack(1)", "pack()"], 0),
        (["pack(push, 2)", "pack(pop)"], 0),
        (["pack(4)", "pack(push)", "pack(1)", "pack(pop)"], 4),
        (["pack(push, a, 2)", "pack(push, b, 1)", "pack(pop, a)"], 0),
        (["pack(push, a, 2)", "pack(push, b, 1)", "pack(pop, b)"], 2),
        (["pack(2)", "pack(pop, nowhere)"], 2),
        (["pack(pop)"], 0),
        (["pack(3)"], -1),
        (["pack(push, n)", "pack(1)"], 1),
    ],
)
def test_what_holds_behind_pragmas(pragmas: list[str], bytes_: int) -> None:
    lines = "".join(f"#pragma {pragma}\n" for pragma in pragmas)
    assert packs(f"{lines}struct S {{ int a; }};") == {"S": bytes_}


def test_pragmas_of_headers_and_macros_and_conditionals() -> None:
    text = """
    #define N 2
    #define TIGHT _Pragma("pack(push, 1)")
    #include "open.h"
    class A { int a; };
    #include "close.h"
    struct B { int a; };
    TIGHT struct C : public A { int a; };
    _Pragma("pack(pop)")
    #if 0
    #pragma pack(1)
    #endif
    union D { int a; };
    #pragma pack(N)
    template <class T, int K> struct alignas(8) E { T a; };
    enum class F { G };
    struct H *made();
    """
    found = packs(text, open="#pragma pack(push, 4)\n", close="#pragma pack(pop)\n")
    assert found == {"A": 4, "B": 0, "C": 1, "D": 0, "E": 2}


def test_attributes_stand_where_they_apply() -> None:
    text = """
    struct S {
      struct { alignas(16) char inner; } first;
      int a __attribute__((aligned(8))), b, c __attribute__((packed)) = 3;
      [[no_unique_address]] int d;
      unsigned short : 3;
    private:
      int e : 2 __attribute__((packed));
    };
    """
    tree = parse("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings())
    record = tree.declarations[0]
    assert isinstance(record, t.RecordDef)
    said = {f.name: (len(f.alignments), f.packed, f.overlaps, f.private) for f in record.fields}
    plain = (0, False, False, False)
    assert said == {
        "first": plain, "a": (1, False, False, False), "b": plain, "c": (0, True, False, False),
        "d": (0, False, True, False), "": plain, "e": (0, True, False, True),
    }  # fmt: skip
