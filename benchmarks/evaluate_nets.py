"""DETR, Mask2Former, ViTPose and Stable Diffusion inpainting with random weights: at published sizes, or tiny.

Each is saved as the hub keeps it and loaded twice: through our adapters, and as its documentation does. Random weights
take as long as trained ones, but for the number of findings.
"""

import importlib
import inspect
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

NETS = ("detr", "mask2former", "vitpose", "inpainting")
ADAPTERS = {
    "detr": ("accord.models.adapters.transformers", "Detector"),
    "mask2former": ("accord.models.adapters.transformers_masks", "Instances"),
    "vitpose": ("accord.models.adapters.transformers_pose", "PoseEstimator"),
}
FILES = {"config": "config.json", "processor": "preprocessor_config.json", "model": "model.safetensors"}
LABELS = {0: "person", **{number: f"thing {number}" for number in range(1, 80)}}
MIN_SCORE = 0.05
PROMPT = "background, nobody, empty scene"
GUIDANCE = 14.0


class Made(NamedTuple):
    """A network: our way with a batch of pictures, and its documentation's with one; what threads make of a picture
    ahead of ours; both ways' networks of torch, where preparing is told from them."""

    ours: Callable[[Sequence[Any]], Any]
    plain: Callable[[Any], Any]
    prepare: Callable[[np.ndarray], Any] | None = None
    nets: Sequence[Any] = ()


def made(name: str, folder: Path, tiny: bool, precision: str, batch: int, steps: int) -> Made | None:
    """A network, loaded both ways; None where there is no adapter for it."""
    import torch
    import transformers

    quiet(transformers.utils.logging)
    torch.manual_seed(0)
    if name == "inpainting":
        return inpainting(folder, tiny, batch, steps)
    adapter = found(*ADAPTERS[name])
    if adapter is None:
        return None
    config, net, processor = {"detr": detr, "mask2former": mask2former, "vitpose": vitpose}[name](tiny)
    if name != "vitpose":
        config.id2label, config.label2id = LABELS, {label: number for number, label in LABELS.items()}
    net(config).save_pretrained(folder)
    processor.save_pretrained(folder)
    weights = {key: folder / file for key, file in FILES.items()}
    options = {"min_score": MIN_SCORE, "precision": precision if torch.cuda.is_available() else "float32"}
    taken = inspect.signature(adapter).parameters
    ready = adapter(weights, **{key: value for key, value in options.items() if key in taken})
    ours = {"detr": "detect", "mask2former": "parse"}.get(name)
    ask = getattr(ready, ours) if ours else lambda images: ready.estimate(images, [middle(i.shape) for i in images])
    prepare = ready.prepare if ours else lambda image: ready.prepare(image, middle(image.shape))
    plain, net = documented(name, folder)
    return Made(ask, plain, prepare, (ready._model.net, net))


def quiet(logging: Any) -> None:
    """No progress bars and advice of a library between the lines of the table."""
    logging.set_verbosity_error()
    logging.disable_progress_bar()


def found(module: str, name: str) -> type | None:
    """An adapter; None where this checkout has none of that name."""
    try:
        return getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return None


def detr(tiny: bool) -> tuple[Any, type, Any]:
    """Carion et al. 2020, ResNet-50: its configuration, class and processor."""
    import transformers as library

    if tiny:
        backbone = library.ResNetConfig(embedding_size=8, hidden_sizes=[8, 8], depths=[1, 1], out_features=["stage2"])
        heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_layers": 1, "decoder_layers": 1}
        sizes = {"d_model": 16, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "num_queries": 7, **heads}
    else:
        backbone, sizes = library.ResNetConfig(out_features=["stage4"]), {}
    config = library.DetrConfig(use_timm_backbone=False, backbone_config=backbone, backbone=None, **sizes)
    size = {"size": {"shortest_edge": 64, "longest_edge": 96}} if tiny else {}
    return config, library.DetrForObjectDetection, library.DetrImageProcessorPil(**size)


def mask2former(tiny: bool) -> tuple[Any, type, Any]:
    """Cheng et al. 2022, Swin-B, for instances."""
    import transformers as library

    stages = ["stage1", "stage2", "stage3", "stage4"]
    if tiny:
        swin = {"embed_dim": 8, "depths": [1, 1, 1, 1], "num_heads": [1, 1, 2, 2], "window_size": 2, "image_size": 64}
        sizes = {"hidden_dim": 32, "feature_size": 32, "mask_feature_size": 32, "num_attention_heads": 2}
        sizes |= {"encoder_layers": 1, "decoder_layers": 2, "num_queries": 7, "dim_feedforward": 16}
        sizes |= {"encoder_feedforward_dim": 16}
    else:
        swin = {"embed_dim": 128, "depths": [2, 2, 18, 2], "num_heads": [4, 8, 16, 32], "window_size": 12}
        sizes, swin = {}, {**swin, "image_size": 384}
    backbone = library.SwinConfig(**swin, out_features=stages)
    config = library.Mask2FormerConfig(backbone_config=backbone, backbone=None, use_timm_backbone=False, **sizes)
    size = {"size": {"shortest_edge": 64, "longest_edge": 96}} if tiny else {}
    processor = library.Mask2FormerImageProcessorPil(**size, ignore_index=255)
    return config, library.Mask2FormerForUniversalSegmentation, processor


def vitpose(tiny: bool) -> tuple[Any, type, Any]:
    """Xu et al. 2022, ViTPose-B: 256 x 192 px, the classic decoder."""
    import transformers as library

    small = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2} if tiny else {}
    backbone = library.VitPoseBackboneConfig(**small, out_indices=[2 if tiny else 12])
    config = library.VitPoseConfig(backbone_config=backbone, num_labels=17, use_simple_decoder=False)
    return config, library.VitPoseForPoseEstimation, library.VitPoseImageProcessorPil()


def documented(name: str, folder: Path) -> tuple[Callable[[Any], Any], Any]:
    """One picture (of PIL) after the other, as transformers' model pages show it; and the network."""
    import torch
    from transformers import AutoImageProcessor

    family = {"detr": detr, "mask2former": mask2former, "vitpose": vitpose}[name](True)[1]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    processor, net = AutoImageProcessor.from_pretrained(folder), family.from_pretrained(folder).eval().to(device)

    def ask(image) -> Any:
        x0, y0, x1, y1 = middle((image.height, image.width))
        boxes = {"boxes": [[[x0, y0, x1 - x0, y1 - y0]]]} if name == "vitpose" else {}
        inputs = processor(images=image, return_tensors="pt", **boxes).to(device)
        with torch.no_grad():
            outputs = net(**inputs)
        sizes = {"target_sizes": [(image.height, image.width)]}
        if name == "vitpose":
            return processor.post_process_pose_estimation(outputs, **boxes)
        if name == "detr":
            return processor.post_process_object_detection(outputs, threshold=MIN_SCORE, **sizes)
        return processor.post_process_instance_segmentation(outputs, threshold=MIN_SCORE, **sizes)

    return ask, net


def middle(shape: tuple[int, ...]) -> np.ndarray:
    """x0, y0, x1, y1 of a box around the middle of a picture of (height, width, ...)."""
    height, width = shape[:2]
    return np.array([0.2 * width, 0.1 * height, 0.8 * width, 0.95 * height])


def inpainting(folder: Path, tiny: bool, batch: int, steps: int) -> Made:
    """Rombach et al. 2022, the inpainting checkpoint of Stable Diffusion 1.5: a hole in the middle of each picture."""
    import diffusers
    import torch
    from diffusers import DDIMScheduler, StableDiffusionInpaintPipeline

    from accord.privacy.painting import painters

    quiet(diffusers.utils.logging)
    pipeline(folder, tiny).save_pretrained(folder / "checkpoint")
    painter = painters.load(str(folder / "checkpoint"), batch)
    request = painters.Request(PROMPT, "people", GUIDANCE, 1, steps)
    half = {"torch_dtype": torch.float16} if torch.cuda.is_available() else {}
    plain = StableDiffusionInpaintPipeline.from_pretrained(folder / "checkpoint", safety_checker=None, **half)
    plain.to("cuda" if half else "cpu").set_progress_bar_config(disable=True)
    plain.scheduler = DDIMScheduler.from_config(plain.scheduler.config)

    def ours(images: Sequence[np.ndarray]) -> Any:
        crops = [cut(image, painter.side) for image in images]
        return painter.paint_all([painters.Job(crop, hole(painter.side), request) for crop in crops])

    def one(image) -> Any:
        from PIL import Image

        crop, mask = Image.fromarray(cut(np.asarray(image), painter.side)), Image.fromarray(hole(painter.side))
        side = {"height": painter.side, "width": painter.side, "num_inference_steps": steps, "guidance_scale": GUIDANCE}
        return plain(prompt=PROMPT, negative_prompt="people", image=crop, mask_image=mask, **side).images

    return Made(ours, one)


def cut(image: np.ndarray, side: int) -> np.ndarray:
    """A square of the middle of a picture."""
    top, left = (image.shape[0] - side) // 2, (image.shape[1] - side) // 2
    return np.ascontiguousarray(image[max(top, 0) :, max(left, 0) :][:side, :side])


def hole(side: int) -> np.ndarray:
    """(side, side) bool: the middle quarter."""
    made = np.zeros((side, side), dtype=bool)
    made[side // 4 : -side // 4, side // 4 : -side // 4] = True
    return made


def pipeline(folder: Path, tiny: bool) -> Any:
    """The pipeline with random weights; its tokenizer knows letters alone, and pads to CLIP's 77 tokens."""
    from diffusers import AutoencoderKL, DDIMScheduler, StableDiffusionInpaintPipeline, UNet2DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel

    widths, depth = ((8, 16), 1) if tiny else ((320, 640, 1280, 1280), 2)
    deep = len(widths) - 1
    downs = ("CrossAttnDownBlock2D",) * deep + ("DownBlock2D",)
    ups = ("UpBlock2D",) + ("CrossAttnUpBlock2D",) * deep
    text = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    text = text if tiny else {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12}
    unet = UNet2DConditionModel(
        sample_size=16 if tiny else 64,
        in_channels=9,
        out_channels=4,
        block_out_channels=widths,
        down_block_types=downs,
        up_block_types=ups,
        layers_per_block=depth,
        norm_num_groups=4 if tiny else 32,
        cross_attention_dim=text["hidden_size"],
        attention_head_dim=4 if tiny else 8,
    )
    channels = (8, 16) if tiny else (128, 256, 512, 512)
    sides = {"down_block_types": ("DownEncoderBlock2D",) * len(channels)}
    sides |= {"up_block_types": ("UpDecoderBlock2D",) * len(channels), "latent_channels": 4}
    vae = AutoencoderKL(block_out_channels=channels, layers_per_block=depth, norm_num_groups=4 if tiny else 32, **sides)
    tokens = tokenizer(folder)
    ends = {"bos_token_id": len(tokens) - 2, "eos_token_id": len(tokens) - 1, "pad_token_id": len(tokens) - 1}
    return StableDiffusionInpaintPipeline(
        vae=vae,
        unet=unet,
        text_encoder=CLIPTextModel(CLIPTextConfig(vocab_size=len(tokens), **text, **ends)),
        tokenizer=tokens,
        scheduler=DDIMScheduler(clip_sample=False, steps_offset=1),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )


def tokenizer(folder: Path) -> Any:
    """CLIP's tokenizer with letters for a vocabulary."""
    from transformers import CLIPTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    letters = [*"abcdefghijklmnopqrstuvwxyz", ","]
    words = [*letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    (folder / "vocab.json").write_text(json.dumps({word: number for number, word in enumerate(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return CLIPTokenizer.from_pretrained(folder, model_max_length=77)
