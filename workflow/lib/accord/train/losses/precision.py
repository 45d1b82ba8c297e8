"""What is computed in float32 whatever the precision of a training: bfloat16 has 8 binary digits, as a picture has."""

from __future__ import annotations

import torch


def exactly(given: torch.Tensor) -> torch.autocast:
    """A context in which nothing is rounded to bfloat16, on the device of a tensor."""
    return torch.autocast(given.device.type, enabled=False)
