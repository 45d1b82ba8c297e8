"""What processors of transformers make of pictures, in two halves: pixels in any thread, numbers on the device.

A processor resizes, crops and pads; then it rescales, takes off a mean and divides by a deviation, which makes four
bytes of each. Asked for the first half alone it gives uint8, and is done in a third of the time.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.models.adapters.nets.torch_copies import Copies, Copy
from accord.models.protocols import Prepared

PIXELS, MASK = "pixel_values", "pixel_mask"
TOLERANCE = 1e-5
"""By how much the halves may differ from the processor's own numbers, which are about 1 in size: not at all where it
computes with NumPy, in the last digit where it does with torch."""
PROBES = ((47, 83, 3), (90, 40, 3))


class Inputs:
    """A processor of pictures before a network on a device.

    Where a trial shows that the two halves give what the processor gives, it is asked for the first alone; any other
    (OWLv2's, which resizes what it has rescaled) is asked for all. probe: what it must be told besides in the trial.
    """

    def __init__(self, processor: Any, device: str, probe: Mapping[str, Any] | None = None) -> None:
        self._processor = getattr(processor, "image_processor", processor)
        self._device, self._copies = device, Copies(device)
        self._halves = halves(self._processor, probe or {})

    def prepare(self, picture: np.ndarray, **told: Any) -> Prepared:
        """A picture as far as it can be made ready beside the network; told: what the processor is told besides."""
        given = _asked(self._processor, picture, self._halves, told)
        return Prepared({name: self._copies.begun(values) for name, values in given.items()}, picture.shape)

    def batch(self, given: Sequence[Prepared]) -> dict[str, Any]:
        """The inputs of pictures of one shape, on the device; pixels as float32."""
        made = {name: self._copies.joined([one.inputs[name] for one in given]) for name in given[0].inputs}
        if self._halves:
            made[PIXELS] = numbers(self._processor, made[PIXELS], made.get(MASK))
        return made


def shape(prepared: Prepared) -> tuple[int, ...]:
    """Of the pixels of a picture that was prepared; those of one shape can go together."""
    copy: Copy = prepared.inputs[PIXELS]
    return tuple(copy.values.shape)


def halves(processor: Any, told: Mapping[str, Any]) -> bool:
    """Whether the first half of a processor, and then `numbers`, is all that it does, by a trial on two pictures."""
    import torch

    rng = np.random.default_rng(0)
    for size in PROBES:
        picture = rng.integers(0, 256, size, dtype=np.uint8)
        whole, first = (_asked(processor, picture, half, told) for half in (False, True))
        if set(whole) != set(first) or first[PIXELS].dtype != torch.uint8 or first[PIXELS].shape != whole[PIXELS].shape:
            return False
        found = numbers(processor, first[PIXELS], first.get(MASK))
        if not torch.allclose(found, whole[PIXELS].float(), rtol=0, atol=TOLERANCE):
            return False
    return True


def numbers(processor: Any, pixels: Any, mask: Any) -> Any:
    """The second half: (n, 3, height, width) uint8, rescaled and normalised, float32; 0 where the picture doesn't
    reach, by a mask (n, height, width) or None."""
    import torch

    scale = processor.rescale_factor if getattr(processor, "do_rescale", False) else 1
    found = pixels.double().mul_(scale).float()  # as transformers' own: rounded once, to the same digits
    if getattr(processor, "do_normalize", False):
        mean, std = (torch.tensor(one, device=found.device) for one in (processor.image_mean, processor.image_std))
        found.sub_(mean.view(-1, 1, 1)).div_(std.view(-1, 1, 1))
    return found if mask is None else found.mul_(mask[:, None].to(found.dtype))


def _asked(processor: Any, picture: np.ndarray, half: bool, told: Mapping[str, Any]) -> dict[str, Any]:
    less = {"do_rescale": False, "do_normalize": False} if half else {}
    return dict(processor(images=[picture], return_tensors="pt", **less, **told))
