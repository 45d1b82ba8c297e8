"""Copies of tensors to a network's device, that on a GPU run beside what it computes."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Copy(NamedTuple):
    """A tensor on its way: values on the device; done: the event after which they are there, None where they are."""

    values: Any
    done: Any


class Copies:
    """Copies to one device. On a GPU they go from pinned memory by a stream of their own, so that those of the next
    pictures, begun in other threads, don't wait for the network, nor it for them."""

    def __init__(self, device: str) -> None:
        import torch

        self._stream = torch.cuda.Stream() if device == "cuda" else None

    def begun(self, values: Any) -> Copy:
        """A copy of a tensor in main memory; returns at once, from any thread."""
        import torch

        if self._stream is None:
            return Copy(values, None)
        with torch.cuda.stream(self._stream):
            there = values.pin_memory().to("cuda", non_blocking=True)
            return Copy(there, self._stream.record_event())

    def joined(self, copies: Sequence[Copy]) -> Any:
        """Copies along their first axis as one tensor, once they are there for what the device computes next."""
        import torch

        if self._stream is not None:
            now = torch.cuda.current_stream()
            for copy in copies:
                now.wait_event(copy.done)
                # Its memory is not given to another copy before the network has read it.
                copy.values.record_stream(now)
        return torch.cat([copy.values for copy in copies])
