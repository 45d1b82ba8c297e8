"""The text encoder of the embedded model for prediction: to the last bit what transformers' CLIPTextModel says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import embedding

from accord.privacy.painting.layers import Attention, Layers

TOKENS = 24
ATTENTION = Attention("q_proj", "k_proj", "v_proj", "out_proj")
STEEP = 1.702
"""Of the sigmoid that stands for that of GELU."""


class PromptEncoder:
    """Prompts -> (B, TOKENS, width) float; longer prompts are cut, and unknown words are one word.

    vocabulary: a file of the package tokenizers.
    """

    def __init__(self, vocabulary: Path, tensors: Mapping[str, Tensor]) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.enable_truncation(TOKENS)
        self._tokenizer.enable_padding(length=TOKENS, pad_id=self._tokenizer.token_to_id("<pad>"), pad_token="<pad>")
        self._of = Layers(tensors)

    def __call__(self, prompts: Sequence[str]) -> Tensor:
        numbers = torch.tensor([one.ids for one in self._tokenizer.encode_batch(list(prompts))])
        of = self._of
        words, places = (of.own(f"embeddings.{name}_embedding")[0] for name in ("token", "position"))
        tokens = embedding(numbers, words) + places
        for layer in of.numbered("encoder.layers", "layer_norm1"):
            normal = of.normal(f"{layer}.layer_norm1", tokens)
            tokens = tokens + of.attended(ATTENTION.of(f"{layer}.self_attn"), normal, normal, is_causal=True)
            inner = of.linear(f"{layer}.mlp.fc1", of.normal(f"{layer}.layer_norm2", tokens))
            tokens = tokens + of.linear(f"{layer}.mlp.fc2", inner * torch.sigmoid(STEEP * inner))
        return of.normal("final_layer_norm", tokens)
