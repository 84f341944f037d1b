"""Writes what is sent to the lists of other projects, with the addresses and the version of this one filled in.

    python tools/filled_entries.py FOLDER

The templates are in packaging/: an entry for nvim-lspconfig (`lsp/warpcost.lua` there) and one for mason (`packages/warpcost/package.yaml`).
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from analysis_core.support.addresses import REPOSITORY  # noqa: E402
from analysis_core.support.version import VERSION  # noqa: E402

ENTRIES = {
    "nvim-lspconfig/warpcost.lua": "nvim-lspconfig/lsp/warpcost.lua",
    "mason/package.yaml": "mason/packages/warpcost/package.yaml",
}


def filled(template: str) -> str:
    """A template with what it leaves open."""
    for name, value in (("REPOSITORY", REPOSITORY), ("VERSION", VERSION)):
        template = template.replace(f"@{name}@", value)
    return template


def main(folder: Path) -> None:
    for source, target in ENTRIES.items():
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        (folder / target).write_text(
            filled((ROOT / "packaging" / source).read_text(encoding="utf-8")), encoding="utf-8"
        )
        print(folder / target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
