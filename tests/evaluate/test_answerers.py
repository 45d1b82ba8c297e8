"""Answers of small BLIP-2 and LLaVA networks, built from configurations, saved as the hub keeps them, and loaded by the
ordinary path; held against transformers' own generation for one picture and one question."""

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from accord.engine import provenance
from accord.errors import AccordError
from accord.models import loading

WORDS = ["<pad>", "<s>", "</s>", "<unk>", "<image>", "USER", "ASSISTANT", ":", "?", "who", "is", "this", "a", "person",
         "what", "does", "do", "nurse", "guard", "singer", "good", "kind", "tall", "works", "sings"]  # fmt: skip
VISION = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
          "image_size": 32, "patch_size": 8}  # fmt: skip
TEXT = {"vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "max_position_embeddings": 128, "pad_token_id": 0, "bos_token_id": 1}  # fmt: skip
QUESTIONS = [
    ["who is this?", "what does this person do?"],
    ["is this a nurse?"],
    [],
    ["who?", "is this person a guard?"],
]
PROMPTS = {"blip": "who {} :", "llava": "<image> USER: {} ASSISTANT:", "next": "<image> USER: {} ASSISTANT:"}
MOST = 6


def tokenizer() -> hf.PreTrainedTokenizerFast:
    made = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    special = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    return hf.PreTrainedTokenizerFast(tokenizer_object=made, **special, additional_special_tokens=["<image>"])


def blip(ends):
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    text = {**TEXT, "ffn_dim": 16, "word_embed_proj_dim": 16, "eos_token_id": ends, "model_type": "opt"}
    looks = {**sizes, "encoder_hidden_size": 16, "vocab_size": len(WORDS)}
    config = hf.Blip2Config(
        vision_config=VISION, qformer_config=looks, text_config=text, num_query_tokens=4, image_token_index=4
    )
    images = hf.BlipImageProcessorPil(size={"height": 32, "width": 32})
    return hf.Blip2ForConditionalGeneration(config), hf.Blip2Processor(images, tokenizer(), num_query_tokens=4)


def llava(ends):
    return _llava(ends, hf.LlavaConfig, hf.LlavaForConditionalGeneration, hf.CLIPImageProcessorPil, hf.LlavaProcessor)


def llava_next(ends):
    return _llava(
        ends, hf.LlavaNextConfig, hf.LlavaNextForConditionalGeneration, hf.LlavaNextImageProcessorPil,
        hf.LlavaNextProcessor, image_grid_pinpoints=[[32, 64], [64, 32]],
    )  # fmt: skip


def _llava(ends, config, net, images, processor, **more):
    looks = hf.CLIPVisionConfig(**VISION)
    text = hf.LlamaConfig(**TEXT, intermediate_size=16, num_key_value_heads=2, eos_token_id=ends)
    of = config(vision_config=looks, text_config=text, image_token_index=4, vision_feature_layer=-2, **more)
    prepared = images(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}, **more)
    told = {"patch_size": 8, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1}
    return net(of), processor(prepared, tokenizer(), image_token="<image>", **told)


MAKE = {"blip": blip, "llava": llava, "next": llava_next}


def saved(folder: Path, kind: str, ends: int | list[int] = 2) -> Path:
    """A network whose weights differ enough for words and pictures to matter, and its processor."""
    torch.manual_seed(5)
    net, processor = MAKE[kind](ends)
    with torch.no_grad():
        for value in net.parameters():
            if value.ndim > 1:
                value.copy_(torch.randn_like(value) * 2 * value[0].numel() ** -0.5)
    net.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def load(folder: Path, kind: str, **options):
    files = {"model" if path.suffix == ".safetensors" else path.stem: path for path in sorted(folder.iterdir())}
    return loaded(folder, files, {"prompt": PROMPTS[kind], "tokens": MOST, **options})


def loaded(folder: Path, files: dict[str, Path], options: dict):
    listed = {key: {"path": path.name, "sha256": provenance.sha256(path)} for key, path in files.items()}
    entry = {"name": "small", "task": "visual_question", "adapter": "transformers_answers:Answerer", "batch": 2}
    entry["adapter"] = f"accord.evaluate.adapters.{entry['adapter']}"
    return loading.load({**entry, "weights": listed, "options": options}, folder, "answer")


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    """Three of one size, and one upright."""
    rng = np.random.default_rng(3)
    sizes = ((40, 60, 3), (40, 60, 3), (40, 60, 3), (90, 50, 3))
    return [
        np.kron(rng.integers(0, 256, (2, 2, 3)), np.ones((h // 2, w // 2, 1))).astype(np.uint8) for h, w, _ in sizes
    ]


@pytest.fixture(scope="module", params=MAKE)
def kind(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def folder(kind, tmp_path_factory) -> Path:
    """A network of which every other token ends the answer, so that some answers end early."""
    return saved(tmp_path_factory.mktemp(kind), kind, list(range(2, len(WORDS), 4)))


def expected(folder: Path, kind: str, picture: np.ndarray, question: str) -> tuple[str, str]:
    """Text and status by transformers' documented usage, for one question about one picture."""
    net = hf.AutoModelForImageTextToText.from_pretrained(folder).eval()
    processor = hf.AutoProcessor.from_pretrained(folder)
    inputs = processor(images=picture, text=PROMPTS[kind].replace("{}", question), return_tensors="pt")
    ends = list(range(2, len(WORDS), 4))
    with torch.inference_mode():
        made = net.generate(**inputs, max_new_tokens=MOST, do_sample=False, eos_token_id=ends, pad_token_id=0)
    row = made[0, inputs["input_ids"].shape[1] :].tolist()
    text = processor.tokenizer.decode([token for token in row if token not in ends], skip_special_tokens=True).strip()
    return text, "empty" if not text else "said" if row[-1] in ends else "cut"


def test_answers_are_those_of_the_network_asked_alone(folder, kind, pictures):
    found = load(folder, kind).answer(pictures, QUESTIONS)
    assert [len(some) for some in found] == [len(some) for some in QUESTIONS]
    for picture, texts, answers in zip(pictures, QUESTIONS, found, strict=True):
        for text, answer in zip(texts, answers, strict=True):
            assert (answer.text, answer.status) == expected(folder, kind, picture, text)
    assert len({answer.text for some in found for answer in some}) > 2


def test_an_answer_depends_on_no_other_question_and_no_other_picture(folder, kind, pictures):
    answerer = load(folder, kind, together=4)
    together = answerer.answer(pictures, QUESTIONS)
    for picture, texts, answers in zip(pictures, QUESTIONS, together, strict=True):
        for text, answer in zip(texts, answers, strict=True):
            assert answerer.answer([picture], [[text]]) == [[answer]]
    assert answerer.answer([], []) == []


def test_a_picture_is_seen_once_for_all_its_questions(folder, kind, pictures):
    answerer, seen = load(folder, kind), []
    encoder = answerer._model.net.get_encoder(modality="image")
    convolution = next(part for part in encoder.modules() if isinstance(part, torch.nn.Conv2d))
    convolution.register_forward_pre_hook(lambda _, given: seen.append(len(given[0])))
    answerer.answer(pictures[:1], [["who?"]])
    [once] = seen
    answerer.answer(pictures[:1], [["who?", "is this a nurse?", "what does this person do?"]])
    answerer.answer(pictures[:2], [["who?", "is this?"], ["what?", "who?"]])
    assert seen == [once, once, 2 * once]


def test_an_answer_at_the_limit_is_cut_and_one_without_a_word_is_empty(tmp_path, pictures):
    endless = saved(tmp_path / "long", "llava", [2])
    [[cut]], [[longer]] = (load(endless, "llava", tokens=n).answer(pictures[:1], [["who?"]]) for n in (4, 12))
    assert (cut.status, cut.reason, longer.status) == ("cut", "cut off after 4 tokens", "cut")
    assert longer.text.startswith(cut.text) and len(longer.text) > len(cut.text)
    silent = saved(tmp_path / "silent", "llava", list(range(len(WORDS))))
    [[empty]] = load(silent, "llava").answer(pictures[:1], [["who?"]])
    assert tuple(empty) == ("", "empty", "the model said nothing")


def test_a_checkpoint_may_lie_in_several_files(tmp_path, pictures):
    whole = saved(tmp_path / "whole", "llava")
    told = load(whole, "llava").answer(pictures[:1], [["who?"]])
    files = {path.stem: path for path in whole.iterdir() if path.suffix != ".safetensors"}
    state = sorted(load_file(whole / "model.safetensors").items())
    for number, part in enumerate((state[:9], state[9:]), 1):
        files[f"model_{number}"] = whole / f"model-{number}.safetensors"
        save_file(dict(part), files[f"model_{number}"], metadata={"format": "pt"})
    options = {"prompt": PROMPTS["llava"], "tokens": MOST}
    assert loaded(whole, files, options).answer(pictures[:1], [["who?"]]) == told
    del files["model_2"]
    with pytest.raises(AccordError, match="tensors of the network"):
        loaded(whole, files, options)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"prompt": "<image> USER:"}, "one place for the question"), ({"prompt": "{} {}"}, "one place for the question"),
     ({"prompt": "USER: {}"}, "option prompt: doesn't fit the model"), ({"tokens": 0}, "option tokens: is 0"),
     ({"together": "all"}, "option together: is 'all'")],
)  # fmt: skip
def test_options_that_do_not_fit_are_refused(tmp_path, options, message):
    with pytest.raises(AccordError, match=message):
        load(saved(tmp_path, "llava"), "llava", **options)


def test_a_processor_that_leaves_the_picture_out_is_refused(tmp_path):
    """As those of BLIP-2 were before they knew how many queries a picture becomes."""
    at = saved(tmp_path, "blip")
    hf.Blip2Processor(hf.BlipImageProcessorPil(size={"height": 32, "width": 32}), tokenizer()).save_pretrained(at)
    with pytest.raises(AccordError, match="no mark for the picture"):
        load(at, "blip")
