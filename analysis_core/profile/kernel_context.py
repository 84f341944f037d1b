"""What a rule looks at, one kernel under one launch, and what it weighs: parts of the kernel's work."""

from __future__ import annotations

from analysis_core.ir.nodes import Kernel
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.profile.shares import Weights
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass


@dataclass(frozen=True)  # no slots: what rules ask of it is kept with it
class Context:
    """All that a rule may look at. `at_other_blocks`: the same at other common blocks, where nothing says which it is."""

    kernel: Kernel
    profile: KernelProfile
    weights: Weights
    settings: Settings
    at_other_blocks: tuple[Context, ...] = ()

    @property
    def facts(self) -> KernelFacts:
        """What is proved of the kernel under the launch."""
        return self.profile.facts


@dataclass(frozen=True, slots=True)
class Loss:
    """Parts (0 to 1) of a kernel's work: `held` stands at a place, and `lost` of it another arrangement would save."""

    held: float
    lost: float
