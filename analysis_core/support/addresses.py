"""Where the project is published: the one place that says so.

Nothing is published yet, so the addresses are of a domain that exists for examples alone (RFC 2606).  The metadata of the package, the
links of its readme, the manifest of the VS Code extension, SARIF's `helpUri` and the `$id` of schemas are made of them.
"""

from __future__ import annotations

import posixpath
import re

from analysis_core.support.version import VERSION

REPOSITORY = "https://warpcost.example/warpcost"

PAGES = f"{REPOSITORY}/blob/v{VERSION}"
"""Below it, each file of this version as a page that people read."""

FILES = f"{REPOSITORY}/raw/v{VERSION}"
"""Below it, each file of this version as it is: pictures, schemas."""

LINKS = {
    "Homepage": REPOSITORY,
    "Documentation": f"{PAGES}/README.md",
    "Changelog": f"{PAGES}/CHANGELOG.md",
    "Issues": f"{REPOSITORY}/issues",
    "Source": REPOSITORY,
}
"""What a package index lists beside the package."""


_LINK = re.compile(
    r"(?P<code>^```.*?^```|`[^`\n]*`)|(?P<open>!?\[[^\]]*\]\()(?P<to>[^)\s]+)\)", re.MULTILINE | re.DOTALL
)


def with_addresses(markdown: str, folder: str = "") -> str:
    """A page whose links are relative to `folder` of the repository, with whole addresses, for places where the repository is not."""

    def replaced(found: re.Match[str]) -> str:
        if found["code"] is not None or "://" in found["to"] or found["to"].startswith("#"):
            return found[0]
        base = FILES if found["open"].startswith("!") else PAGES
        return f"{found['open']}{base}/{posixpath.normpath(posixpath.join(folder, found['to']))})"

    return _LINK.sub(replaced, markdown)


def is_placeholder() -> bool:
    """Whether nothing is published yet."""
    return ".example/" in f"{REPOSITORY}/"
