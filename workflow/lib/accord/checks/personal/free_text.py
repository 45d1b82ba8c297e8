"""Which free text of devices and vendors may be published: what reads like a device, or like the name of a place.

A file's EXIF and a vendor's table can hold anything, names of people, too. What isn't known here is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from accord.checks.files import devices
from accord.checks.personal import identifiers

MAKERS = frozenset((
    "acer", "agfaphoto", "apple", "asus", "blackberry", "canon", "casio", "concord", "dji", "epson", "ericsson",
    "fairphone", "fujifilm", "ge", "google", "gopro", "hasselblad", "hewlett-packard", "hmd", "honor", "hp", "htc",
    "huawei", "infinix", "insta360", "itel", "jvc", "kodak", "konica", "kyocera", "leica", "lenovo", "lg", "lge",
    "mamiya", "meizu", "microsoft", "minolta", "motorola", "nec", "nikon", "nokia", "nothing", "olympus", "oneplus",
    "oppo", "palm", "panasonic", "pantech", "parrot", "pentax", "phase", "polaroid", "poco", "realme", "ricoh",
    "samsung", "sanyo", "sharp", "sigma", "sony", "tcl", "tecno", "toshiba", "vivo", "wiko", "xiaomi", "yi", "zte",
))  # fmt: skip
COMPANY = frozenset((
    "ag", "camera", "cameras", "co", "communications", "company", "computer", "corp", "corporation", "digital",
    "eastman", "electronics", "electric", "film", "global", "imaging", "inc", "industrial", "ltd", "mobile", "mobility",
    "one", "optical", "photo", "technologies", "technology",
))  # fmt: skip
"""What the names of companies have beside the maker's."""
LINES = frozenset((
    "action", "air", "alpha", "black", "caplio", "coolpix", "cyber-shot", "cybershot", "desire", "digital", "droid",
    "duos", "easyshare", "edge", "elph", "exilim", "fierce", "finepix", "flip", "fold", "fusion", "galaxy", "gen",
    "generation", "grand", "hero", "hydrogen", "ipad", "iphone", "ipod", "ixus", "kiss", "lite", "lumia", "lumix",
    "mark", "mate", "mavic", "mavica", "maxx", "mini", "moto", "neo", "nexus", "nord", "note", "nova", "osmo",
    "phantom", "phone", "pixel", "play", "plus", "power", "powershot", "prime", "pureview", "razr", "rebel", "redmi",
    "reno", "smart", "spark", "spectre", "stylus", "touch", "tough", "turbo", "ultra", "vibe", "white", "xperia",
    "youth", "zenfone", "zoom",
))  # fmt: skip
"""Words in the names of devices that have no digit and more than three letters."""
LONGEST_DEVICE, SHORT_WORD = 40, 3
MANY_DIGITS = re.compile(r"\d{9}")
DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ().,+&_/-]*")
PLACE = re.compile(r"(\d{1,2}\. )?[^\W\d_][^\d_<>@=\\{}\[\]|:;\"*#%$^~`!?+]*")
"""The name of a place: no digits, signs of markup or addresses; a label's number may be before it."""
FREE = ("manufacturer", "model", "location_region")


def unfit(row: Mapping[str, str]) -> tuple[str, ...]:
    """The columns of an image, of FREE, whose text may not be published: it doesn't read like a device or a place, or
    tells of a person (`identifiers`). What is "" is fit."""
    maker, model = row["manufacturer"], row["model"]
    fit = {
        "manufacturer": is_maker(maker),
        "model": is_model(model) and (is_maker(maker) or not maker),
        "location_region": is_place(row["location_region"]),
    }
    return tuple(name for name in FREE if row[name] and not fit[name])


def is_maker(text: str) -> bool:
    """Whether a text is the name of a company that makes cameras or phones."""
    words = _words(text)
    known = [word in MAKERS for word in words]
    return _is_form(text) and any(known) and all(k or word in COMPANY for k, word in zip(known, words, strict=True))


def is_model(text: str) -> bool:
    """Whether a text is a known device's name, or its words are short, have a digit, or are known from such names."""
    if devices.is_listed(text):
        return True
    if not _is_form(text) or identifiers.kinds(text) - {identifiers.PLATE} or MANY_DIGITS.search(text):
        return False
    words = _words(text)
    named = [word in MAKERS | COMPANY | LINES for word in words]
    shaped = [len(word) <= SHORT_WORD or any(sign.isdigit() for sign in word) for word in words]
    return all(a or b for a, b in zip(named, shaped, strict=True)) and (any(named) or bool(re.search(r"\d", text)))


def is_place(text: str) -> bool:
    """Whether a text reads like the name of a region."""
    return PLACE.fullmatch(text) is not None and not identifiers.kinds(text)


def _is_form(text: str) -> bool:
    return len(text) <= LONGEST_DEVICE and DEVICE.fullmatch(text) is not None


def _words(text: str) -> list[str]:
    return [word for part in text.casefold().split() if (word := part.strip("().,&/_"))]
