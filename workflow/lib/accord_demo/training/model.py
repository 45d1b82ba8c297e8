"""The embedded inpainting model as it learns: networks, tokenizer and schedule of diffusers and transformers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from accord.privacy.painting.diffusion import GRID, PATCH
from accord.privacy.painting.layers import GROUPS, HEADS
from accord.privacy.painting.prompt_encoder import TOKENS

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Learner:
    """The parts of the model, as diffusers and transformers make and save them."""

    unet: Any
    text_encoder: Any
    tokenizer: Any
    scheduler: Any


def build(words: list[str], channels: tuple[int, ...] = (48, 96, 144), width: int = 64) -> Learner:
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
        norm_num_groups=GROUPS,
        cross_attention_dim=width,
        attention_head_dim=HEADS,
    )
    text = CLIPTextConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=1,
        num_attention_heads=HEADS,
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
    return Learner(unet, CLIPTextModel(text), tokenizer, scheduler)


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


def encode_text(model: Learner, prompts: list[str]) -> Tensor:
    """Prompts as float (B, TOKENS, width); longer prompts are cut."""
    ids = model.tokenizer(
        prompts, padding="max_length", truncation=True, max_length=TOKENS, return_tensors="pt"
    ).input_ids
    return model.text_encoder(ids).last_hidden_state


def save(model: Learner, folder: Path) -> None:
    """Write the parts as half-precision safetensors in diffusers' layout."""
    import torch

    model.unet.to(torch.float16).save_pretrained(folder / "unet", safe_serialization=True)
    model.text_encoder.to(torch.float16).save_pretrained(folder / "text_encoder", safe_serialization=True)
    model.tokenizer.save_pretrained(folder / "tokenizer")
    model.scheduler.save_pretrained(folder / "scheduler")


def load(folder: Path) -> Learner:
    """Read the parts from a folder, offline, into single precision, to go on learning."""
    import torch
    from diffusers import DDIMScheduler, UNet2DConditionModel
    from transformers import CLIPTextModel, PreTrainedTokenizerFast

    options: dict[str, Any] = {"local_files_only": True, "torch_dtype": torch.float32, "low_cpu_mem_usage": False}
    return Learner(
        cast(Any, UNet2DConditionModel.from_pretrained(folder / "unet", **options)).eval(),
        CLIPTextModel.from_pretrained(folder / "text_encoder", local_files_only=True, dtype=torch.float32).eval(),
        PreTrainedTokenizerFast.from_pretrained(folder / "tokenizer", local_files_only=True),
        DDIMScheduler.from_pretrained(folder / "scheduler", local_files_only=True),
    )
