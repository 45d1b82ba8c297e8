"""Which text encoders a run has: those of the setting, in its order, with weights on this machine."""

from pathlib import Path

import pytest

from accord.errors import AccordError
from accord.models import encoders

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"


def named(tmp_path, *models):
    wanted = [{"model": model, "template": "{}", "words": 50} for model in models]
    settings = {"models": str(ROOT / "config/models.yaml"), "weights": str(tmp_path), "encoders": wanted}
    return encoders.read(settings, SCHEMA)


def test_no_encoder_is_the_default(tmp_path):
    assert named(tmp_path) == ([], {}, [])


def test_an_encoder_without_weights_is_left_out_and_told(tmp_path):
    found = named(tmp_path, "minilm")
    assert found.told == [] and set(found.entries) == {"minilm"}
    assert "weights are missing" in found.missing[0].what


def test_an_encoder_comes_with_its_wording(tmp_path):
    folder = tmp_path / "sentence-transformers/all-MiniLM-L6-v2"
    folder.mkdir(parents=True)
    for name in ("config.json", "tokenizer_config.json", "tokenizer.json", "special_tokens_map.json", "vocab.txt",
                 "model.safetensors"):  # fmt: skip
        (folder / name).touch()
    (told,) = named(tmp_path, "minilm").told
    assert (told["template"], told["words"], told["entry"]["name"]) == ("{}", 50, "minilm")
    assert told["entry"]["adapter"].endswith("transformers_sentences:Sentences") and told["entry"]["code"]


@pytest.mark.parametrize(
    ("models", "said"),
    [(["yunet", "clip_base"], "clip_base: is a model of image_text"),
     (["minilm", "minilm"], "listed more than once"), (["nobody"], "no such model")],
)  # fmt: skip
def test_what_is_no_encoder_is_refused(tmp_path, models, said):
    with pytest.raises(AccordError, match=said):
        named(tmp_path, *models)
