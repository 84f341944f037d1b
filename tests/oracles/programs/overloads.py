"""Overloads: which of several functions of a name takes an argument."""

from __future__ import annotations

import random

from tests.oracles.programs.text import SCALARS, Writer

_ARGUMENTS = {
    "c": "char c = 1;", "uc": "unsigned char uc = 1;", "s": "short s = 1;", "i": "int i = 1;", "u": "unsigned u = 1;",
    "l": "long l = 1;", "ll": "long long ll = 1;", "ull": "unsigned long long ull = 1;", "f": "float f = 1;",
    "d": "double d = 1;", "b": "bool b = true;", "ci": "const int ci = 1;", "cf": "const float cf = 1;",
    "ip": "int iv = 1; int *ip = &iv;", "cip": "int iw = 1; const int *cip = &iw;", "fp": "float fv = 1; float *fp = &fv;",
    "arr": "int arr[3] = {};", "carr": "const char carr[2] = {};", "ipp": "int ix = 1; int *iy = &ix; int **ipp = &iy;",
    "a": "A a{};", "ca": "const A ca{};", "bb": "B bb{};", "dd": "D dd{};", "cdd": "const D cdd{};", "dp": "D dq{}; D *dp = &dq;",
    "cdp": "D dr{}; const D *cdp = &dr;", "e": "E e = e1;", "g": "G g = g1;", "h": "H h = H::h1;", "cv": "Cv cv{};",
    "w": "W w(1);", "ri": "int rj = 1; int &ri = rj;", "pa": "P<int> pa{};", "pf": "P<float> pf{};", "pp": "P<P<int>> pp{};",
    "cpa": "const P<int> cpa{};",
}  # fmt: skip

_RVALUES = ("1", "1u", "1l", "1ll", "1ull", "1.0", "1.0f", "'a'", "true", "nullptr", "A{}", "D{}", "P<int>{}", "W(2)", "Cv{}",
            "e1", "H::h1", "(short)1", "(unsigned char)2", "(char)3", "make<int>()", "make<A>()", "static_cast<int &&>(i)", "+c",
            "s + s", "-b", "c ? c : s", "u * 1l", "i + f")  # fmt: skip

_PARAMETERS = (*SCALARS, "int *", "const int *", "void *", "const void *", "float *", "char *", "int &", "const int &", "int &&",
               "const float &", "float &", "const double &", "A", "A &", "const A &", "A &&", "B", "B &", "const B &", "B *", "const B *", "D &",
               "const D &", "D *", "const D *", "E", "G", "H", "W", "const W &", "P<int>", "const P<int> &", "P<float>", "P<P<int>> &", "int **",
               "const int *const *", "int (&)[3]", "const char (&)[2]", "bool &", "...")  # fmt: skip

_PATTERNS = ("T", "T &", "const T &", "T &&", "T *", "const T *", "T **", "P<T>", "P<T> &", "const P<T> &", "P<P<T>>", "T (&)[N]",
             "const T (&)[N]", "P<T *>")  # fmt: skip


def write(random: random.Random) -> Writer:
    w = Writer(random)
    w.add(
        "struct A { int x; };",
        "struct B { int y; };",
        "struct D : B { int z; };",
        "enum E { e0, e1 };",
        "enum G : unsigned char { g0, g1 };",
        "enum class H : int { h0, h1 };",
        f"struct Cv {{ {'explicit ' if w.chance(0.2) else ''}FN operator {w.pick('int', 'double', 'bool', 'long')}() const {{ return 5; }} }};",
        f"struct W {{ {'explicit ' if w.chance(0.3) else ''}FN W({w.pick('int', 'double', 'long')} v) : v((int)v) {{}} int v; }};",
        "template <class T> struct P { T t; };",
        "template <class T> FN T make() { return T{}; }",
    )
    for _ in range(random.randint(2, 3)):
        feature = _members if w.chance(0.3) else _free
        w.feature = "member overloads" if feature is _members else "free overloads"
        feature(w)
    return w


def _free(w: Writer) -> None:
    name = w.name("f")
    two = w.chance(0.25)
    for parameter in _distinct(w, w.random.randint(2, 5)):
        extra = f", {_parameter(w)}" if two and parameter != "..." else ""
        w.add(f"FN int {name}({parameter}{extra}) {{ return {w.tag()}; }}")
    for pattern in w.random.sample(_PATTERNS, w.random.choice((0, 0, 1, 1, 2, 3))):
        head = "template <class T, int N>" if "[N]" in pattern else "template <class T>"
        extra = f", {_parameter(w)}" if two else ""
        result = f"return {w.tag()} + 1000 * (int)sizeof(T);" if w.chance(0.5) else f"return {w.tag()};"
        w.add(f"{head} FN int {name}({pattern}{extra}) {{ {result} }}")
    for _ in range(w.random.randint(4, 8)):
        _ask_call(w, name, two)


def _distinct(w: Writer, count: int) -> list[str]:
    chosen: dict[str, None] = {}
    for _ in range(count):
        chosen.setdefault(_parameter(w))
    return list(chosen)


def _parameter(w: Writer) -> str:
    return w.random.choice(_PARAMETERS)


def _ask_call(w: Writer, name: str, two: bool) -> None:
    arguments = [_argument(w) for _ in range(2 if two else 1)]
    w.ask(f"{_declared(arguments)}return {name}({', '.join(arguments)});")


def _argument(w: Writer) -> str:
    return w.random.choice(_RVALUES) if w.chance(0.35) else w.random.choice(list(_ARGUMENTS))


def _declared(arguments: list[str]) -> str:
    """Declarations of the variables that the arguments name, each once."""
    wanted: dict[str, None] = {}
    for argument in arguments:
        word = "".join(ch if ch.isalnum() or ch == "_" else " " for ch in argument)
        for name in word.split():
            if name in _ARGUMENTS:
                wanted.setdefault(_ARGUMENTS[name])
    return " ".join(wanted) + " " if wanted else ""


def _members(w: Writer) -> None:
    """Members overloaded on what the object is: const, lvalue or rvalue; operators; static ones."""
    owner, name = w.name("M"), w.pick("get", "operator()", "operator[]")
    kinds = w.random.sample(("", " const", " &", " const &", " &&", " const &&"), w.random.randint(1, 3))
    if any("&" in k for k in kinds):
        kinds = [k for k in kinds if "&" in k]
    parameter = w.pick("int", "const int &", "double", "long", "unsigned char")
    lines = [f"FN int {name}({parameter} v){kind} {{ return {w.tag()}; }}" for kind in kinds]
    if w.chance(0.4):
        lines.append(
            f"FN int {name}({w.pick('A', 'char *', 'const A &', 'B &')} v) const {{ return {w.tag()}; }}".replace(
                ") const", ") const &" if "&" in kinds[0] else ") const"
            )
        )
    if w.chance(0.4) and name == "get":
        lines.append(
            f"template <class T> FN int get(T *v){' const &' if '&' in kinds[0] else ' const'} {{ return {w.tag()}; }}"
        )
    w.add(f"struct {owner} {{ {' '.join(lines)} }};")
    call = {"get": ".get({})", "operator()": "({})", "operator[]": "[{}]"}[name]
    for _ in range(w.random.randint(3, 6)):
        argument = w.pick("1", "i", "c", "ci", "a", "A{}", "1.0", "ip", "bb", "dd")
        place = w.pick("m", "cm", "rm", f"{owner}{{}}", f"static_cast<{owner} &&>(m)", "(*pm)", "(*pcm)")
        setup = f"{owner} m{{}}; const {owner} cm{{}}; {owner} &rm = m; {owner} *pm = &m; const {owner} *pcm = &m; "
        w.ask(f"{setup}{_declared([argument])}return {place}{call.format(argument)};")
