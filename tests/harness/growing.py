"""Code of any size: one generator for each construct that could take more than its share of work.

`SOURCES` maps a name to a function from a size n to the text of a file. `LARGEST` holds the sizes at which each once took
seconds or never ended; `tests/bench/bench_growth.py` times them, `tests/engine/test_growth.py` counts work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Source = Callable[[int], str]

_HEAD = "int t = blockIdx.x * blockDim.x + threadIdx.x;"


def _kernel(body: str, before: str = "", parameters: str = "float *a, const float *b, int n") -> str:
    return f"{before}\n__global__ void grown({parameters}) {{\n    {_HEAD}\n{body}\n}}\n"


def _lines(n: int, line: str) -> str:
    """The line for each K from 0 to n - 1; `{K}` and `{L}` are K and K - 1."""
    return "\n".join(line.format(K=k, L=k - 1) for k in range(n))


def doubled_constants(n: int) -> str:
    """Constants each of which is twice the one before."""
    return _kernel(f"const int c0 = n;\n{_chain(n)}\na[t + c{n}] = 1.0f;")


def _chain(n: int) -> str:
    return "\n".join(f"const int c{k} = c{k - 1} + c{k - 1};" for k in range(1, n + 1))


def doubled_numbers(n: int) -> str:
    """Constants of the file each of which is the sum of the one before with itself."""
    chain = "\n".join(f"const int c{k} = c{k - 1} + c{k - 1} - {k};" for k in range(1, n + 1))
    return _kernel(f"a[t + c{n}] = 1.0f;", f"const int c0 = 3;\n{chain}")


def doubled_unknowns(n: int) -> str:
    """Constants of the file, the first of which has no value that is seen."""
    chain = "\n".join(f"const int c{k} = c{k - 1} + c{k - 1};" for k in range(1, n + 1))
    launch = f"void run(float *a, float *b) {{ grown<<<c{n}, 256>>>(a, b, c{n}); }}"
    return f"const int c0 = GONE;\n{chain}\n{_kernel(f'a[t + c{n}] = 1.0f;')}{launch}\n"


def doubled_locals(n: int) -> str:
    """Constants of the kernel, of known value."""
    chain = "\n".join(f"const int c{k} = c{k - 1} + c{k - 1} - {k};" for k in range(1, n + 1))
    return _kernel(f"const int c0 = 3;\n{chain}\na[t + c{n}] = 1.0f;")


def self_calling_lambda(n: int) -> str:
    """A generic lambda that calls itself n deep, twice each time."""
    return _kernel(
        f"""auto f = [&](auto self, int k) -> int {{ if (k <= 0) return 1; return self(self, k - 1) + self(self, k - 2); }};
a[t + f(f, {n})] = 1.0f;"""
    )


def fibonacci(n: int) -> str:
    """A class template whose constant is the sum of two instances before it."""
    before = """template <int N> struct F { static const int v = F<N - 1>::v + F<N - 2>::v; };
template <> struct F<0> { static const int v = 1; };
template <> struct F<1> { static const int v = 1; };"""
    return _kernel(f"a[t + F<{n}>::v % 7] = 1.0f;", before)


def endless_fibonacci(n: int) -> str:
    """The same without an end; n is of no use."""
    return _kernel(
        "a[t + F<9>::v] = 1.0f;", "template <int N> struct F { static const int v = F<N-1>::v + F<N-2>::v; };"
    )


def fibonacci_function(n: int) -> str:
    """A constexpr function that calls itself twice."""
    before = "__host__ __device__ constexpr int f(int k) { return k < 2 ? 1 : f(k - 1) + f(k - 2); }"
    return _kernel(f"constexpr int v = f({n}) % 7;\na[t + v] = 1.0f;", before)


def doubled_types(n: int) -> str:
    """Types each of which is a pair of the one before."""
    chain = "\n".join(f"typedef P<T{k - 1}, T{k - 1}> T{k};" for k in range(1, n + 1))
    return _kernel(
        f"a[t + size(static_cast<T{n} *>(nullptr))] = 1.0f;",
        f"""template <class A, class B> struct P {{ int v; }};
typedef int T0;\n{chain}
template <class A> __device__ int size(A *) {{ return sizeof(A); }}""",
    )


def doubled_pairs(n: int) -> str:
    """Types each of which holds two of the one before, of which a variable is made."""
    chain = "\n".join(f"typedef P<T{k - 1}, T{k - 1}> T{k};" for k in range(1, n + 1))
    return _kernel(
        f"T{n} x; a[t] = sizeof(x);", f"template <class A, class B> struct P {{ A a; B b; }};\ntypedef int T0;\n{chain}"
    )


def doubled_structs(n: int) -> str:
    """Structures each of which holds two of the one before, copied as a whole."""
    chain = "\n".join(f"struct S{k} {{ S{k - 1} a, b; }};" for k in range(1, n + 1))
    leaf = f"y{'.a' * n}.v"
    return _kernel(
        f"S{n} x; x{'.a' * n}.v = t; S{n} y = x;\na[t + {leaf}] = 1.0f;", f"struct S0 {{ int v; }};\n{chain}"
    )


def struct_arguments(n: int) -> str:
    """A structure of many structures, passed and returned."""
    chain = "\n".join(f"struct S{k} {{ S{k - 1} a, b; }};" for k in range(1, n + 1))
    return _kernel(
        f"S{n} y = id(x);\na[t + y{'.a' * n}.v] = 1.0f;",
        f"struct S0 {{ int v; }};\n{chain}\n__device__ S{n} id(S{n} x) {{ return x; }}",
        f"float *a, S{n} x",
    )


def nested_do(n: int) -> str:
    """Loops in loops, each entered once at least."""
    return _kernel("do { " * n + "a[t] += b[t];" + " } while (n > t);" * n)


def nested_do_forever(n: int) -> str:
    """Loops in loops that nothing but a `break` ends."""
    return _kernel("do { a[t]++; if (a[t] > n) break; " * n + "a[2 * t] = 1;" + " } while (1);" * n)


def nested_do_same(n: int) -> str:
    return _kernel("do { " * n + "a[t] += b[t];" + " } while (n);" * n)


def nested_twice(n: int) -> str:
    """Loops of two rounds in loops of two rounds."""
    heads = "".join(f"for (int i{k} = 0; i{k} < 2; i{k}++) " for k in range(n))
    return _kernel(f"{heads} a[t] += b[t + i0 + i{n - 1}];")


def nested_sizes(n: int) -> str:
    """Loops up to a parameter in loops up to it."""
    heads = "".join(f"for (int i{k} = 0; i{k} < n; i{k}++) " for k in range(n))
    return _kernel(f"{heads} a[t] += b[t + i0 + i{n - 1}];")


def else_ifs(n: int) -> str:
    """A chain of sides that memory chooses."""
    first = "if (b[t] > -1) { a[t] = b[t]; }"
    return _kernel(first + "\n".join(f" else if (b[t + {k}] > {k}) {{ a[t] = b[t]; }}" for k in range(1, n)))


def conjunction(n: int) -> str:
    """One condition of many terms."""
    return _kernel(f"if ({' && '.join(f'b[t + {k}] > {k}' for k in range(n))}) a[t] = 1.0f;")


def disjunction(n: int) -> str:
    return _kernel(f"if ({' || '.join(f'b[t + {k}] > {k}' for k in range(n))}) a[t] = 1.0f;")


def early_returns(n: int) -> str:
    """Threads leave one after the other, as memory says."""
    return _kernel(_lines(n, "if (b[t + {K}] == {K}) return; a[t + {K}] = 1;"))


def thread_sides(n: int) -> str:
    """Two sides, one behind the other, by the number of the thread."""
    return _kernel(_lines(n, "if (t > {K}) a[t + {K}] = 1; else a[t] = 2;"))


def thread_values(n: int) -> str:
    """A value that each of many conditions changes."""
    return _kernel("int v = 0;\n" + _lines(n, "if (t > {K}) v += {K}; else v -= n;") + "\na[t + v] = 1.0f;")


def data_values(n: int) -> str:
    return _kernel("int v = 0;\n" + _lines(n, "if (b[t] > {K}) v += {K}; else v -= n;") + "\na[t + v] = 1.0f;")


def switch_cases(n: int) -> str:
    """One switch of many cases."""
    return _kernel("switch ((int)b[t]) {\n" + _lines(n, "case {K}: a[t + {K}] = 1; break;") + "\n}")


def suppressions(n: int) -> str:
    """Comments that silence rules where nothing is said."""
    return _kernel(_lines(n, "    n += {K}; // warpcost: ignore[WC101]") + "\na[t] = n;")


def used_suppressions(n: int) -> str:
    return _kernel(_lines(n, "    a[t * {K}] = 1; // warpcost: ignore[WC101]"))


def straight_loads(n: int) -> str:
    """Loads one after the other."""
    return _kernel("float c = 0;\n" + _lines(n, "c += b[t + {K}];") + "\na[t] = c;")


def strided_loads(n: int) -> str:
    return _kernel("float c = 0;\n" + _lines(n, "c += b[t * {K}];") + "\na[t] = c;")


def launches(n: int) -> str:
    """One kernel that is launched in many places."""
    return (
        _kernel("a[t] = b[t];")
        + "void run(float *a, float *b, int n) {\n"
        + _lines(n, "grown<<<n / {K} + 1, 256>>>(a, b, n);")
        + "\n}\n"
    )


def launch_shapes(n: int) -> str:
    return (
        _kernel("a[t] = b[t];")
        + "void run(float *a, float *b, int n) {\n"
        + _lines(n, "grown<<<{K} + 1, 1 + {K} % 1024>>>(a, b, n + {K});")
        + "\n}\n"
    )


def kernels(n: int) -> str:
    """Many kernels in one file."""
    return _lines(
        n,
        "__global__ void k{K}(float *a, const float *b) {{ a[threadIdx.x] = b[threadIdx.x * {K}]; }}\n"
        "void r{K}(float *a, float *b) {{ k{K}<<<1, 256>>>(a, b); }}",
    )


def macros(n: int) -> str:
    """A macro that doubles in each level."""
    chain = "\n".join(f"#define M{k} M{k - 1} M{k - 1}" for k in range(1, n + 1))
    return f"#define M0 c += b[t];\n{chain}\n" + _kernel(f"float c = 0; M{n} a[t] = c;")


def calls(n: int) -> str:
    """Functions each of which calls the one before twice."""
    chain = "\n".join(
        f"__device__ float f{k}(const float *b) {{ return f{k - 1}(b) + f{k - 1}(b + 1); }}" for k in range(1, n + 1)
    )
    return _kernel(f"a[t] = f{n}(b + t);", f"__device__ float f0(const float *b) {{ return b[0]; }}\n{chain}")


def parentheses(n: int) -> str:
    """Expressions in expressions."""
    return _kernel(f"a[t] = {'(' * n}b[t]{' + 1)' * n};")


def operands(n: int) -> str:
    """A sum of many terms."""
    return _kernel(f"a[t + {' + '.join(f'{k} * n' for k in range(n))}] = 1.0f;")


def products(n: int) -> str:
    """A product of many sums."""
    params = "float *a, " + ", ".join(f"int n{k}" for k in range(n))
    return _kernel(f"a[t + {' * '.join(f'(n{k} + t)' for k in range(n))}] = 1.0f;", "", params)


def selections(n: int) -> str:
    """A choice in a choice."""
    return _kernel("a[t + (" + "".join(f"b[t] > {k} ? {k} : " for k in range(n)) + "0)] = 1.0f;")


def squares(n: int) -> str:
    """A variable that is squared again and again."""
    return _kernel("int v = n + t;\n" + _lines(n, "v = v * v;") + "\na[v] = 1.0f;")


def fibonacci_values(n: int) -> str:
    """Variables each of which is the sum of two before it, with conditions between."""
    return _kernel("int u = n, v = t, w;\n" + _lines(n, "w = u + v; u = v; v = w; if (v > {K}) a[v] = {K};"))


def shared_tiles(n: int) -> str:
    return _kernel(
        "__shared__ float s[256];\n"
        + _lines(n, "s[threadIdx.x] = b[t + {K}]; __syncthreads(); a[t] += s[255 - threadIdx.x]; __syncthreads();")
    )


def loops(n: int) -> str:
    """Loops one after the other."""
    return _kernel(_lines(n, "for (int k = 0; k < n; k++) a[t] += b[k * 256 + t + {K}];"))


def breaks(n: int) -> str:
    """A loop that may be left in many places."""
    return _kernel("for (int k = 0; k < n; k++) {\n" + _lines(n, "if (b[t + k] == {K}) break; a[t + {K}] = k;") + "\n}")


def continues(n: int) -> str:
    return _kernel(
        "for (int k = 0; k < n; k++) {\n" + _lines(n, "if (b[t + k] == {K}) continue; a[t + {K}] = k;") + "\n}"
    )


LINEAR: Mapping[str, tuple[Source, int]] = {
    "doubled constants": (doubled_constants, 20),
    "doubled numbers": (doubled_numbers, 25),
    "doubled unknowns": (doubled_unknowns, 20),
    "doubled locals": (doubled_locals, 25),
    "fibonacci": (fibonacci, 40),
    "fibonacci function": (fibonacci_function, 30),
    "doubled types": (doubled_types, 18),
    "doubled pairs": (doubled_pairs, 18),
    "thread sides": (thread_sides, 160),
    "data values": (data_values, 160),
    "switch cases": (switch_cases, 200),
    "suppressions": (suppressions, 4000),
    "used suppressions": (used_suppressions, 1000),
    "straight loads": (straight_loads, 20000),
    "strided loads": (strided_loads, 2000),
    "launches": (launches, 5000),
    "launch shapes": (launch_shapes, 1000),
    "kernels": (kernels, 200),
    "parentheses": (parentheses, 2000),
    "operands": (operands, 1000),
    "selections": (selections, 100),
    "fibonacci values": (fibonacci_values, 100),
    "shared tiles": (shared_tiles, 200),
    "loops": (loops, 200),
    "breaks": (breaks, 60),
    "continues": (continues, 60),
}
"""Twice the text, twice the work; the size is one at which each takes a second or two, or once did not end."""

BOUNDED: Mapping[str, tuple[Source, int]] = {
    "self-calling lambda": (self_calling_lambda, 12),
    "endless fibonacci": (endless_fibonacci, 1),
    "doubled structs": (doubled_structs, 15),
    "struct arguments": (struct_arguments, 12),
    "nested do": (nested_do, 10),
    "nested do same": (nested_do_same, 10),
    "nested do forever": (nested_do_forever, 12),
    "nested twice": (nested_twice, 12),
    "nested twice, deeper": (nested_twice, 40),
    "nested sizes": (nested_sizes, 24),
    "nested sizes, deeper": (nested_sizes, 32),
    "else ifs": (else_ifs, 150),
    "conjunction": (conjunction, 120),
    "disjunction": (disjunction, 120),
    "early returns": (early_returns, 160),
    "thread values": (thread_values, 160),
    "macros": (macros, 20),
    "calls": (calls, 16),
    "products": (products, 16),
    "squares": (squares, 20),
}
"""What multiplies ends early, with a coarser answer that says so; the size is one at which each took seconds, or never ended."""

LARGEST: Mapping[str, tuple[Source, int]] = {**LINEAR, **BOUNDED}
