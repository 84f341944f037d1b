"""What the package's metadata say that is not written in pyproject.toml: its addresses, and the readme with whole links.

A package index has no file of the repository: links and pictures of README.md get the addresses of analysis_core/support/addresses.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parent


class AddressesHook(MetadataHookInterface):
    """Fills in `urls` and `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        sys.path.insert(0, str(ROOT))
        try:
            from analysis_core.support import addresses
        finally:
            sys.path.remove(str(ROOT))
        readme = addresses.with_addresses((ROOT / "README.md").read_text(encoding="utf-8"))
        metadata["urls"] = addresses.LINKS
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
