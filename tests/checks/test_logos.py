"""Logos: by text, by shape, by an open-vocabulary model, by an outside service; and what people are asked about."""

import inspect
import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from PIL import Image

from accord.checks.brands import gallery, model, service
from accord.checks.brands.detectors import PROMPTS, OpenVocabulary, View
from accord.checks.looking import logos
from accord.checks.personal.proposals import box
from accord.checks.tables.findings import Answers, LogosSeen, Texts
from accord.engine import table
from accord.errors import AccordError
from accord.intake.tables import Regions
from accord.models import registry
from accord_demo.logos import gallery as demo_gallery

DEMO = Path(__file__).parents[1] / "data/demo"
LINE = [10.0, 20.0, 110.0, 20.0, 110.0, 60.0, 10.0, 60.0]


@pytest.fixture(scope="module")
def shapes():
    return gallery.read((DEMO / "logos").glob("*.png"))


@pytest.fixture
def placed(photo):
    """A photograph with a logo of the demo in it, seen at a slant; and its corners there."""
    import cv2

    sign = np.asarray(Image.open(DEMO / "logos" / "zephra_2.png").convert("RGB"))
    height, width = sign.shape[:2]
    corners = np.float32([[200, 100], [420, 130], [410, 225], [205, 190]])
    there = cv2.getPerspectiveTransform(np.float32([[0, 0], [width, 0], [width, height], [0, height]]), corners)
    scene = photo(3)
    moved = cv2.warpPerspective(sign, there, scene.shape[1::-1])
    mask = cv2.warpPerspective(np.ones(sign.shape[:2], np.uint8), there, scene.shape[1::-1])
    return np.where(mask[..., None] > 0, moved, scene), corners


def test_a_shape_is_found_where_it_is_at_a_slant(placed, shapes):
    pixels, corners = placed
    seen = logos.apart(gallery.find(pixels, shapes, 0.6))
    assert len(seen) == 1
    np.testing.assert_allclose(np.reshape(seen[0].polygon, (4, 2)), corners, atol=6)


def test_a_picture_without_logos_has_none_and_a_mirrored_one_is_none(photo, placed, shapes):
    assert gallery.find(photo(4), shapes, 0.3) == []
    assert gallery.find(placed[0][:, ::-1], shapes, 0.6) == []
    assert gallery.find(np.full((80, 80, 3), 90, np.uint8), shapes, 0.3) == []
    assert gallery.find(photo(4), [], 0.3) == []


def test_every_file_of_a_gallery_that_is_no_logo_is_named(tmp_path):
    (tmp_path / "a.png").write_bytes(b"no picture")
    Image.new("RGB", (90, 90), "white").save(tmp_path / "b.png")
    with pytest.raises(AccordError) as error:
        gallery.read(tmp_path.iterdir())
    assert "a.png: can't be decoded" in str(error.value)
    assert "b.png: has too few details" in str(error.value)


def test_the_demos_gallery_is_what_its_renderer_paints():
    made = demo_gallery()
    assert sorted(made) == sorted(path.name for path in (DEMO / "logos").glob("*.png"))
    assert len(made) == 18
    for name, image in made.items():
        np.testing.assert_array_equal(np.asarray(Image.open(DEMO / "logos" / name)), np.asarray(image))


def answer(image, score):
    return {"image": image, "feature": "logos", "number": 0, "kind": "logo", "name": "X", "score": score,
            "polygon": list(box(300, 20, 360, 60))}  # fmt: skip


def test_a_service_is_believed_from_the_threshold_on():
    answers = table.rows([answer("a", 0.6), answer("b", 0.59)], Answers)
    (seen,) = service.seen(answers.itertuples(), 0.6)
    assert (seen.score, seen.detector) == (0.6, "google_vision")


def test_people_are_asked_about_what_nobody_outlined(shard, jpeg, placed, photo, tmp_path):
    pixels, corners = placed
    data = jpeg(pixels, quality=95)
    images, path = shard({"a": data, "b": data, "c": jpeg(photo(5)), "d": jpeg(photo(6))})
    drawn = table.rows([("b", "r1", "logo", corners.ravel().tolist(), "")], Regions)
    texts = table.rows([("c", 0, LINE, "QUILLON", 0.8), ("d", 0, LINE, "no brand", 0.9)], Texts)
    answers = table.rows([answer("d", 0.7)], Answers)
    brands = tmp_path / "brands.csv"
    brands.write_text("brand\nQuillon\n")
    files = sorted((DEMO / "logos").glob("*.png"))
    by = logos.detectors(files, brands, 0.6, tmp_path, None)
    found = logos.judged(images, logos.seen(images, path, texts, by, 10**6), answers, drawn, 0.6)
    assert found.findings["verdict"].tolist() == ["review", "pass", "review", "review"]
    assert found.proposals["detector"].tolist() == ["gallery", "gallery", "brand_names", "google_vision"]
    assert found.proposals["covered"].round(1).tolist() == [0.0, 1.0, 0.0, 0.0]
    truth = pd.DataFrame({"image": ["a", "b", "e"], "polygon": [corners.ravel().tolist()] * 3})
    assert logos.matches(found.proposals, truth) == (2, 1, 2)


def test_without_gallery_and_model_no_image_is_read(tmp_path):
    images = pd.DataFrame({"image": ["b", "a"]})
    texts = table.rows([("a", 0, LINE, "QUILLON", 0.8)], Texts)
    answers = table.rows([answer("b", 0.7)], Answers)
    brands = tmp_path / "brands.csv"
    brands.write_text("brand\nQuillon\n")
    seen = logos.seen(images, tmp_path / "no.tar", texts, logos.detectors([], brands, 0.6, tmp_path, None), 1)
    found = logos.judged(images, seen, answers, table.rows([], Regions), 0.6)
    assert found.findings[["image", "verdict"]].values.tolist() == [["a", "review"], ["b", "review"]]
    assert found.proposals["detector"].tolist() == ["brand_names", "google_vision"]


def test_a_region_that_covers_the_letters_covers_the_logo(tmp_path):
    """The proposal is larger than the line that was read: what stands around it need not be in the region."""
    images = pd.DataFrame({"image": ["a", "b"]})
    texts = table.rows([(image, 0, LINE, "QUILLON", 0.8) for image in images["image"]], Texts)
    (tmp_path / "brands.csv").write_text("brand\nQuillon\n")
    by = logos.detectors([], tmp_path / "brands.csv", 0.6, tmp_path, None)
    seen = logos.seen(images, tmp_path / "no.tar", texts, by, 1)
    table.write(seen, LogosSeen, tmp_path / "seen.parquet")
    drawn = table.rows([("b", "r1", "logo", LINE, "")], Regions)
    seen = table.read(tmp_path / "seen.parquet", LogosSeen)
    found = logos.judged(images, seen, table.empty(Answers), drawn, 0.6)
    assert found.findings["verdict"].tolist() == ["review", "pass"]
    assert found.proposals["covered"].tolist() == [0.0, 1.0]


def owlv2(folder):
    import transformers as hf

    small = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    text = {**small, "vocab_size": 64, "max_position_embeddings": 16, "bos_token_id": 53, "eos_token_id": 54}
    vision = {**small, "image_size": 32, "patch_size": 8}
    letters = [chr(code) for code in range(97, 123)]
    words = ["!", *letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    tokens = hf.CLIPTokenizer(vocab=_numbered(words), merges=[], model_max_length=16, pad_token="!")
    pictures = hf.Owlv2ImageProcessorPil(size={"height": 32, "width": 32})
    hf.Owlv2Processor(image_processor=pictures, tokenizer=tokens).save_pretrained(folder)
    return hf.Owlv2Config(text_config={**text, "pad_token_id": 0}, vision_config=vision, projection_dim=16)


def grounding_dino(folder):
    import transformers as hf

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "?", "a", "logo", "brand", "name"]
    small = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    text = hf.BertConfig(vocab_size=len(words), max_position_embeddings=64, **small)
    seeing = hf.SwinConfig(embed_dim=8, depths=[1, 1], num_heads=[2, 2], window_size=2, image_size=64,
                           out_features=["stage1", "stage2"])  # fmt: skip
    pictures = hf.GroundingDinoImageProcessorPil(size={"shortest_edge": 32, "longest_edge": 64})
    tokens = hf.BertTokenizer(vocab=_numbered(words))
    hf.GroundingDinoProcessor(image_processor=pictures, tokenizer=tokens).save_pretrained(folder)
    layers = {f"{part}_{what}": size for part in ("encoder", "decoder")
              for what, size in (("layers", 2), ("ffn_dim", 16), ("attention_heads", 2))}  # fmt: skip
    return hf.GroundingDinoConfig(backbone_config=seeing, text_config=text, d_model=32, num_queries=5,
                                  num_feature_levels=2, max_text_len=32, **layers)  # fmt: skip


def _numbered(words):
    return {word: number for number, word in enumerate(words)}


@pytest.fixture(params=[owlv2, grounding_dino], ids=["owlv2", "grounding_dino"])
def folder(request, tmp_path):
    """A small random network of a family, as the hub keeps it."""
    import torch
    from transformers import AutoModelForZeroShotObjectDetection

    torch.manual_seed(1)
    net = AutoModelForZeroShotObjectDetection.from_config(request.param(tmp_path)).eval()
    net.save_pretrained(tmp_path)
    return tmp_path


def view(photo):
    return View(photo(1, 90, 60), pd.DataFrame())


def boxes_of(folder, pixels):
    """What the network itself says, px: (n, 4) x0, y0, x1, y1."""
    import torch
    from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

    net = AutoModelForZeroShotObjectDetection.from_pretrained(folder).eval()
    asked = AutoProcessor.from_pretrained(folder)(images=[pixels], text=[list(PROMPTS)], return_tensors="pt")
    with torch.inference_mode():
        x, y, width, height = net(**asked).pred_boxes[0].T.double().numpy()
    # OWLv2 sees a square that the picture fills from its corner.
    down = 90 if net.config.model_type == "owlv2" else 60
    edges = [(x - width / 2) * 90, (y - height / 2) * down, (x + width / 2) * 90, (y + height / 2) * down]
    return np.clip(np.stack(edges, axis=1), 0, [90, 60, 90, 60])


def test_open_vocabulary_detectors_load_from_a_folder_and_give_boxes_in_px(folder, photo):
    looking = view(photo)
    seen = OpenVocabulary({"folder": str(folder)}, folder, 0.0).detect(looking)
    assert seen == OpenVocabulary({"folder": str(folder)}, folder, 0.0).detect(looking)
    assert {one.detector for one in seen} == {json.loads((folder / "config.json").read_text())["model_type"]}
    expected = boxes_of(folder, looking.pixels)
    assert len(seen) > 0
    for one in seen:
        corners = (*one.polygon[:2], *one.polygon[4:6])
        assert any(np.allclose(corners, other, atol=0.11) for other in expected)
    assert OpenVocabulary({"folder": str(folder)}, folder, 1.0).detect(looking) == []


SCHEMA = Path(__file__).parents[2] / "workflow/schemas/models.schema.yaml"


@pytest.fixture
def settings(folder, tmp_path):
    """`evaluate` of a config whose models.yaml has the network of `folder` as `small_logos`, of any score."""
    names = {"config.json": "config", "model.safetensors": "model"}
    files = [path for path in folder.iterdir() if path.suffix in (".json", ".txt", ".safetensors")]
    weights = {
        names.get(path.name, path.stem): {"path": path.name, "sha256": sha256(path.read_bytes()).hexdigest()}
        for path in files
    }
    entry = {"task": "logo_localization", "licence": "MIT", "source": "random", "weights": weights,
             "adapter": "accord.evaluate.adapters.transformers_prompted:Prompted",
             "options": {"prompts": list(PROMPTS), "label": "logo", "min_score": 0.0}}  # fmt: skip
    listed = {"small_logos": entry, "small_people": {**entry, "task": "person_localization"}}
    (tmp_path / "models.yaml").write_text(yaml.safe_dump(listed))
    return {"models": str(tmp_path / "models.yaml"), "weights": str(tmp_path), "lock": ""}


def test_a_model_of_the_registry_looks_for_logos_from_its_own_score_on(settings, folder, photo):
    told = json.loads(model.spec("small_logos", settings, SCHEMA))
    looking = view(photo)
    seen = OpenVocabulary(told, folder, 0.6).detect(looking)
    assert {(one.detector, one.threshold) for one in seen} == {("small_logos", 0.0)}
    whole = OpenVocabulary({"folder": str(folder)}, folder, 0.0).detect(looking)
    assert [one.polygon for one in seen] == [one.polygon for one in whole]
    (folder / "config.json").write_text("{}")
    with pytest.raises(AccordError, match=r"ha(s|ve) sha256"):
        OpenVocabulary(told, folder, 0.6)


def test_logo_model_is_a_folder_or_a_model_for_logos_whose_weights_are_here(settings, folder):
    assert model.spec(None, settings, SCHEMA) == "null"
    assert json.loads(model.spec(str(folder), settings, SCHEMA)) == {"folder": str(folder)}
    with pytest.raises(AccordError, match="has no such model"):
        model.spec("owl", settings, SCHEMA)
    with pytest.raises(AccordError, match="small_people is a model for person_localization"):
        model.spec("small_people", settings, SCHEMA)
    (folder / "model.safetensors").unlink()
    with pytest.raises(AccordError, match=r"model\.safetensors"):
        model.spec("small_logos", settings, SCHEMA)


def test_the_models_that_ship_for_logos_are_fetched_and_fit_their_adapter():
    from accord.models.adapters.transformers_prompted import Prompted

    path = Path(__file__).parents[2] / "config/models.yaml"
    listed = registry.read({"models": str(path), "run": ["owlv2_logos", "grounding_dino_logos"]}, SCHEMA)
    for entry in listed.entries.values():
        assert entry["task"] == model.TASK
        assert all("hub" in file for file in entry["weights"].values())
        inspect.signature(Prompted).bind(entry["weights"], **entry["options"])


def test_a_folder_without_safe_weights_is_refused(tmp_path):
    told = {"folder": str(tmp_path)}
    with pytest.raises(AccordError, match=r"lacks config\.json and model\.safetensors"):
        OpenVocabulary(told, tmp_path, 0.6)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(AccordError, match=r"lacks config\.json and model\.safetensors"):
        OpenVocabulary(told, tmp_path, 0.6)
    (tmp_path / "model.safetensors").write_bytes(b"{}")
    with pytest.raises(AccordError, match=r"config\.json"):
        OpenVocabulary(told, tmp_path, 0.6)
