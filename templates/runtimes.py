"""
The runtimes and cards that sources are emitted for, and the names that differ between them.

Source: runtime-abi, the opening paragraph and Orchestration.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class RuntimeProfile:
    """The names of a runtime version."""

    name: str
    tensor_type: str
    invalid_args: str


@dataclass(frozen=True)
class Target:
    """A card, and the launch spec's function that sets the number of blocks on it."""

    name: str
    set_blocks: str
    has_urma: bool
    """Whether a core can write to a peer through a queue of its own."""


RUNTIME_PROFILES: Mapping[str, RuntimeProfile] = {
    profile.name: profile
    for profile in (
        RuntimeProfile("2026.08", "ChipTensor", "PTO2_ERROR_INVALID_ARGS"),
        RuntimeProfile("2026.09", "Tensor", "SIMPLER_ERROR_INVALID_ARGS"),
    )
}
DEFAULT_RUNTIME = RUNTIME_PROFILES["2026.09"]

TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (Target("910b", "set_block_num", False), Target("950", "set_core_num", True))
}
DEFAULT_TARGET = TARGETS["910b"]

MAX_LAUNCH_BLOCKS = 32767
"""The launch spec holds the number of blocks as an int16; a larger one would wrap."""
