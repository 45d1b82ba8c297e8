"""Pictures and texts in one space: small CLIP and SigLIP networks built from configurations, saved as the hub keeps
models, and held against what transformers computes from the same files."""

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf

from accord.engine import provenance
from accord.errors import AccordError
from accord.models import loading
from accord.models.adapters import transformers_clip

TEXTS = ["a man", "a woman in a city", "indoors"]
TINY = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
VISION = {**TINY, "image_size": 32, "patch_size": 8}
CROP = {"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}}


def saved(folder: Path, config, processor) -> None:
    """A network of random weights that differ enough for texts to matter, and its processor."""
    torch.manual_seed(2)
    net = hf.AutoModel.from_config(config)
    with torch.no_grad():
        for value in net.parameters():
            if value.ndim > 1:
                value.copy_(torch.randn_like(value) * value[0].numel() ** -0.5)
    net.save_pretrained(folder)
    processor.save_pretrained(folder)


def clip(folder: Path) -> Path:
    letters = [chr(code) for code in range(97, 123)]
    words = ["!", *letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    numbered = {word: number for number, word in enumerate(words)}
    tokens = hf.CLIPTokenizer(vocab=numbered, merges=[], model_max_length=24)
    text = {**TINY, "vocab_size": len(words), "max_position_embeddings": 24, "bos_token_id": 53, "eos_token_id": 54}
    config = hf.CLIPConfig(text_config={**text, "pad_token_id": 54}, vision_config=VISION, projection_dim=12)
    saved(folder, config, hf.CLIPProcessor(image_processor=hf.CLIPImageProcessorPil(**CROP), tokenizer=tokens))
    return folder


def siglip(folder: Path) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = ["<pad>", "<unk>", "a", "man", "woman", "in", "city", "indoors"]
    made = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens = hf.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", unk_token="<unk>", model_max_length=8,
        model_input_names=["input_ids"],
    )  # fmt: skip
    text = {**TINY, "vocab_size": len(words), "max_position_embeddings": 8, "projection_size": 16}
    config = hf.SiglipConfig(text_config=text, vision_config=VISION)
    images = hf.SiglipImageProcessorPil(size={"height": 32, "width": 32})
    saved(folder, config, hf.SiglipProcessor(image_processor=images, tokenizer=tokens))
    return folder


@pytest.fixture(scope="module")
def clip_folder(tmp_path_factory) -> Path:
    return clip(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    """Two of one size, and one upright; bright at one end, so that what is cut off matters."""
    rng = np.random.default_rng(3)
    made = [rng.integers(0, 256, size, dtype=np.uint8) for size in ((40, 90, 3), (40, 90, 3), (120, 50, 3))]
    made[2][:30] = 255
    return made


def load(folder: Path, adapter: str = "TextEncoder", method: str = "embed", **options):
    names = {"config.json": "config", "model.safetensors": "model"}
    files = {names.get(path.name, path.stem): path for path in sorted(folder.iterdir())}
    files = {key: {"path": path.name, "sha256": provenance.sha256(path)} for key, path in files.items()}
    module = "accord.evaluate.adapters.transformers_clip"
    entry = {"name": "small", "task": "image_text", "adapter": f"{module}:{adapter}"}
    return loading.load({**entry, "weights": files, "batch": 2, "options": options}, folder, method)


def cosines(pictures, texts) -> np.ndarray:
    units = [np.array(some) / np.linalg.norm(some, axis=1, keepdims=True) for some in (pictures, texts)]
    return units[0] @ units[1].T


@pytest.mark.parametrize("make", [clip, siglip])
def test_cosines_are_the_logits_of_transformers_without_scale_and_bias(tmp_path, make, pictures):
    loaded = load(make(tmp_path))
    found = cosines(loaded.embed(pictures), loaded.embed_texts(TEXTS))
    processor, net = hf.AutoProcessor.from_pretrained(tmp_path), hf.AutoModel.from_pretrained(tmp_path).eval()
    padding = {"padding": "max_length", "max_length": 8} if make is siglip else {"padding": True}
    inputs = processor(images=pictures, text=TEXTS, return_tensors="pt", **padding)
    with torch.inference_mode():
        logits = net(**inputs).logits_per_image
    expected = (logits - getattr(net, "logit_bias", 0)) / net.logit_scale.exp()
    np.testing.assert_allclose(found, expected.detach(), atol=1e-5)
    assert np.ptp(found, axis=1).min() > 0.05


def test_a_vector_is_the_same_alone_and_among_others(clip_folder, pictures):
    loaded = load(clip_folder)
    for many, one in ((loaded.embed, pictures), (loaded.embed_texts, TEXTS)):
        for alone, together in zip((many([item])[0] for item in one), many(one), strict=True):
            np.testing.assert_allclose(alone, together, atol=1e-6)
    assert loaded.embed([]) == [] and loaded.embed_texts([]) == []


def test_padding_shows_the_whole_picture_and_the_official_way_its_middle(clip_folder, pictures):
    upright = pictures[2]
    darker = upright.copy()
    darker[:30] = 0
    official, padded = load(clip_folder), load(clip_folder, fit="pad")
    np.testing.assert_array_equal(*official.embed([upright, darker]))
    assert np.abs(np.subtract(*padded.embed([upright, darker]))).max() > 0.01
    assert official.seen(120, 50) == (0, 35, 50, 85)
    assert official.seen(40, 90) == (25, 0, 65, 40)
    assert padded.seen(120, 50) == (0, 0, 50, 120)


def test_bars_lie_on_both_sides_and_count_as_nothing(clip_folder, pictures):
    grey = np.full(3, 120, np.uint8)
    square = transformers_clip.squared(pictures[0], grey)
    assert square.shape == (90, 90, 3)
    np.testing.assert_array_equal(square[25:65], pictures[0])
    assert (square[:25] == grey).all() and (square[65:] == grey).all()


def test_a_tokenizer_without_its_package_says_which_extra_brings_it(clip_folder, monkeypatch):
    def lacking(*_, **__):
        raise ImportError("\nSiglipTokenizer requires the SentencePiece library but it was not found in ...\n")

    monkeypatch.setattr(hf.AutoProcessor, "from_pretrained", lacking)
    with pytest.raises(AccordError) as caught:
        load(clip_folder)
    assert "needs a package that is not installed (SiglipTokenizer requires" in caught.value.problems[0].what
    assert caught.value.problems[0].hint.endswith("or install it: pip install 'accord[siglip]'")


def test_siglip_squeezes_and_sees_everything(tmp_path):
    assert load(siglip(tmp_path)).seen(120, 50) == (0, 0, 50, 120)


def test_texts_that_are_too_long_are_all_told(clip_folder):
    with pytest.raises(AccordError) as caught:
        load(clip_folder).embed_texts(["a man", "a" * 23, "a man", "b" * 40])
    assert "text 2: is longer than the 24 tokens" in str(caught.value) and "text 4: " in str(caught.value)
    assert "text 1" not in str(caught.value)


def test_what_has_no_texts_or_no_such_way_to_fit_is_refused(tmp_path, clip_folder):
    with pytest.raises(AccordError, match="option fit: is 'stretch'"):
        load(clip_folder, fit="stretch")
    hf.AutoModel.from_config(hf.ViTConfig(**VISION)).save_pretrained(tmp_path)
    hf.ViTImageProcessorPil(size={"height": 32, "width": 32}).save_pretrained(tmp_path)
    with pytest.raises(AccordError, match="has no encoder of texts beside that of pictures"):
        load(tmp_path)


def test_sentences_are_the_texts_of_the_same_network_and_long_ones_are_cut(clip_folder):
    whole, texts = load(clip_folder), load(clip_folder, adapter="Sentences", method="embed_texts")
    for vector, same in zip(texts.embed_texts(TEXTS), whole.embed_texts(TEXTS), strict=True):
        np.testing.assert_array_equal(vector, same)
    # 22 letters and two tokens that frame them: all that this network reads.
    cut, same = texts.embed_texts(["a" * 10_000, "a" * 23])
    np.testing.assert_array_equal(cut, same)
    assert not np.array_equal(cut, texts.embed_texts(["b" * 23])[0])
