"""What a host is asked: one file, as it is at this moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from analysis_core.support.files import Files
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to analyse a file. `units`: files that include it, to be read in its place (syntax/units.py).
    `last_good`: its text when it was last read without problems. `interrupts`: by which the work is given up. `begin`
    is told the name and fingerprint of each kernel before anything long is done with it, `alive` that the next step of that comes;
    `avoided`: fingerprints of kernels to leave out, since they ended a process before, and how. `strict`: errors of ours are raised. `early`: some
    kernels of the file were never shown, so a part of them is better than none."""

    path: str
    files: Files
    settings: Settings
    last_good: bytes | None = None
    interrupts: Interrupts = field(default_factory=Interrupts)
    begin: Callable[[str, bytes], None] = lambda name, key: None
    avoided: Mapping[bytes, str] = field(default_factory=dict)
    strict: bool = False
    units: tuple[str, ...] = ()
    early: bool = False
    alive: Callable[[], None] = lambda: None

    def pause(self) -> None:
        """Ends the work here if it was asked to end; nothing is half done at this place. Raises `Cancelled`."""
        with self.interrupts.pure():
            pass
