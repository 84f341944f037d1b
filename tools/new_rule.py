"""Makes a rule with everything that belongs to it, for somebody to fill in.

    python tools/new_rule.py WC103 some-name [--root FOLDER]

It writes the rule's module (analysis_core/report/checks/some_name.py), its fixture (tests/kernels/rules/some_name.cu) and
its page (docs/rules/WC103.md), adds its line to the registry, to the README's table and to docs/levels.md, and writes
Neovim's help anew.  What exists already is refused, and nothing is written then.  The rule reports the kernel of its fixture until its author
replaces that.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.help_pages import help_files  # noqa: E402

CHECKS = "analysis_core/report/checks"
REGISTRY = f"{CHECKS}/registry.py"
README = "README.md"
LEVELS = "docs/levels.md"

MODULE = '''"""{code} {name}: TODO what is lost, in one line.

TODO when it fires, and where it stays quiet.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict

CODE = CheckId("{code}")


def find(context: Context) -> Iterator[Finding]:
    """TODO one finding per what; today: the kernel of the fixture."""
    kernel = context.kernel
    if kernel.name == "{word}_example":
        yield Finding(CODE, Verdict.FAILS, Level.INFORMATION, kernel.name_span, "TODO the loss beside the ideal")


CHECK = Check(CODE, "{name}", "TODO what is lost", Level.INFORMATION, find)
'''

EXAMPLE = """__global__ void {word}_example(float *a) {{
    //          {carets} info[{code}] "the loss"
    a[threadIdx.x] = 0.0f;
}}

void run_example(float *a) {{
    {word}_example<<<64, 256>>>(a);
}}
"""

FIXTURE = """// TODO where the rule fires.

{example}
// TODO where it stays quiet.

__global__ void {word}_quiet(float *a) {{
    //          {quiet} none[{code}]
    a[threadIdx.x] = 0.0f;
}}

void run_quiet(float *a) {{
    {word}_quiet<<<64, 256>>>(a);
}}
"""

PAGE = """# {code}: {name}

## What it says

> TODO the loss beside the ideal

TODO what is reported, and what is not.

## Why it matters

TODO what it costs, and which counter of the profiler shows it.

## Example

```cuda
{example}```

After: TODO the same without the loss, in a second example.

## How to fix

- TODO the usual way out.

## Settings

TODO what changes it. [Levels](../levels.md) lists every threshold, [settings](../settings.md) how to silence the rule.
"""


class Refused(Exception):
    """What was asked for is not made, with the reason."""


def code_of(module: Path) -> str | None:
    """The code of the rule in a module, if it is one."""
    found = re.search(r'^CODE = CheckId\("(WC\d{3})"\)', module.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else None


def codes(root: Path) -> dict[str, str]:
    """The rules that there are: module to code."""
    found = {path.stem: code_of(path) for path in sorted((root / CHECKS).glob("*.py"))}
    return {module: code for module, code in found.items() if code is not None}


def made_files(code: str, name: str) -> dict[str, str]:
    """The files that a rule has for itself."""
    word = name.replace("-", "_")
    width = {"carets": "^" * len(f"{word}_example"), "quiet": "^" * len(f"{word}_quiet")}
    names = {"code": code, "name": name, "word": word, **width}
    names["example"] = EXAMPLE.format(**names)
    return {
        f"{CHECKS}/{word}.py": MODULE.format(**names),
        f"tests/kernels/rules/{word}.cu": FIXTURE.format(**names),
        f"docs/rules/{code}.md": PAGE.format(**names),
    }


def registered(text: str, word: str, code: str, known: Mapping[str, str]) -> str:
    """The registry with the rule: imported by name, listed by code."""
    head, _, rest = text.partition("from analysis_core.report.checks import (\n")
    imports, _, rest = rest.partition(")\n")
    words = sorted({*imports.replace(",", "").split(), word})
    listed = "".join(f"    {one},\n" for one in words)
    before, start, body = rest.partition("CHECKS: tuple[Check, ...] = (\n")
    rows, end, after = body.partition(")\n")
    modules = sorted([*re.findall(r"(\w+)\.CHECK", rows), word], key=lambda one: code if one == word else known[one])
    rows = "".join(f"    {one}.CHECK,\n" for one in modules)
    return f"{head}from analysis_core.report.checks import (\n{listed})\n{before}{start}{rows}{end}{after}"


def with_row(text: str, code: str, row: str) -> str:
    """A page with a row for the rule, in the table that has a row for each: behind the last rule with a lesser code."""
    lines = text.splitlines(keepends=True)
    rows = [(n, m[1]) for n, line in enumerate(lines) if (m := re.match(r"\| \[(WC\d{3})\]\(", line))]
    at = max((n for n, other in rows if other < code), default=rows[0][0] - 1)
    return "".join([*lines[: at + 1], f"{row}\n", *lines[at + 1 :]])


def changed_files(root: Path, code: str, name: str) -> dict[str, str]:
    """The files that list all rules, with this one."""
    word = name.replace("-", "_")
    texts = {path: (root / path).read_text(encoding="utf-8") for path in (REGISTRY, README, LEVELS)}
    return {
        REGISTRY: registered(texts[REGISTRY], word, code, codes(root)),
        README: with_row(texts[README], code, f"| [{code}](docs/rules/{code}.md) | TODO what is lost |"),
        LEVELS: with_row(texts[LEVELS], code, f"| [{code}](rules/{code}.md) | never | TODO | never | below |"),
    }


def new_rule(root: Path, code: str, name: str) -> list[str]:
    """Makes the rule and returns the files that were made or changed; refuses what exists."""
    if not re.fullmatch(r"WC\d{3}", code):
        raise Refused(f"{code} is no code: WC and three digits")
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name):
        raise Refused(f"{name} is no name: words of lower-case letters, joined by hyphens")
    known = codes(root)
    if code in known.values():
        raise Refused(f"there is a rule {code}")
    made = made_files(code, name)
    for path in made:
        if (root / path).exists():
            raise Refused(f"{path} exists")
    written = {**made, **changed_files(root, code, name)}
    for path, text in written.items():
        (root / path).write_text(text, encoding="utf-8")
    help_pages = help_files(root)
    for path, text in help_pages.items():
        (root / path).write_text(text, encoding="utf-8")
    return [*written, *help_pages]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Makes a rule with its test, its page and its rows.")
    parser.add_argument("code", help="WC and three digits")
    parser.add_argument("name", help="as users write it: some-name")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree to write to")
    options = parser.parse_args(arguments)
    try:
        files = new_rule(options.root, options.code, options.name)
    except Refused as refused:
        print(f"error: {refused}", file=sys.stderr)
        return 2
    print("\n".join(files))
    print(
        "Now replace what says TODO, and run: python -m pytest -q tests/test_tidy.py tests/test_papers.py tests/test_rule_pages.py"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
