"""Vision encoders of networks that read pictures and text: each looks once at a picture that is asked several times."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def seen_once(net: Any, pictures: Sequence[int]) -> Iterator[None]:
    """While it lasts, the encoder is given each picture of a batch once, and its output is repeated.

    pictures: the number of the picture of each text of the batch. All must give the encoder equally many rows. An
    encoder that is told more than pixels, or can't be found, is left as it is: it looks once for each text.
    """
    encoder = net.get_encoder(modality="image")
    if encoder in (net, net.base_model) or len(set(pictures)) == len(pictures):
        yield
        return
    whole = encoder.forward

    def once(*given: Any, **more: Any) -> Any:
        pixels = given[0] if given else more.get("pixel_values")
        if _tensors([*given, *more.values()]) != 1 or pixels is None or len(pixels) % len(pictures):
            return whole(*given, **more)
        first, back = _places(pictures, len(pixels) // len(pictures))
        few = pixels[first]
        made = whole(few, *given[1:], **more) if given else whole(**{**more, "pixel_values": few})
        return _repeated(made, back, len(first))

    encoder.forward = once
    try:
        yield
    finally:
        del encoder.forward


def _tensors(values: Sequence[Any]) -> int:
    import torch

    return sum(isinstance(value, torch.Tensor) for value in values)


def _places(pictures: Sequence[int], rows: int) -> tuple[list[int], list[int]]:
    """The rows of each picture where it comes first; and, for all rows, which of these is the same."""
    order = {picture: number for number, picture in enumerate(dict.fromkeys(pictures))}
    first = [pictures.index(picture) * rows + row for picture in order for row in range(rows)]
    back = [order[picture] * rows + row for picture in pictures for row in range(rows)]
    return first, back


def _repeated(made: Any, back: list[int], count: int) -> Any:
    """What an encoder made of `count` rows, with its rows at the places `back`."""
    import torch

    if isinstance(made, torch.Tensor):
        return made[back] if len(made) == count else made
    if isinstance(made, dict):
        for key, value in made.items():
            made[key] = _repeated(value, back, count)
        return made
    return type(made)(_repeated(one, back, count) for one in made) if isinstance(made, tuple | list) else made
