"""Fixtures: models so small that they build in a moment, and a delivery of one image."""

import io
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from accord.checks.tables.findings import Regions
from accord.engine.table import rows
from accord.imaging import bundle
from accord.intake.tables import Attributes, Images, People, Segments

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "intake")]

from painting_cases import IMAGE, image_row, person_row  # noqa: E402

PROMPTS = Path(__file__).parents[2] / "config" / "demo-prompts.yaml"


@pytest.fixture(scope="session")
def tiny_embedded(tmp_path_factory):
    """A painter of the embedded kind with few, untrained weights."""
    import torch

    from accord.privacy.painting import painters
    from accord_demo.training import model

    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("embedded")
    model.save(model.build(["room", "street"], channels=(8, 8, 16), width=16), folder)
    return painters.EmbeddedPainter.load(folder, painters.digest(folder))


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory):
    """A folder with a real, small Stable Diffusion inpainting checkpoint."""
    import torch
    from diffusers import AutoencoderKL, PNDMScheduler, StableDiffusionInpaintPipeline, UNet2DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("stable-diffusion")
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)] + [","]
    words = [*letters, *(letter + "</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    (folder / "vocab.json").write_text(json.dumps({word: number for number, word in enumerate(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    blocks = {"block_out_channels": (8, 16), "layers_per_block": 1, "norm_num_groups": 4}
    unet = UNet2DConditionModel(
        sample_size=16,
        in_channels=9,
        out_channels=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=16,
        attention_head_dim=4,
        **blocks,
    )
    sides = {"down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2}
    vae = AutoencoderKL(latent_channels=4, sample_size=32, **sides, **blocks)
    text = CLIPTextConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        bos_token_id=len(words) - 2,
        eos_token_id=len(words) - 1,
        pad_token_id=len(words) - 1,
    )
    tokenizer = CLIPTokenizer.from_pretrained(folder, model_max_length=77)
    parts = {"vae": vae, "unet": unet, "text_encoder": CLIPTextModel(text), "tokenizer": tokenizer}
    pipeline = StableDiffusionInpaintPipeline(
        **parts,
        scheduler=PNDMScheduler(skip_prk_steps=True, steps_offset=1),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    pipeline.save_pretrained(folder / "checkpoint")
    return folder / "checkpoint"


@pytest.fixture
def picture():
    """A street-like gradient with some grain, uint8 (200, 240, 3)."""
    rng = np.random.default_rng(0)
    ramp = np.linspace(60, 200, 240)[None, :, None] + np.linspace(-30, 30, 200)[:, None, None]
    return (ramp + rng.normal(0, 3, (200, 240, 3))).clip(0, 255).astype(np.uint8)


@pytest.fixture
def shard(tmp_path, picture):
    """Tables and bundle of one image with one region and one subject; `make(...)` varies them. people: their boxes of
    face and body, x, y, width, height, or None."""

    def make(
        regions=(),
        segments=(),
        scene="12. Indoor: Home or hotel",
        orientation=1,
        media="JPEG",
        over="painted",
        data=None,
        people=(),
    ):
        exif = Image.Exif()
        exif[0x0112] = orientation
        exif[0x010E] = "the name of a person"
        buffer = io.BytesIO(data)
        if data is None:
            Image.fromarray(picture).save(buffer, media, exif=exif, quality=95)
        path = tmp_path / "images.tar"
        with bundle.BundleWriter(path) as writer:
            member = writer.add(f"{IMAGE}.{media.lower()}", buffer.getvalue())
        region_rows = [
            {"image": IMAGE, "region": f"r{n}", "kind": kind, "polygon": polygon, "annotator": "a", "segments": over}
            for n, (kind, polygon) in enumerate(regions)
        ]
        segment_rows = [
            {"image": IMAGE, "subject": "s", "segment": 0, "num": n + 1, "polygon": polygon, "annotator": "a"}
            for n, polygon in enumerate(segments)
        ]
        attribute = {"image": IMAGE, "subject": "", "attribute": "scene", "value": scene, "annotator": ""}
        return {
            "images": rows([image_row(picture, member, orientation, media)], Images),
            "attributes": rows([attribute], Attributes),
            "people": rows([person_row(IMAGE, f"s{n}", *boxes) for n, boxes in enumerate(people)], People),
            "segments": rows(segment_rows, Segments),
            "regions": rows(region_rows, Regions),
            "bundle": path,
            "prompts": PROMPTS,
        }

    return make


@pytest.fixture
def images_table(picture):
    """A table of Images with one row."""
    return lambda **changes: rows([{**image_row(picture, bundle.Member("m", 0, 1, "0" * 64)), **changes}], Images)


@pytest.fixture
def unproven(monkeypatch):
    """Painting alone, without the proof."""
    monkeypatch.setattr("accord.privacy.proof.verify.findings", lambda *_: [])


def pixels_of(path: Path, row: pd.Series) -> np.ndarray:
    """The decoded PNG of one row of Pictures."""
    return np.asarray(Image.open(io.BytesIO(bundle.read(path, row))))


class Bystander(NamedTuple):
    """A rendered person in front of a scene, and their outline."""

    pixels: np.ndarray
    mask: np.ndarray


@pytest.fixture(scope="session")
def bystander():
    """tests/privacy/bystander.png: red, green, blue, and the person as the fourth channel."""
    with Image.open(Path(__file__).parent / "bystander.png") as image:
        channels = np.asarray(image)
    return Bystander(np.ascontiguousarray(channels[..., :3]), channels[..., 3] > 0)
