"""`python -m tests.editors.keep_pictures`: the pictures of the READMEs, taken from the last run of the tests."""

from __future__ import annotations

import shutil

from tests.editors.tools.places import EXTENSION, PICTURES, ROOT

KEPT = {
    "vscode/hover-access.png": EXTENSION / "media/pictures/hover-access.png",
    "vscode/quick-fix.png": EXTENSION / "media/pictures/quick-fix.png",
    "vscode/report-light.png": EXTENSION / "media/pictures/report.png",
    "vscode/install-offer.png": EXTENSION / "media/pictures/install-offer.png",
    "neovim/hover-sid.png": ROOT / "editor_clients/neovim/pictures/hover.png",
}


def main() -> None:
    """Copies them to where the READMEs look for them."""
    for name, place in KEPT.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PICTURES / name, place)


if __name__ == "__main__":
    main()
