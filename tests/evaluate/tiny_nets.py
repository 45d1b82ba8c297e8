"""Networks of the transformers library, small ones built from configurations and saved as the hub keeps models."""

from pathlib import Path

import torch
import transformers as hf

from accord.engine import provenance

HOME = "accord.evaluate.adapters."
SMALL = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
SMALL |= {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "num_queries": 7}
TINY = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
SWIN = {"embed_dim": 8, "num_heads": [2, 2, 2, 2], "depths": [1, 1, 1, 1], "window_size": 2, "image_size": 32}
LIMITS = {"size": {"shortest_edge": 64, "longest_edge": 96}}
SQUARE = {"size": {"height": 64, "width": 64}}


def backbone(*stages: str):
    sizes = {"embedding_size": 8, "hidden_sizes": [8] * 4, "depths": [1] * 4, "out_features": list(stages)}
    return hf.ResNetConfig(**sizes, layer_type="basic")


def detr(config):
    return config(use_timm_backbone=False, backbone_config=backbone("stage2"), backbone=None, **SMALL)


def deformable():
    of = {"use_timm_backbone": False, "backbone_config": backbone("stage2", "stage3"), "backbone": None}
    of |= {"num_feature_levels": 2, "encoder_n_points": 2, "decoder_n_points": 2}
    return hf.DeformableDetrConfig(**of, **{**SMALL, "d_model": 32, "decoder_layers": 2})


def yolos():
    sizes = {"image_size": [64, 96], "num_detection_tokens": 7, "use_mid_position_embeddings": False}
    return hf.YolosConfig(**TINY, **sizes)


def rt_detr():
    seeing = hf.RTDetrResNetConfig(embedding_size=8, hidden_sizes=[8] * 4, depths=[1] * 4, layer_type="basic",
                                   out_features=["stage2", "stage3", "stage4"])  # fmt: skip
    sizes = {
        "encoder_hidden_dim": 16,
        "encoder_in_channels": [8] * 3,
        "encode_proj_layers": [2],
        "num_feature_levels": 3,
    }
    sizes |= {"decoder_in_channels": [16] * 3, "num_denoising": 0, "anchor_image_size": None, "decoder_n_points": 2}
    return hf.RTDetrConfig(backbone_config=seeing, **sizes, **{**SMALL, "num_queries": 7})


DETECTORS = {
    "detr": (lambda: detr(hf.DetrConfig), "DetrImageProcessorPil", LIMITS),
    "conditional": (lambda: detr(hf.ConditionalDetrConfig), "ConditionalDetrImageProcessorPil", LIMITS),
    "deformable": (deformable, "DeformableDetrImageProcessorPil", LIMITS),
    "rt_detr": (rt_detr, "RTDetrImageProcessorPil", SQUARE),
    "yolos": (yolos, "YolosImageProcessorPil", LIMITS),
}


def named(config, *labels: str):
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: number for number, label in enumerate(labels)}
    return config


def entry(folder: Path, adapter: str, task: str, **options) -> dict:
    """The entry of what was saved in a folder: all of its files."""
    names = {"config.json": "config", "model.safetensors": "model"}
    files = {names.get(path.name, path.stem): path for path in sorted(folder.iterdir())}
    files = {key: {"path": path.name, "sha256": provenance.sha256(path)} for key, path in files.items()}
    of = {"name": "small", "task": task, "adapter": HOME + adapter, "batch": 2}
    return {**of, "weights": files, "options": options}


def save(folder: Path, kind, config, processor=None, **settings) -> None:
    """A network of random weights, the same each time, and its processor."""
    torch.manual_seed(1)
    net = kind.from_config(config)
    with torch.no_grad():
        for value in net.parameters():
            if value.ndim > 1:
                value.copy_(torch.randn_like(value) * value[0].numel() ** -0.5)
        for name, value in net.named_parameters():
            if "class" in name and value.shape in ((2,), (3,)):
                value[1] += 5  # a detector takes everything for its second class
    net.save_pretrained(folder)
    if processor:
        getattr(hf, processor)(**settings).save_pretrained(folder)


def segformer(folder: Path, *labels: str) -> None:
    sizes = {"depths": [1] * 4, "hidden_sizes": [8] * 4, "num_attention_heads": [1] * 4, "decoder_hidden_size": 16}
    config = named(hf.SegformerConfig(**sizes, sr_ratios=[1] * 4, mlp_ratios=[2] * 4), *labels)
    save(folder, hf.AutoModelForSemanticSegmentation, config, "SegformerImageProcessorPil", **SQUARE)


def owlv2(folder: Path):
    text = {**TINY, "vocab_size": 64, "max_position_embeddings": 16, "bos_token_id": 53, "eos_token_id": 54}
    letters = [chr(code) for code in range(97, 123)]
    words = ["!", *letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    numbered = {word: number for number, word in enumerate(words)}
    tokens = hf.CLIPTokenizer(vocab=numbered, merges=[], model_max_length=16, pad_token="!")
    images = hf.Owlv2ImageProcessorPil(size={"height": 32, "width": 32})
    hf.Owlv2Processor(image_processor=images, tokenizer=tokens).save_pretrained(folder)
    vision = {**TINY, "image_size": 32, "patch_size": 8}
    return hf.Owlv2Config(text_config={**text, "pad_token_id": 0}, vision_config=vision, projection_dim=16)
