"""Free text that may be published: names of devices and places, and nothing else."""

import pytest

from accord.checks.personal.free_text import is_maker, is_model, is_place, unfit
from accord_demo.devices import DEVICES, OLD_DEVICES


@pytest.mark.parametrize("device", [*DEVICES, *OLD_DEVICES], ids=lambda device: device.model)
def test_devices_of_the_demo_are_devices(device):
    assert unfit({"manufacturer": device.manufacturer, "model": device.model, "location_region": ""}) == ()


@pytest.mark.parametrize(
    ("maker", "model"),
    [
        ("NIKON CORPORATION", "NIKON Z 6_2"), ("SONY", "DSC-RX100M3"), ("LG Electronics", "LM-G710"),
        ("OLYMPUS IMAGING CORP.", "E-M10MarkII"), ("Xiaomi", "22081212UG"), ("OnePlus", "ONEPLUS A6003"),
        ("samsung", "Galaxy S23 Ultra"), ("motorola", "moto g(7) power"), ("Canon", "Canon EOS-1D X Mark II"),
        ("Eastman Kodak Company", "KODAK EASYSHARE C813"), ("LEICA CAMERA AG", "LEICA Q2"), ("Apple", "iPhone"),
    ],
)  # fmt: skip
def test_devices_of_the_world_are_devices(maker, model):
    assert is_maker(maker) and is_model(model)


@pytest.mark.parametrize("text", ["Jane Doe", "Jane Apple", "Canon Jane", "12", "Canon <b>", "Canon" * 9])
def test_what_is_no_company_is_no_maker(text):
    assert not is_maker(text)


@pytest.mark.parametrize(
    "text",
    ["Jane Doe", "Jane 5D", "tel 5550143", "EOS +49 170 1234567", "a@b.example", "X 123456789", "<b>"],
)
def test_what_is_no_device_is_no_model(text):
    assert not is_model(text)


@pytest.mark.parametrize(
    "text", ["Hà Nội", "Provence-Alpes-Côte d\u2019Azur", "21. Western Europe", "Washington, D.C.", "東京都", "Rhône"]
)
def test_regions_are_places(text):
    assert is_place(text)


@pytest.mark.parametrize("text", ["12 Main Street", "Berlin 10115", "<b>Bavaria", "x@y.example", "=1", "t.me/@jane"])
def test_addresses_and_markup_are_no_places(text):
    assert not is_place(text)


def test_a_model_counts_where_its_maker_is_known_or_not_told():
    row = {"manufacturer": "", "model": "D70", "location_region": ""}
    assert unfit(row) == ()
    assert unfit({**row, "manufacturer": "Jane Doe"}) == ("manufacturer", "model")
