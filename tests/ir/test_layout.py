"""Layouts against g++: sizes, alignments and member offsets of records of every kind."""

from __future__ import annotations

from pathlib import Path

from analysis_core.ir.nodes import AddressOf, Const, Expr, Kernel, Load, PtrAdd, Store
from analysis_core.ir.walk import statements
from tests.ir import gpp
from tests.ir.lowering import kernel

RECORDS = """
struct Plain { char c; double d; short s; int i; char e; };
struct Nested { char c; Plain p; Plain a[3]; char t; };
struct Bits { unsigned a : 3; unsigned b : 5; unsigned c : 25; int d : 7; char e : 3; char f : 6; };
struct Zero { char a : 3; int : 0; char b : 2; unsigned long long w : 40; unsigned x : 20; };
union Either { char c[9]; double d; short s; };
struct Holder { char c; Either e; union { float f; char g[3]; }; struct { short s, t; }; };
struct Base { int a; char c; };
struct Derived : Base { char x; double d; };
struct Made { Made() {} int a; char c; };
struct Tail : Made { char x; short y; };
struct Empty {};
struct FromEmpty : Empty { int a; };
struct HasEmpty { Empty e; int a; };
struct Two : Base, Made { char z; };
struct __attribute__((packed)) Packed { char c; int i; double d; short s; };
struct alignas(16) Aligned { float x, y, z; };
struct Inside { char c; Aligned a; int after; };
struct Member { char c; alignas(8) char d; int i; };
struct Pointers { char c; int *p; char d; float (*q)[3]; void (*f)(int); };
struct Multi { short m[3][5]; char c[2][2][3]; long l; };
struct Bools { bool a; long b; bool c[3]; unsigned char d; wchar_t w; long double *e; };
enum Small : short { S1 };
enum Big { B1 = -1, B2 = 70000 };
struct Enums { char c; Small s; Big b; };
template <typename T, int N> struct Tile { T v[N]; char last; };
struct Tiles { Tile<double, 3> d; Tile<char, 5> c; Tile<short, 2> s; };
"""

MEMBERS = {
    "Plain": ["c", "d", "s", "i", "e"],
    "Nested": ["c", "p.d", "a[2].i", "t"],
    "Holder": ["c", "e.s", "f", "g", "s", "t"],
    "Derived": ["a", "c", "x", "d"],
    "Tail": ["a", "c", "x", "y"],
    "FromEmpty": ["a"],
    "HasEmpty": ["a"],
    "Two": ["z"],
    "Packed": ["c", "i", "d", "s"],
    "Aligned": ["z"],
    "Inside": ["a.y", "after"],
    "Member": ["d", "i"],
    "Pointers": ["p", "d", "q", "f"],
    "Multi": ["m[2][4]", "c[1][1][2]", "l"],
    "Bools": ["b", "c[2]", "d", "w", "e"],
    "Enums": ["s", "b"],
    "Tiles": ["d.last", "c.last", "s.v[1]", "s.last"],
}
SIZES = [*MEMBERS, "Bits", "Zero", "Either", "Base", "Made", "Empty"]
ALIGNED = ["Plain", "Packed", "Aligned", "Inside", "Either", "Empty", "Tiles"]


def stored_constants(found: Kernel) -> list[int]:
    values = [stmt.values[0] for stmt in statements(found.body) if isinstance(stmt, Store)]
    assert all(isinstance(value, Const) for value in values)
    return [int(value.value) for value in values if isinstance(value, Const)]


def test_sizes_are_those_of_the_compiler(tmp_path: Path) -> None:
    questions = [f"sizeof({name})" for name in SIZES] + [f"alignof({name})" for name in ALIGNED]
    body = "\n".join(f"o[{i}] = {q};" for i, q in enumerate(questions))
    ours = stored_constants(kernel(f"{RECORDS}\n__global__ void k(long long *o) {{ {body} }}"))
    assert dict(zip(questions, ours)) == dict(zip(questions, gpp.integers(RECORDS, questions, tmp_path)))


def address_offset(address: Expr) -> int:
    """Bytes of a constant address beyond its base."""
    total = 0
    while isinstance(address, PtrAdd):
        assert isinstance(address.index, Const)
        assert isinstance(address.scale, Const)
        total += int(address.index.value) * int(address.scale.value) + address.offset
        address = address.pointer
    return total


def test_members_lie_where_the_compiler_puts_them(tmp_path: Path) -> None:
    places = [(record, member) for record, members in MEMBERS.items() for member in members]
    scalars = [(r, m) for r, m in places if (r, m) not in {("Holder", "g")}]
    parameters = ", ".join(f"{record} *p{record}" for record in MEMBERS)
    body = "\n".join(f"p{record}->{member} = p{record}->{member};" for record, member in scalars)
    found = kernel(f"{RECORDS}\n__global__ void k({parameters}) {{ {body} }}")
    loads = [stmt for stmt in statements(found.body) if isinstance(stmt, Load)]
    ours = [address_offset(stmt.address) for stmt in loads]
    questions = [f"(char *)&q{record}.{member} - (char *)&q{record}" for record, member in scalars]
    prelude = RECORDS + "".join(f"{record} q{record};" for record in MEMBERS)
    theirs = gpp.integers(prelude, questions, tmp_path)
    assert dict(zip(scalars, ours, strict=True)) == dict(zip(scalars, theirs))


def test_bit_fields_occupy_the_bits_the_compiler_gives_them(tmp_path: Path) -> None:
    """All ones in one field of a zeroed record: the bytes that g++ writes are the mask and shift that we use."""
    fields = [("Bits", f) for f in "abcdef"] + [("Zero", f) for f in "abwx"]
    body = "\n".join(f"p{record}->{field} = -1;" for record, field in fields)
    found = kernel(f"{RECORDS}\n__global__ void k(Bits *pBits, Zero *pZero) {{ {body} }}")
    stores = [stmt for stmt in statements(found.body) if isinstance(stmt, Store)]
    ours = []
    for stmt in stores:
        start, width = bits_of(stmt.values[0])
        ours.append(8 * address_offset(stmt.address) + start)
        ours.append(width)
    lines = ["template <typename T> long lowest(T v) { const unsigned char *b = (const unsigned char *)&v;",
             "for (long i = 0; i < 8 * (long)sizeof v; i++) if (b[i / 8] >> i % 8 & 1) return i; return -1; }",
             "template <typename T> long ones(T v) { const unsigned char *b = (const unsigned char *)&v; long n = 0;",
             "for (long i = 0; i < 8 * (long)sizeof v; i++) n += b[i / 8] >> i % 8 & 1; return n; }"]  # fmt: skip
    lines += [f"{r} v_{r}_{f}() {{ {r} v = {{}}; v.{f} = -1; return v; }}" for r, f in fields]
    questions = [q for r, f in fields for q in (f"lowest(v_{r}_{f}())", f"ones(v_{r}_{f}())")]
    assert ours == gpp.integers(RECORDS + "\n".join(lines), questions, tmp_path)


def bits_of(value: Expr) -> tuple[int, int]:
    """Start and width of the field that a stored unit replaces: the bits that its mask of kept bits clears."""
    from analysis_core.ir.nodes import Binary
    from analysis_core.ir.walk import subexpressions

    keep = next(
        node.right
        for node in subexpressions(value)
        if isinstance(node, Binary) and node.op == "&" and isinstance(node.right, Const) and not is_field_mask(node)
    )
    assert isinstance(keep, Const)
    cleared = ~int(keep.value) & (1 << 64) - 1
    size = 8 * getattr(keep.type, "size", 8)
    cleared &= (1 << size) - 1
    start = (cleared & -cleared).bit_length() - 1
    return start, cleared.bit_count()


def is_field_mask(node: Expr) -> bool:
    """Whether an `&` limits the new value (its left side holds the constant -1) rather than the old unit."""
    from analysis_core.ir.nodes import Local
    from analysis_core.ir.walk import subexpressions

    return not any(isinstance(inner, Local) for inner in subexpressions(node))


def test_vector_types_have_the_alignment_of_the_programming_guide() -> None:
    expected = {
        "char2": 2, "char3": 1, "char4": 4, "uchar4": 4, "short2": 4, "short3": 2, "short4": 8, "int2": 8, "int3": 4,
        "int4": 16, "uint1": 4, "long2": 16, "longlong4": 16, "float2": 8, "float3": 4, "float4": 16, "double1": 8,
        "double2": 16, "double3": 8, "double4": 16, "half2": 4, "dim3": 4, "uint3": 4,
    }  # fmt: skip
    body = "\n".join(f"o[{i}] = alignof({name}); o[{i}] = sizeof({name});" for i, name in enumerate(expected))
    found = stored_constants(kernel(f"__global__ void k(int *o) {{ {body} }}"))
    assert dict(zip(expected, found[::2])) == expected
    sizes = dict(zip(expected, found[1::2]))
    assert [sizes[n] for n in ("char3", "float3", "double4", "long2", "half2", "dim3")] == [3, 12, 32, 16, 4, 12]


def test_the_address_of_an_object_is_its_first_member() -> None:
    found = kernel("struct S { int a, b; }; __global__ void k() { __shared__ S s[2]; s[0].a = 1; s[1].b = 2; }")
    stores = [stmt for stmt in statements(found.body) if isinstance(stmt, Store)]
    assert [address_offset(stmt.address) for stmt in stores] == [0, 12]
    assert isinstance(stores[0].address, PtrAdd)
    assert isinstance(stores[0].address.pointer, AddressOf)
