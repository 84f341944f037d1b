"""What is kept between readings changes no tree, is asked for again only where its text and its names are the same, and
stays bounded."""

from __future__ import annotations

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.edit.items import ITEMS
from analysis_core.syntax.lex.preprocessor_lines import FILES, Limits, cut_once
from analysis_core.syntax.parse import parse

HEADER = b"""struct Pair { int a, b; };
template <class T> __device__ T twice(T x) { return x + x; }
__device__ int sum(Pair p) { return p.a + p.b; }
#define SIZE 16
"""
MAIN = b"""#include "h.h"
__global__ void first(int *a) { a[threadIdx.x] = twice<int>(SIZE) + sum(Pair{1, 2}); }
__global__ void second(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = (n) * 2.0f; }
"""


def agrees(store: Store, contents: dict[str, bytes], path: str = "a.cu") -> int:
    """How many items were not read again; the tree is that of a first reading."""
    files = MemoryFiles(contents)
    before = store.count(ITEMS).hits
    assert parse(path, files, Settings(), store=store) == parse(path, files, Settings())
    return store.count(ITEMS).hits - before


def test_nothing_is_read_twice() -> None:
    store = Store()
    assert agrees(store, {"a.cu": MAIN, "h.h": HEADER}) == 0
    assert agrees(store, {"a.cu": MAIN, "h.h": HEADER}) == 5


def test_another_file_reads_only_what_is_its_own() -> None:
    store = Store()
    agrees(store, {"a.cu": MAIN, "h.h": HEADER})
    # The last item of the header is followed by another one here, of which nothing but the place could count.
    assert (
        agrees(
            store,
            {"b.cu": b'#include "h.h"\n__global__ void k(Pair *p) { p[0].a = twice<int>(sum(p[0])); }', "h.h": HEADER},
            "b.cu",
        )
        == 2
    )


def test_an_edit_reads_what_lies_behind_it() -> None:
    store = Store()
    agrees(store, {"a.cu": MAIN, "h.h": HEADER})
    assert agrees(store, {"a.cu": MAIN.replace(b"2.0f", b"20.0f"), "h.h": HEADER}) == 4
    # The macro's value stands in the first kernel, and nowhere else.
    assert agrees(store, {"a.cu": MAIN.replace(b"2.0f", b"20.0f"), "h.h": HEADER.replace(b"16", b"32")}) == 4


def test_what_a_name_is_counts() -> None:
    cast = b'#include "h.h"\nint f(int n) { return (T) - n; }\nint g(int n) { return n; }\n'
    store = Store()
    assert agrees(store, {"a.cu": cast, "h.h": b"typedef int T; \n"}) == 0
    assert agrees(store, {"a.cu": cast, "h.h": b"const int T = 1;\n"}) == 1
    assert agrees(store, {"a.cu": cast, "h.h": b"const int T = 1;\n"}) == 3


def test_a_template_of_a_header_stays_known_to_what_follows() -> None:
    use = b'#include "h.h"\nint f(int n) { return twice < n > (n); }\n'
    store = Store()
    agrees(store, {"a.cu": use, "h.h": HEADER})
    assert agrees(store, {"a.cu": use, "h.h": HEADER}) == 2
    assert agrees(store, {"a.cu": use, "h.h": b"int twice;\n"}) == 0


def test_an_item_that_is_broken_is_repaired_again() -> None:
    store = Store()
    broken = MAIN.replace(b"(n) * 2.0f;", b"(n) * ;")
    agrees(store, {"a.cu": broken, "h.h": HEADER})
    assert agrees(store, {"a.cu": broken, "h.h": HEADER}) >= 4


def test_items_are_forgotten_beyond_the_limit() -> None:
    store = Store(60 / ITEMS.room)
    assert agrees(store, {"a.cu": MAIN, "h.h": HEADER}) == 0
    assert agrees(store, {"a.cu": MAIN, "h.h": HEADER}) == 0  # what comes next was the first to be forgotten
    small = b"int a;\n__device__ int b;\n"
    agrees(store, {"s.cu": small}, "s.cu")
    assert agrees(store, {"s.cu": small}, "s.cu") == 2


def test_files_are_forgotten_beyond_the_limit() -> None:
    store, limits = Store(10 / FILES.room), Limits()
    first = cut_once("a", b"int a;", limits, store)
    assert cut_once("a", b"int a;", limits, store) is first
    cut_once("b", b"int b;", limits, store)
    assert cut_once("a", b"int a;", limits, store) is not first
    big = b"int something;"
    assert cut_once("c", big, limits, store) is not cut_once("c", big, limits, store)
