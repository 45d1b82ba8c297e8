"""The embedded inpainting model: a small text-conditioned diffusion model in diffusers' format.

It decides what goes where, and leaves sharpness to exemplar.py: on a grid of GRID x GRID cells (PATCH x PATCH pixels of
a crop of SIDE x SIDE) it diffuses the mean colours that a membrane stretched over the hole misses,
x0 = cells(image - membrane) / SPREAD inside the hole, zero outside. The U-Net sees the noisy x0 and, rearranged into
cells, every pixel of the membrane-filled crop and of the hole.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.privacy.fitting.membrane import membrane

if TYPE_CHECKING:
    from torch import Tensor

SIDE = 128
PATCH = 4
GRID = SIDE // PATCH
SPREAD = 0.12
TOKENS = 24


@dataclass(frozen=True)
class Inpainter:
    """The parts of the model, as diffusers and transformers save them."""

    unet: Any
    text_encoder: Any
    tokenizer: Any
    scheduler: Any


def build(words: list[str], channels: tuple[int, ...] = (48, 96, 144), width: int = 64) -> Inpainter:
    """An untrained model for prompts made of `words`."""
    from diffusers import DDIMScheduler, UNet2DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel

    pixels = PATCH * PATCH
    tokenizer = word_tokenizer(words)
    deep = len(channels) - 1
    unet = UNet2DConditionModel(
        sample_size=GRID,
        in_channels=3 + 4 * pixels,
        out_channels=3,
        block_out_channels=channels,
        down_block_types=("DownBlock2D",) * deep + ("CrossAttnDownBlock2D",),
        up_block_types=("CrossAttnUpBlock2D",) + ("UpBlock2D",) * deep,
        layers_per_block=1,
        norm_num_groups=8,
        cross_attention_dim=width,
        attention_head_dim=4,
    )
    text = CLIPTextConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=1,
        num_attention_heads=4,
        max_position_embeddings=TOKENS,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    scheduler = DDIMScheduler(
        beta_schedule="squaredcos_cap_v2",
        prediction_type="sample",
        clip_sample=False,
        rescale_betas_zero_snr=True,
        timestep_spacing="trailing",
    )
    return Inpainter(unet, CLIPTextModel(text), tokenizer, scheduler)


def word_tokenizer(words: list[str]) -> Any:
    """A tokenizer that knows whole words; what it doesn't know becomes one unknown token."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    special = ["<pad>", "<unk>", "<start>", "<end>"]
    vocabulary = {word: number for number, word in enumerate(special + sorted(set(words)))}
    core = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    core.normalizer = normalizers.Lowercase()
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Punctuation("removed"), pre_tokenizers.WhitespaceSplit()]
    )
    core.post_processor = processors.TemplateProcessing(
        single="<start> $A <end>", special_tokens=[("<start>", vocabulary["<start>"]), ("<end>", vocabulary["<end>"])]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        pad_token="<pad>",
        unk_token="<unk>",
        bos_token="<start>",
        eos_token="<end>",
        model_max_length=TOKENS,
    )


def encode_text(model: Inpainter, prompts: list[str]) -> Tensor:
    """Prompts as float (B, TOKENS, width); longer prompts are cut."""
    ids = model.tokenizer(
        prompts, padding="max_length", truncation=True, max_length=TOKENS, return_tensors="pt"
    ).input_ids
    return model.text_encoder(ids).last_hidden_state


def save(model: Inpainter, folder: Path) -> None:
    """Write the parts as half-precision safetensors in diffusers' layout."""
    import torch

    model.unet.to(torch.float16).save_pretrained(folder / "unet", safe_serialization=True)
    model.text_encoder.to(torch.float16).save_pretrained(folder / "text_encoder", safe_serialization=True)
    model.tokenizer.save_pretrained(folder / "tokenizer")
    model.scheduler.save_pretrained(folder / "scheduler")


def _still(net: Any) -> Any:
    """A network that is not trained. diffusers gives no type that says what it loads."""
    return net.eval()


def load(folder: Path) -> Inpainter:
    """Read the parts from a folder, offline, into single precision."""
    import torch
    from diffusers import DDIMScheduler, UNet2DConditionModel
    from transformers import CLIPTextModel, PreTrainedTokenizerFast

    options: dict[str, Any] = {"local_files_only": True, "torch_dtype": torch.float32, "low_cpu_mem_usage": False}
    return Inpainter(
        _still(UNet2DConditionModel.from_pretrained(folder / "unet", **options)),
        CLIPTextModel.from_pretrained(folder / "text_encoder", local_files_only=True, dtype=torch.float32).eval(),
        PreTrainedTokenizerFast.from_pretrained(folder / "tokenizer", local_files_only=True),
        DDIMScheduler.from_pretrained(folder / "scheduler", local_files_only=True),
    )


def cells(values: Tensor) -> Tensor:
    """Means of PATCH x PATCH pixels: (B, C, SIDE, SIDE) -> (B, C, GRID, GRID)."""
    from torch.nn.functional import avg_pool2d

    return avg_pool2d(values, PATCH)


def condition(image: Tensor, hole: Tensor) -> tuple[Tensor, Tensor]:
    """The membrane-filled image (B, 3, SIDE, SIDE) and the channels that tell the U-Net about it.

    image: float in [-1, 1], (B, 3, SIDE, SIDE); hole: bool (B, 1, SIDE, SIDE).
    """
    from torch import cat
    from torch.nn.functional import pixel_unshuffle

    base = membrane(image, ~hole)
    return base, cat([pixel_unshuffle(base, PATCH), pixel_unshuffle(hole.to(image.dtype), PATCH)], 1)
