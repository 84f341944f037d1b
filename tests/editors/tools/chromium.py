"""Chromium of the machine's own Debian suite."""

from __future__ import annotations

from tests.editors.tools.debian import LIBRARIES, script, unpack_missing
from tests.editors.tools.places import CACHE, CHROMIUM

FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{root}/usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>{root}/font-cache</cachedir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <match target="pattern"><edit name="family" mode="append"><string>DejaVu Sans</string></edit></match>
</fontconfig>
"""


def obtain() -> None:
    """Unpacks the browser and writes the script that starts it."""
    if CHROMIUM.exists():
        return
    root = CACHE / "chromium"
    unpack_missing("chromium", root)
    libraries, fonts = root / LIBRARIES, root / "fonts.conf"
    fonts.write_text(FONTS.format(root=root))
    script(
        CHROMIUM,
        [
            f"export LD_LIBRARY_PATH='{libraries}:{libraries}/pulseaudio:{root}/usr/lib/chromium'",
            f"export FONTCONFIG_FILE='{fonts}'",
            f"exec '{root}/usr/lib/chromium/chromium' \"$@\"",
        ],
    )
