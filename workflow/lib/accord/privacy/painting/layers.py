"""Layers of the embedded model's networks, by the names that diffusers and transformers give their tensors."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, takewhile
from typing import NamedTuple

from torch import Tensor
from torch.nn.functional import conv2d, group_norm, layer_norm, linear, scaled_dot_product_attention

GROUPS, HEADS = 8, 4
EPSILON = 1e-5


class Attention(NamedTuple):
    """The names of its layers."""

    queries: str
    keys: str
    values: str
    output: str

    def of(self, part: str) -> Attention:
        """Those of a part of a network."""
        return Attention(*(f"{part}.{name}" for name in self))


class Layers:
    """Layers by the names of their tensors in a checkpoint of diffusers or transformers."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self._tensors = tensors

    def has(self, name: str) -> bool:
        return f"{name}.weight" in self._tensors

    def own(self, name: str) -> tuple[Tensor, Tensor | None]:
        """Weight and bias."""
        return self._tensors[f"{name}.weight"], self._tensors.get(f"{name}.bias")

    def linear(self, name: str, values: Tensor) -> Tensor:
        return linear(values, *self.own(name))

    def convolved(self, name: str, maps: Tensor, stride: int = 1) -> Tensor:
        weight, bias = self.own(name)
        return conv2d(maps, weight, bias, stride, weight.shape[-1] // 2)

    def normal(self, name: str, values: Tensor) -> Tensor:
        """The values of each token, normalised."""
        return layer_norm(values, values.shape[-1:], *self.own(name), EPSILON)

    def grouped(self, name: str, maps: Tensor, epsilon: float = EPSILON) -> Tensor:
        """The maps normalised, GROUPS of them."""
        return group_norm(maps, GROUPS, *self.own(name), epsilon)

    def numbered(self, name: str, part: str) -> list[str]:
        """`name`.0, `name`.1, ..., those whose `part` there is."""
        return list(takewhile(lambda one: self.has(f"{one}.{part}"), (f"{name}.{number}" for number in count())))

    def attended(self, names: Attention, asking: Tensor, asked: Tensor, is_causal: bool = False) -> Tensor:
        """(B, n, width) of n tokens that look at others, (B, m, any width); is_causal: at none that come after them."""
        queries, keys, values = (
            self.linear(name, tokens).unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for name, tokens in ((names.queries, asking), (names.keys, asked), (names.values, asked))
        )
        seen = scaled_dot_product_attention(queries, keys, values, is_causal=is_causal)
        return self.linear(names.output, seen.transpose(1, 2).flatten(2))
