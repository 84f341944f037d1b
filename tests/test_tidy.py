"""The rules of the house as assertions: a boundary that no test defends erodes.

What holds for the whole repository is checked here from the text of the files: who may import whom, what stays
out of the analysis, how long things may get, that every module says what it is for, and that every rule has its
page and its fixture.  Exceptions are data with a reason, at the top, and an exception that is no longer needed
fails too.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "analysis_core"
SERVER = ROOT / "lsp_server"

# Data flows to the right: a folder imports only folders to its left, in functions and for types as well.  A package's own modules
# are its door, and come after its folders; a command of several modules stands on those of `cli`.  `isolation` and `main` are modules on top: what starts processes, and what starts
# commands and the server, which comes before it.
ORDER = (
    *("isolation", "text", "support", "machine"),
    *("syntax/lex", "syntax/read", "syntax/edit", "syntax"),
    *("expressions", "ir", "lower", "program/host", "program", "domains"),
    *("interp/core", "interp/resume", "interp/loops", "interp"),
    *("simulate", "races", "claims"),
    *("requests", "bounds", "lp", "contracts", "traffic", "profile/idioms", "profile"),
    *("report/findings", "report/checks", "report/fixes", "report"),
    *("pipeline", "advice", "case_discussion", "incremental", "workspace", "changes"),
    *("rewrite/core", "rewrite/actions", "rewrite"),
    *("cli/statistics", "cli", "cli/diff", "cli/refactor", "api", "main", "__main__"),
)

# Packages whose folders import each other, with the reason: they have one place in the order.
TOGETHER = {
    "lower": "one recursive descent: a type may hold an expression, an expression a lambda, and that statements",
}

FOLDER_FILES = 50

# The second oracle shares nothing with the abstract interpreter beyond the IR and the tables of the hardware.
SIMULATE_MAY = {"simulate", "text", "support", "machine", "ir"}

# The server speaks about reports, never about how they were found.
SERVER_MAY_NOT = {
    *(
        "syntax",
        "ir",
        "lower",
        "program",
        "domains",
        "interp",
        "bounds",
        "lp",
        "traffic",
        "machine",
        "simulate",
        "main",
    ),
}

# Modules of the server that may name protocol types: building and reading values is for from_lsp and to_lsp alone.
LSPROTOCOL = {
    "lsp_server/from_lsp.py": "reads protocol values",
    "lsp_server/to_lsp.py": "builds protocol values",
    "lsp_server/bind_life.py": "registers handlers by method name and parameter type, as pygls asks",
    "lsp_server/bind_documents.py": "registers handlers, too",
    "lsp_server/bind_requests.py": "registers handlers, too",
    "lsp_server/bind_completion.py": "registers handlers, too",
    "lsp_server/bind_display.py": "registers handlers, too",
    "lsp_server/state.py": "keeps the diagnostics that were told, to tell them once",
}

FILE_LINES = 500
LONG_FILES: dict[str, str] = {}

FUNCTION_LINES = 60  # without the docstring
LONG_FUNCTIONS: dict[str, str] = {}


def python_files(*folders: Path) -> list[Path]:
    """Every Python file below `folders`, in a fixed order."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and full dotted name of everything that `path` imports, wherever in the file it does so."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    package = list(path.relative_to(ROOT).with_suffix("").parts[:-1])
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join(base + ([node.module] if node.module else []))
            yield node.lineno, module
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"


def core_folder(dotted: str) -> str | None:
    """The folder of analysis_core that a dotted name lies in; a module on top ("isolation") counts as its own."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "analysis_core" else None


def folder_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def place_of(parts: Sequence[str]) -> int:
    """Where in the order a module lies: the nearest folder around it that has a place there (or the module on top itself)."""
    return max(
        (
            ORDER.index("/".join(parts[:length]))
            for length in range(len(parts), 0, -1)
            if "/".join(parts[:length]) in ORDER
        ),
        key=lambda place: ORDER[place].count("/"),
    )


def core_parts(path: Path) -> tuple[str, ...]:
    return path.relative_to(CORE).with_suffix("").parts


def is_package_init(path: Path) -> bool:
    return path.name == "__init__.py" and path.parent == CORE


def may_import(path: Path, dotted: str) -> bool:
    """Whether a module may import `analysis_core.<dotted>`."""
    if folder_of(path) == "simulate":
        return dotted.split(".")[0] in SIMULATE_MAY
    return place_of(dotted.split(".")) <= place_of(core_parts(path))


def imported_of_core(path: Path) -> Iterator[tuple[int, str]]:
    """What a module imports of the core, as "folder.module" where it names one: `from a.b import c` counts once."""
    found = {(line, dotted.removeprefix("analysis_core.")) for line, dotted in imports(path) if core_folder(dotted)}
    for line, dotted in sorted(found):
        if not any(other != dotted and at == line and other.startswith(f"{dotted}.") for at, other in found):
            yield line, dotted


def test_a_folder_imports_only_what_lies_before_it() -> None:
    wrong = []
    for path in python_files(CORE):
        if is_package_init(path):
            continue
        for line, dotted in imported_of_core(path):
            if not may_import(path, dotted):
                wrong.append(f"{name_of(path)}:{line} imports {dotted}")
    assert not wrong, "\n".join(wrong)


def folders_of_modules(*tops: Path) -> list[Path]:
    return sorted({path.parent for path in python_files(*tops)})


def test_every_folder_has_its_place() -> None:
    """In the order, and in the table at the top of the map, which says what it is for."""
    text = (CORE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = {path.relative_to(CORE).as_posix() for path in folders_of_modules(CORE)} - {"."}
    lost = {name for name in folders - {*ORDER} if name.split("/")[0] not in TOGETHER}
    assert not lost, f"no place in the order for {sorted(lost)}"
    untold = {name for name in folders if f"| `{name}/` |" not in text}
    assert not untold, f"no line in ARCHITECTURE.md for {sorted(untold)}"
    gone = {name for name in ORDER if not (CORE / name).is_dir() and not (CORE / f"{name}.py").is_file()}
    assert not gone, f"nothing lies at {sorted(gone)}"


def test_no_folder_is_too_full_to_be_looked_through() -> None:
    counts = {name_of(folder): len(list(folder.glob("*.py"))) for folder in folders_of_modules(CORE, SERVER)}
    full = {name: count for name, count in counts.items() if count > FOLDER_FILES}
    assert not full, f"over {FOLDER_FILES} files: {full}"


def test_the_analysis_knows_no_protocol_and_no_event_loop() -> None:
    banned = {"lsprotocol", "pygls", "asyncio", "cattrs"}
    wrong = [
        f"{name_of(path)}:{line} imports {dotted}"
        for path in python_files(CORE)
        for line, dotted in imports(path)
        if dotted.split(".")[0] in banned
    ]
    assert not wrong, "\n".join(wrong)


def test_only_what_starts_it_reaches_for_the_server() -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {dotted}"
        for path in python_files(CORE)
        for line, dotted in imports(path)
        if dotted.split(".")[0] == "lsp_server" and folder_of(path) != "main"
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_workspace_and_the_command_line_do_input_and_output() -> None:
    """Files come in through the `Files` protocol; sockets, processes and the disk stay outside."""
    banned = {"socket", "subprocess", "shutil", "tempfile", "http", "urllib", "pathlib"}
    calls = {"open", "print", "input"}
    wrong = []
    for path in python_files(CORE):
        if folder_of(path) in {"workspace", "cli", "main", "__main__"}:
            continue
        wrong += [f"{name_of(path)}:{line} imports {d}" for line, d in imports(path) if d.split(".")[0] in banned]
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
                wrong.append(f"{name_of(path)}:{node.lineno} calls {node.func.id}")
    assert not wrong, "\n".join(wrong)


def test_the_server_prints_nothing() -> None:
    """Its standard output is the protocol."""
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in python_files(SERVER)
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not wrong, "\n".join(wrong)


def test_protocol_values_are_made_and_read_in_two_modules() -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {dotted}"
        for path in python_files(SERVER)
        if name_of(path) not in LSPROTOCOL
        for line, dotted in imports(path)
        if dotted.split(".")[0] == "lsprotocol"
    ]
    assert not wrong, "\n".join(wrong)


def test_the_server_speaks_of_reports_only() -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {dotted}"
        for path in python_files(SERVER)
        for line, dotted in imports(path)
        if core_folder(dotted) in SERVER_MAY_NOT
    ]
    assert not wrong, "\n".join(wrong)


def test_every_module_says_what_it_is_for() -> None:
    files = python_files(CORE, SERVER, ROOT / "tests", ROOT / "tools")
    wrong = [name_of(p) for p in files if p.read_text(encoding="utf-8").strip() and not ast.get_docstring(parse(p))]
    assert not wrong, "\n".join(wrong)


def test_files_stay_short() -> None:
    lengths = {name_of(p): len(p.read_text(encoding="utf-8").splitlines()) for p in python_files(CORE, SERVER)}
    long = {name for name, length in lengths.items() if length > FILE_LINES}
    assert long <= set(LONG_FILES), f"over {FILE_LINES} lines: {sorted(long - set(LONG_FILES))}"
    assert set(LONG_FILES) <= long, f"no longer an exception: {sorted(set(LONG_FILES) - long)}"


def function_length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, the docstring left out."""
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


def test_functions_stay_short() -> None:
    long = {
        f"{name_of(path)}:{node.name}"
        for path in python_files(CORE, SERVER)
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and function_length(node) > FUNCTION_LINES
    }
    assert long <= set(LONG_FUNCTIONS), f"over {FUNCTION_LINES} lines: {sorted(long - set(LONG_FUNCTIONS))}"
    assert set(LONG_FUNCTIONS) <= long, f"no longer an exception: {sorted(set(LONG_FUNCTIONS) - long)}"


MUTABLE_MAKERS = {"list", "dict", "set", "defaultdict", "deque", "Counter", "OrderedDict", "bytearray", "count"}
WRITERS = {"append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem", "remove", "discard", "clear"}


def is_mutable(value: ast.expr | None) -> bool:
    """Whether the expression makes something that can be changed later."""
    match value:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in MUTABLE_MAKERS
        case _:
            return False


def is_table(name: str, value: ast.expr | None) -> bool:
    """A constant's name and something in it: a table to read from.  What starts empty is there to be filled."""
    match value:
        case ast.List(elts=[]) | ast.Set(elts=[]) | ast.Dict(keys=[]) | ast.Call(args=[], keywords=[]):
            return False
        case _:
            return name == name.upper() or name == "__all__"


def mutable_globals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Names at the top of a module that are not tables, and places where a table is written to."""
    tables = set()
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if is_mutable(value):
                tables.add(name)
                if not is_table(name, value):
                    yield node.lineno, name
            case _:
                continue
    for inner in ast.walk(tree):
        match inner:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name in tables:
                yield inner.lineno, f"{name}[...] is written"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if name in tables:
                if method in WRITERS:
                    yield inner.lineno, f"{name}.{method}"
            case _:
                continue


def test_modules_hold_no_mutable_state() -> None:
    """Nothing is remembered between calls: what a module holds is a constant or a table that nobody writes to."""
    wrong = []
    for path in python_files(CORE, SERVER):
        tree = parse(path)
        wrong += [f"{name_of(path)}:{line} {name}" for line, name in mutable_globals(tree)]
        for node in ast.walk(tree):
            if isinstance(node, ast.Global):
                wrong.append(f"{name_of(path)}:{node.lineno} global {', '.join(node.names)}")
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    if re.search(r"\b(lru_cache|cache)\b", ast.unparse(decorator)):
                        wrong.append(f"{name_of(path)}:{decorator.lineno} a cache hidden in a module")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("TABLE = {1: 2}", 0),
        ("cache = {}", 1),
        ("CACHE = {}", 1),
        ("CACHE: dict[int, int] = dict()", 1),
        ("seen = set()", 1),
        ("TABLE = {1: 2}\ndef f():\n    TABLE[3] = 4", 1),
        ("NAMES = ['a']\ndef f():\n    NAMES.append('b')", 1),
        ("PAIRS = ((1, 2),)", 0),
    ],
)
def test_the_rule_about_state_tells_tables_from_caches(source: str, count: int) -> None:
    assert len(list(mutable_globals(ast.parse(source)))) == count


def swallows(handler: ast.ExceptHandler) -> bool:
    """A handler of everything that neither raises again nor reports: the error is lost."""
    caught = ast.unparse(handler.type) if handler.type else ""
    if handler.type is not None and caught not in {"Exception", "BaseException"}:
        return False
    return handler.type is None or all(isinstance(s, ast.Pass | ast.Continue) for s in handler.body)


def test_no_error_is_swallowed() -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in python_files(CORE, SERVER, ROOT / "tests")
        for node in ast.walk(parse(path))
        if isinstance(node, ast.ExceptHandler) and swallows(node)
    ]
    assert not wrong, "\n".join(wrong)


def committed_texts() -> Iterator[tuple[str, str]]:
    """Every text file of the project, as (name, text)."""
    tops = ["analysis_core", "lsp_server", "editor_clients", "tests", "tools", "docs", "examples", ".ci"]
    files = [
        path
        for top in tops
        for path in sorted((ROOT / top).rglob("*"))
        if path.is_file() and not {"node_modules", "__pycache__"} & set(path.parts)
    ]
    files += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "pyproject.toml")]
    for path in files:
        if path.suffix in {".png", ".bin"} or not path.is_file():
            continue
        yield name_of(path), path.read_text(encoding="utf-8", errors="replace")


def test_nothing_depends_on_one_machine() -> None:
    """No path of a developer's machine and no address of a package registry: both come from the set-up, not from here."""
    places = [f"/{name}/" for name in ("work", "root", "opt/wheels")]
    hosts = ["py" + "pi.org", "pythonhosted" + ".org", "npm" + "js.org"]
    pattern = re.compile("|".join(re.escape(word) for word in places + hosts))
    wrong = [
        f"{name}:{text[: m.start()].count(chr(10)) + 1}"
        for name, text in committed_texts()
        for m in pattern.finditer(text)
    ]
    assert not wrong, "\n".join(wrong)


MAP_LINES = 150
WALK_STOPS = 25


def walk() -> list[tuple[Path, str]]:
    """The stops of the walk at the end of the map: files and functions, in order."""
    _, _, text = (CORE / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## An access from bytes to squiggle")
    return [(ROOT / path, name) for path, name in re.findall(r"^\d+\. `([\w/]+\.py): ([\w.]+)`", text, re.MULTILINE)]


def defines(path: Path, name: str) -> bool:
    """Whether a file defines a function, or a class its method."""
    nodes: list[ast.stmt] = parse(path).body
    for part in name.split("."):
        found = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == part]
        if not found:
            return False
        nodes = found[0].body
    return True


def test_the_map_fits_and_its_walk_leads_through_functions_that_exist() -> None:
    lines = (CORE / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAP_LINES
    assert 20 <= len(walk()) <= WALK_STOPS
    lost = [f"{name_of(path)}: {name}" for path, name in walk() if not path.is_file() or not defines(path, name)]
    assert not lost, f"ARCHITECTURE.md's walk names what there is not: {lost}"


def pages() -> list[Path]:
    """The pages of the project: what is written in Markdown."""
    tops = ["analysis_core", "docs", "editor_clients", "tests"]
    found = [p for top in tops for p in (ROOT / top).rglob("*.md") if "node_modules" not in p.parts]
    return sorted([*found, *ROOT.glob("*.md")])


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s#]+)", page.read_text(encoding="utf-8"))
    lost = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert not lost, lost


def rule_codes() -> list[str]:
    """The codes that checks are registered under: one file of report/checks says its code as `"WCnnn"`."""
    folder = CORE / "report" / "checks"
    return sorted(
        {code for path in python_files(folder) for code in re.findall(r'"(WC\d{3})"', path.read_text("utf-8"))}
    )


ABOUT_SETTINGS = {"WC903": "its example is TOML, run by tests/cli/test_settings_file.py"}


@pytest.mark.parametrize("code", rule_codes())
def test_every_rule_has_its_page(code: str) -> None:
    pages = [path for path in (ROOT / "docs" / "rules").glob("*.md") if code.lower() in path.stem.lower()]
    assert len(pages) == 1, f"{code} has {len(pages)} pages in docs/rules"
    language = "```toml" if code in ABOUT_SETTINGS else "```cuda"
    assert language in pages[0].read_text(encoding="utf-8"), f"the page of {code} has no example"


@pytest.mark.parametrize("code", [code for code in rule_codes() if code not in ABOUT_SETTINGS])
def test_every_rule_has_a_fixture(code: str) -> None:
    claim = re.compile(rf"\b(warn|info|hint)\[{code}\]")
    fixtures = [p for p in (ROOT / "tests" / "kernels").rglob("*.cu") if claim.search(p.read_text("utf-8", "replace"))]
    assert fixtures, f"no fixture expects {code}"


def test_records_are_made_by_our_own_decorator() -> None:
    """The library's compiles five methods per class while modules are imported (text/records.py)."""
    word = re.compile(r"^from dataclasses import .*\bdataclass\b|@dataclasses\.", re.MULTILINE)
    assert not [name_of(path) for path in python_files(CORE, SERVER) if word.search(path.read_text(encoding="utf-8"))]


def test_the_command_line_pays_only_for_what_it_uses() -> None:
    """Solvers and the server's libraries are imported where they are needed (together they cost over half a second)."""
    pytest.importorskip("analysis_core.main")
    heavy = {"pygls", "lsprotocol", "pulp", "z3", "highspy", "asyncio", "sympy", "scipy"}
    script = "import sys, analysis_core.main; print(*sorted(m.split('.')[0] for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())


def test_a_small_file_waits_for_no_module_that_it_does_not_need(tmp_path: Path) -> None:
    """Of the time of a run over one small file most is for loading modules."""
    (tmp_path / "a.cu").write_text(
        "__global__ void k(float *a, int n) { if (threadIdx.x < n) a[2 * threadIdx.x] = n; }\n"
    )
    script = """if True:
        import io, sys
        before = {*sys.modules}
        from analysis_core.main import main
        sys.stdout, out = io.StringIO(), sys.stdout
        main(["check", "--fail-on", "never", "a.cu"])
        print(*sorted({*sys.modules} - before), file=out)
        """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, env=environment
    )
    loaded = done.stdout.split()
    heavy = {"pygls", "lsprotocol", "attrs", "cattrs", "asyncio", "multiprocessing", "concurrent", "email", "zipfile"}
    heavy |= {"pycparser", "pathspec", "highspy", "z3", "scipy", "sympy"}
    assert "analysis_core.lp.kernel_bounds" in loaded and not heavy & {name.partition(".")[0] for name in loaded}
    assert not {"numpy.ma", "analysis_core.cli.render_json"} & set(loaded) and len(loaded) < 817
