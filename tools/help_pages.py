"""Writes Neovim's help of the rules, and the tags of all its help, from the pages in docs/rules.

    python tools/help_pages.py

`:help warpcost-WC101` and `:help warpcost-uncoalesced-access` open the page of a rule.  tests/test_rule_pages.py fails where the
help differs from the pages.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RULES = "docs/rules"
DOC = "editor_clients/neovim/doc"
HELP = f"{DOC}/warpcost-rules.txt"
TAGS = f"{DOC}/tags"

WIDTH = 78
HEAD = """*warpcost-rules.txt*  The rules of warpcost

Generated from docs/rules by tools/help_pages.py.  `:Warpcost rule` opens the
page of the finding on the present line.                       *warpcost-rules*

"""
END = """==============================================================================
Levels and settings                           *warpcost-levels* *warpcost-rule*

`warpcost rule levels` prints every threshold and what makes a finding a
warning, information or a hint; `warpcost rule settings` all settings, see also
|warpcost-settings|; `warpcost rule models` how to describe a library;
`warpcost rule assumptions` what every kernel rests on  *warpcost-assumptions*
("the standing assumptions" of cards).

 vim:tw=78:ts=8:noet:ft=help:norl:
"""
LINKS = {"settings": "|warpcost-settings|", "levels": "|warpcost-levels|"}


def help_files(root: Path = ROOT) -> dict[str, str]:
    """What is generated: the help of the rules and the tags, by path below the root."""
    text = help_text(root)
    others = {path.name: path.read_text(encoding="utf-8") for path in (root / DOC).glob("*.txt")}
    return {HELP: text, TAGS: tags_text(others | {Path(HELP).name: text})}


def help_text(root: Path) -> str:
    """The help: a table of contents, then each page."""
    pages = [path.read_text(encoding="utf-8") for path in sorted((root / RULES).glob("*.md"))]
    contents = "".join(_entry(page) for page in pages)
    return HEAD + contents + "\n" + "".join(_page(page) for page in pages) + END


def tags_text(texts: Mapping[str, str]) -> str:
    """The tags of help files, in the order in which Neovim looks for them."""
    found = {
        (tag, name) for name, text in texts.items() for tag in re.findall(r"(?:^|(?<=\s))\*([^\s*|]+)\*(?=\s)", text)
    }
    return "".join(f"{tag}\t{name}\t/*{tag}*\n" for tag, name in sorted(found))


def _title(page: str) -> tuple[str, str]:
    """ "WC101", "uncoalesced-access"."""
    code, _, name = page.partition("\n")[0].removeprefix("# ").partition(": ")
    return code, name


def _entry(page: str) -> str:
    code, name = _title(page)
    return f"  {name} ".ljust(40, ".") + f" |warpcost-{code}|\n"


def _page(page: str) -> str:
    code, name = _title(page)
    title, tags = f"{code}: {name}", f"*warpcost-{code}* *warpcost-{name}*"
    head = f"{title}{tags:>{WIDTH - len(title)}}" if len(title) + len(tags) < WIDTH else f"{title}\n{tags:>{WIDTH}}"
    body = page.partition("\n")[2].strip()
    return "\n".join(["=" * WIDTH, head, "", *_blocks(body)]) + "\n\n"


def _blocks(body: str) -> Iterator[str]:
    """Lines of help for what stands between blank lines, code as it is."""
    for part in re.split(r"(^```.*?^```$)", body, flags=re.DOTALL | re.MULTILINE):
        if part.startswith("```"):
            yield from _code(part.splitlines())
            continue
        for block in filter(None, (block.strip("\n") for block in re.split(r"\n\s*\n", part))):
            yield from _block(block)


def _block(block: str) -> Iterator[str]:
    if block.startswith("## "):
        yield from (f"{block[3:]} ~", "")
    elif block.startswith("|"):
        yield from (*_table(block.splitlines()), "")
    elif block.startswith("> "):
        quoted = " ".join(line.removeprefix("> ") for line in block.splitlines())
        yield from (*_wrapped(quoted, "    "), "")
    else:
        for item in re.split(r"\n(?=- )", block):
            yield from _wrapped(item, "", "  " if item.startswith("- ") else "")
        yield ""


def _code(lines: list[str]) -> Iterator[str]:
    language = {"cuda": "cuda", "toml": "toml", "c": "c"}.get(lines[0].removeprefix("```"), "")
    yield f">{language}"
    yield from (f"    {line}" if line else "" for line in lines[1:-1])
    yield from ("<", "")


def _table(rows: list[str]) -> Iterator[str]:
    """A row is what its first cell says, and below it, indented, the others; the heading is left out."""
    for row in rows[2:]:
        first, *rest = (cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip("|")))
        yield from _wrapped(first, "  ")
        yield from _wrapped("; ".join(rest), "      ")


def _wrapped(text: str, indent: str, hanging: str = "") -> list[str]:
    joined = " ".join(_inline(text).split())
    return textwrap.wrap(
        joined,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _inline(text: str) -> str:
    """Links as help has them, words in italics without their stars: a star is what a tag begins with."""
    text = re.sub(r"\[[^\]]+\]\((WC\d+)\.md\)", r"|warpcost-\1|", text)
    text = re.sub(r"\[([^\]]+)\]\(\.\./(\w+)\.md\)", lambda found: LINKS.get(found[2], found[1]), text)
    return re.sub(r"(?<![\w`*])\*([^*`]+)\*(?![\w*])", r"\1", text)


if __name__ == "__main__":
    for name, made in help_files().items():
        (ROOT / name).write_text(made, encoding="utf-8")
