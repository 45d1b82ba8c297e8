"""Sentence encoders: small BERT and T5 networks built from configurations, held against their definition: the mean over
tokens of the last layer, for T5 through a linear layer, of length 1."""

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from accord.engine import provenance
from accord.errors import AccordError
from accord.models import loading

WORDS = ["<pad>", "<unk>", "</s>", "a", "photo", "of", "nurse", "guard", "the"]
TEXTS = ["a photo of a nurse", "guard", "the the the nurse"]


def tokenizer() -> hf.PreTrainedTokenizerFast:
    made = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    return hf.PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", unk_token="<unk>", eos_token="</s>")


def bert(folder: Path) -> Path:
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    return saved(folder, hf.BertModel(hf.BertConfig(vocab_size=len(WORDS), **sizes)))


def t5(folder: Path) -> Path:
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2}
    saved(folder, hf.T5EncoderModel(hf.T5Config(vocab_size=len(WORDS), **sizes)))
    save_file({"linear.weight": torch.randn(12, 16)}, folder / "dense.safetensors")
    return folder


def saved(folder: Path, net: torch.nn.Module) -> Path:
    """A network whose weights differ enough for words to matter, and its tokenizer."""
    torch.manual_seed(2)
    with torch.no_grad():
        for value in net.parameters():
            if value.ndim > 1:
                value.copy_(torch.randn_like(value) * value[0].numel() ** -0.5)
    net.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def load(folder: Path, **options):
    names = {"config.json": "config", "model.safetensors": "model", "dense.safetensors": "dense"}
    files = {names.get(path.name, path.stem): path for path in sorted(folder.iterdir())}
    files = {key: {"path": path.name, "sha256": provenance.sha256(path)} for key, path in files.items()}
    adapter = "accord.evaluate.adapters.transformers_sentences:Sentences"
    entry = {"name": "small", "task": "text_embedding", "adapter": adapter}
    return loading.load({**entry, "weights": files, "batch": 2, "options": options}, folder, "embed_texts")


@pytest.mark.parametrize("make", [bert, t5])
def test_vectors_are_means_over_tokens(tmp_path, make):
    found = load(make(tmp_path)).embed_texts(TEXTS)
    net = (hf.BertModel if make is bert else hf.T5EncoderModel).from_pretrained(tmp_path).eval()
    tokens = tokenizer()(TEXTS, return_tensors="pt", padding=True)
    with torch.inference_mode():
        states = net(input_ids=tokens["input_ids"], attention_mask=tokens["attention_mask"]).last_hidden_state
    mask = tokens["attention_mask"][..., None]
    means = ((states * mask).sum(1) / mask.sum(1)).numpy()
    if make is t5:
        from safetensors.torch import load_file

        means = means @ load_file(tmp_path / "dense.safetensors")["linear.weight"].numpy().T
    expected = means / np.linalg.norm(means, axis=1, keepdims=True)
    np.testing.assert_allclose(np.array(found), expected, atol=1e-5)
    assert np.ptp(expected @ expected.T) > 0.05


def test_a_vector_is_the_same_alone_and_among_others(tmp_path):
    loaded = load(bert(tmp_path))
    together = loaded.embed_texts(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.array_equal(loaded.embed_texts([text])[0], vector)
    assert loaded.embed_texts([]) == []


def test_of_long_texts_the_first_tokens_are_read(tmp_path):
    loaded = load(bert(tmp_path), longest=4)
    cut, same = loaded.embed_texts(["nurse guard nurse a a a a " * 400, "nurse guard nurse"])
    assert np.array_equal(cut, same)


def test_options_and_files_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(AccordError, match="whole number of tokens"):
        load(bert(tmp_path), longest=1)
    save_file({"linear.weight": torch.ones(2, 2), "linear.bias": torch.ones(2)}, tmp_path / "dense.safetensors")
    with pytest.raises(AccordError, match="not a linear layer without bias"):
        load(tmp_path)
