"""Train the demo's small CLIP on renders: `python -m accord_demo.train_clip --help`.

Both encoders are trained so that of each probe's prompts those of the right label fit best: cross-entropy over all
prompts of a probe, which leaves labels that no render has (they) behind. AdamW, a short rise and half a cosine down
to zero. A first round counts short beards, too, and a second one, which goes on from its files (--start), full ones
alone. Then the files that were written are held against the rule on renders of other seeds; training.json tells how
often they agree, and all that the network came from.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from accord.evaluate.asking import probes
from accord.models.adapters.transformers_clip import TextEncoder
from accord_demo.training.renders import CROPPED, HELD_OUT, render, targets, varied

PEAK_RATE, WARM_UP = 5e-4, 0.03
"""Of AdamW; share of the steps in which the rate rises."""
REPORT = 50
SEEN = ("pronoun", "scene", "occupation")
"""The probes whose truth a render has."""
WIDTH, PIXELS, WORDS = 128, 4, 2
"""Numbers per token; layers that read pictures, and those that read texts."""
ENDS = ("<pad>", "<unk>", "<start>", "<end>")


def prompts_of(file: Path) -> dict[str, list[tuple[str, str]]]:
    """Probe -> label and text of each prompt, of the probes that are learned."""
    known = {probe.name: probe for probe in probes.read(file)}
    return {name: [(one.name, text) for one in known[name].labels for text in one.prompts] for name in SEEN}


def vocabulary(file: Path) -> list[str]:
    """All words of all prompts of a file, sorted."""
    texts = [text for probe in probes.read(file) for label in probe.labels for text in label.prompts]
    return sorted(set(re.findall(r"\w+|[^\w\s]", " ".join(texts).lower())))


def tokenizer(words: list[str]) -> Any:
    """A tokenizer of whole words, which marks where a text begins and ends."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.WordLevel({word: n for n, word in enumerate([*ENDS, *words])}, unk_token=ENDS[1]))
    made.normalizer, made.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    marks = [(word, n) for n, word in enumerate(ENDS)]
    made.post_processor = processors.TemplateProcessing("<start> $A <end>", special_tokens=marks[2:])
    named = dict(zip(("pad_token", "unk_token", "bos_token", "eos_token"), ENDS, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=24, **named)


def build(words: list[str], seed: int, width: int = WIDTH) -> tuple[Any, Any]:
    """A network with random weights and its processor: pictures of 64 px in patches of 8."""
    import torch
    import transformers as hf

    torch.manual_seed(seed)
    same = {"hidden_size": width, "intermediate_size": 4 * width, "num_attention_heads": 4}
    ids = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
    text = {**same, **ids, "num_hidden_layers": WORDS, "vocab_size": len(ENDS) + len(words)}
    vision = {**same, "num_hidden_layers": PIXELS, "image_size": CROPPED, "patch_size": 8}
    text |= {"max_position_embeddings": 24}
    net = hf.CLIPModel(hf.CLIPConfig(text_config=text, vision_config=vision, projection_dim=width // 2))
    sides = {"size": {"shortest_edge": CROPPED}, "crop_size": {"height": CROPPED, "width": CROPPED}}
    return net, hf.CLIPProcessor(image_processor=hf.CLIPImageProcessorPil(**sides), tokenizer=tokenizer(words))


def loss_of(net: Any, pixels: Any, texts: dict[str, Any], wanted: dict[str, Any]) -> Any:
    """Mean over probes of the cross-entropy of pictures (n, 3, side, side) against all prompts of a probe.

    texts: probe -> the tokens of its prompts; wanted: probe -> (n, prompts), as `targets` has it.
    """
    import torch

    unit = torch.nn.functional.normalize
    seen, scale = unit(net.get_image_features(pixel_values=pixels).pooler_output, dim=1), net.logit_scale.exp()
    found = 0.0
    for probe, tokens in texts.items():
        read = unit(net.get_text_features(**tokens).pooler_output, dim=1)
        found = found + torch.nn.functional.cross_entropy(scale * seen @ read.T, wanted[probe]) / len(texts)
    return found


def train(net: Any, processor: Any, pictures: np.ndarray, told: list[dict], prompts: dict, steps: int, size: int,
          seed: int) -> list[float]:  # fmt: skip
    """Run `steps` updates on batches of `size` pictures, and return the loss before each."""
    import torch

    rng, losses = np.random.default_rng(seed), []
    tokens = {
        probe: processor.tokenizer([text for _, text in known], padding=True, return_tensors="pt")
        for probe, known in prompts.items()
    }
    optimiser = torch.optim.AdamW(net.parameters(), lr=PEAK_RATE, weight_decay=0.05)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate((step + 0.5) / steps)
        some = rng.integers(len(pictures), size=size)
        shown = [varied(pictures[number], rng) for number in some]
        pixels = processor.image_processor(images=shown, return_tensors="pt")["pixel_values"]
        wanted = {
            name: torch.from_numpy(of) for name, of in targets([told[number] for number in some], prompts).items()
        }
        loss = loss_of(net, pixels, tokens, wanted)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        if (step + 1) % REPORT == 0:
            print(f"step {step + 1} of {steps}: loss {np.mean(losses[-REPORT:]):.4f}", file=sys.stderr, flush=True)
    return losses


def rate(done: float) -> float:
    """The learning rate when a share of the steps is done: it rises, then follows half a cosine down to zero."""
    return PEAK_RATE * min(1.0, done / WARM_UP) * (0.5 + 0.5 * np.cos(np.pi * done))


def save(net: Any, processor: Any, out: Path) -> None:
    """The files of a model as the hub keeps them, its weights in half precision."""
    import torch

    net.to(torch.float16).save_pretrained(out)
    processor.save_pretrained(out)


def named(folder: Path) -> dict[str, Path]:
    """The files of a saved model, by the names under which its entry of models.yaml lists them."""
    names = {"config.json": "config", "processor_config.json": "processor", "model.safetensors": "model",
             "tokenizer_config.json": "tokenizer", "tokenizer.json": "tokens"}  # fmt: skip
    return {name: folder / file for file, name in names.items()}


def agreement(folder: Path, pictures: np.ndarray, told: list[dict], prompts: dict) -> dict[str, float]:
    """Probe -> share of the labelled pictures whose best prompt, by the files in a folder, is one of their label."""
    encoder, found = TextEncoder(named(folder)), {}
    shown = np.array([encoder.embed([picture])[0] for picture in pictures])
    for probe, known in prompts.items():
        read = np.array(encoder.embed_texts([text for _, text in known]))
        best = (shown @ (read / np.linalg.norm(read, axis=1, keepdims=True)).T).argmax(axis=1)
        right = [known[n][0] == one[probe] for n, one in zip(best, told, strict=True) if probe in one]
        found[probe] = float(np.mean(right))
    return found


def recipe_of(folder: Path) -> dict[str, Any]:
    """What a network was trained by."""
    return json.loads((folder / "training.json").read_text())


def parser() -> argparse.ArgumentParser:
    """The command line; its defaults are what the shipped network was trained by."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--out", type=Path, required=True, help="folder of the new model")
    made.add_argument("--renders", type=Path, required=True, help=".npy of renders; rendered when it is missing")
    made.add_argument("--held-out", type=Path, required=True, help=".npy of renders to measure by, likewise")
    made.add_argument("--start", type=Path, help="folder of an earlier round's model, to go on from")
    made.add_argument("--probes", type=Path, default=Path("config/foundation-probes.yaml"))
    made.add_argument("--count", type=int, default=2000, help="pictures to render")
    made.add_argument("--held-out-count", type=int, default=300)
    made.add_argument("--steps", type=int, default=1500)
    made.add_argument("--batch", type=int, default=64)
    made.add_argument("--seed", type=int, default=0)
    return made


def main() -> None:
    """Render what to learn from, train, measure."""
    chosen = parser().parse_args()
    prompts = prompts_of(chosen.probes)
    net, processor = build(vocabulary(chosen.probes), chosen.seed)
    rounds = 1
    if chosen.start:
        net, rounds = net.from_pretrained(chosen.start, dtype="float32"), recipe_of(chosen.start)["rounds"] + 1
    pictures, told = render(chosen.renders, chosen.count, short=rounds == 1)
    train(net, processor, pictures, told, prompts, chosen.steps, chosen.batch, chosen.seed + rounds - 1)
    save(net, processor, chosen.out)
    agreed = agreement(chosen.out, *render(chosen.held_out, chosen.held_out_count, HELD_OUT), prompts)
    recipe = {name: getattr(chosen, name) for name in ("count", "held_out_count", "steps", "batch", "seed")}
    told = recipe | {"rounds": rounds, "agreement": agreed}
    (chosen.out / "training.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
