"""People drawn from seeds: each seed gives one person, whatever else is drawn."""

from functools import cache

import numpy as np

from accord_demo.people.body import Build
from accord_demo.people.palette import EYE_SHADOWS, EYES, HAIR, LIPSTICKS, linear
from accord_demo.people.person import BEARDS, HAIR_STYLES, PRESENTATIONS, Brow, Colour, Person, Skin

FACE_REGIONS = ("nose", "mouth", "head", "chin", "forehead", "eyebrows", "cheek", "eyes", "ears", "neck")
OPPOSITES = (
    ("decr", "incr"), ("down", "up"), ("in", "out"), ("backward", "forward"),
    ("concave", "convex"), ("compress", "uncompress"),
)  # fmt: skip
EYE_ODDS = {True: (0.62, 0.3, 0.05, 0.01, 0.01, 0.01), False: (0.2, 0.3, 0.15, 0.1, 0.2, 0.05)}


def draw_person(seed: int, presentation=None, age=None, tone=None, hair=None) -> Person:
    """The person of a seed; what is not given is drawn. Raises ValueError for unknown values."""
    _check(presentation, age, tone, hair)
    rng = np.random.default_rng([seed, 1])
    presentation = presentation or PRESENTATIONS[int(rng.random() >= 0.5)]
    masculine = presentation == "masculine"
    gender = float(np.clip(rng.normal(0.93 if masculine else 0.08, 0.06), 0, 1))
    drawn_age, drawn_tone = int(rng.integers(19, 80)), float(rng.uniform(1, 10))
    age, tone = int(age or drawn_age), drawn_tone if tone is None else float(tone)
    undertone = (1 + rng.normal(0, 0.03), 1 + rng.normal(0, 0.02), 1 + rng.normal(0, 0.04))
    build = _draw_build(rng, gender, age, tone, masculine)
    hair_colour, hair_rgb, brow_rgb = _draw_hair_colour(rng, age, tone)
    eye_colour = str(rng.choice(list(EYES), p=EYE_ODDS[tone > 5]))
    style = _draw_style(rng, presentation, age, tone)
    receding = max(0, rng.normal(0, 0.04)) + 0.22 * build.age * rng.random() * masculine
    skin, makeup, beard = _draw_skin(rng, undertone, tone, masculine)
    brow = Brow(
        raised=float(rng.normal(0, 0.015)),
        arch=float(rng.normal(-0.005 if masculine else 0.015, 0.015)),
        thick=float(np.clip(rng.normal(1.25 if masculine else 0.95, 0.18), 0.6, 1.7)),
        dense=float(rng.uniform(0.75, 1.05)),
    )
    iris, lids, glasses = float(rng.uniform(0.43, 0.47)), float(rng.uniform(0.06, 0.26)), bool(rng.random() < 0.22)
    return Person(
        seed, presentation, age, tone, hair or style, hair_colour, eye_colour, beard, glasses, makeup,
        build, skin, brow, hair_rgb, brow_rgb, _rgb(EYES[eye_colour]), float(receding), iris, lids,
    )  # fmt: skip


def _check(presentation, age, tone, hair) -> None:
    styles = sorted({style for all_ in HAIR_STYLES.values() for style in all_})
    wrong = []
    if presentation is not None and presentation not in PRESENTATIONS:
        wrong.append(f"presentation {presentation!r} is not one of {', '.join(PRESENTATIONS)}")
    if age is not None and not 18 <= age <= 95:
        wrong.append(f"age {age} is not in 18..95 years")
    if tone is not None and not 1 <= tone <= 10:
        wrong.append(f"tone {tone} is not on the Monk scale 1..10")
    if hair is not None and hair not in styles:
        wrong.append(f"hair {hair!r} is not one of {', '.join(styles)}")
    if wrong:
        raise ValueError("person: " + "; ".join(wrong))


def _rgb(colour) -> Colour:
    red, green, blue = (float(c) for c in colour)
    return red, green, blue


def _pick(rng, hexadecimals) -> Colour:
    return _rgb(linear(str(rng.choice(hexadecimals))))


def _draw_build(rng, gender, age, tone, masculine) -> Build:
    years = float(np.clip((age - 25) / 65, 0, 1))
    odds = [0.25 + 0.35 * max(0, tone - 5), 0.5 + 0.15 * (3 < tone < 8), 0.35 + 0.3 * max(0, 6 - tone)]
    mix = _rgb(rng.dirichlet(odds))
    muscle = float(np.clip(rng.normal(0.5 + 0.12 * masculine, 0.13), 0.2, 0.9))
    weight = float(np.clip(rng.normal(0.52, 0.17), 0.1, 0.98))
    height = float(np.clip(rng.normal(0.5, 0.09), 0.3, 0.75))
    return Build(gender, years, muscle, weight, height, mix, _draw_morphs(rng, age))


def _draw_morphs(rng, age) -> tuple[tuple[str, float], ...]:
    morphs = {}
    for negative, positive in _morph_axes():
        scale = 0.45 if negative.startswith(("eyes", "mouth", "neck")) else 0.75
        if negative.startswith("ears"):
            scale = 0.6
        if any(word in negative for word in ("nose-trans", "mouth-trans", "eye-trans")):
            scale *= 0.5
        w = float(np.clip(rng.normal(0, 0.42) * scale * 0.95, -0.62, 0.62))
        key = positive if w > 0 else negative
        morphs[key] = abs(w)
        if "/l-" in key:
            morphs[key.replace("/l-", "/r-")] = abs(w)
    for shape in ("oval", "round", "square", "rectangular", "triangular", "invertedtriangular", "diamond"):
        if rng.random() < 0.3:
            morphs[f"head/head-{shape}"] = float(rng.uniform(0, 0.5))
    if age > 45:
        morphs["head/head-age-incr"] = float(min(1, (age - 45) / 35))
    return tuple(morphs.items())


@cache
def _morph_axes() -> tuple[tuple[str, str], ...]:
    """Opposite morph targets of the face; those of a right half follow the left."""
    from accord_demo.people.template import template

    keys = template().body.targets
    axes = []
    for key in sorted(keys):
        skip = "/r-" in key or "age" in key or ("trans" in key and "head" in key) or "shape" in key
        if key.split("/")[0] not in FACE_REGIONS or skip:
            continue
        for a, b in OPPOSITES:
            if key.endswith("-" + a) and key[: -len(a)] + b in keys:
                axes.append((key, key[: -len(a)] + b))
    return tuple(axes)


def _draw_hair_colour(rng, age, tone) -> tuple[str, Colour, Colour]:
    odds = (0.6, 0.3, 0.1, 0, 0, 0) if tone > 5.5 else (0.25, 0.2, 0.2, 0.15, 0.14, 0.06)
    name = str(rng.choice(["black", "darkbrown", "brown", "lightbrown", "blond", "red"], p=odds))
    if age > 50 and rng.random() < (age - 45) / 30:
        name = "grey" if age < 70 else str(rng.choice(["grey", "white"]))
    elif rng.random() < 0.04:
        name = "dyed"
    hair = HAIR[name] * rng.uniform(0.8, 1.2)
    brow = HAIR["darkbrown"] if name in ("blond", "lightbrown", "dyed", "red") else HAIR[name] * 0.8
    return name, _rgb(hair), _rgb((0.6 * brow + 0.4 * hair) * 0.7)


def _draw_style(rng, presentation, age, tone) -> str:
    styles = HAIR_STYLES[presentation]
    odds = dict.fromkeys(styles, 1.0)
    if tone > 6.5:
        odds |= {"afro": 3, "curly": 3}
        if presentation == "feminine":
            odds |= {"long": 0.5, "bob": 0.5, "wavy": 0.5}
    else:
        odds["afro"] = 0.15
    if age > 55 and presentation == "masculine":
        odds["bald"] = 3
    p = np.array(list(odds.values()))
    return str(rng.choice(styles, p=p / p.sum()))


def _draw_skin(rng, undertone, tone, masculine) -> tuple[Skin, bool, str]:
    ruddy, under_eye = float(rng.uniform(0.5, 1.3)), float(rng.uniform(0.2, 1))
    freckles = max(0.0, float(rng.normal(-0.3, 0.6))) * (tone < 5)
    moles = tuple(
        (float(rng.uniform(-0.55, 0.55)), float(rng.uniform(6.3, 7.8)), float(rng.uniform(0.008, 0.018)))
        for _ in range(rng.integers(0, 5))
    )
    lip = np.array([0.86, 0.56, 0.56] if tone < 6 else [0.92, 0.66, 0.66]) * rng.uniform(0.85, 1.1)
    makeup = not masculine and bool(rng.random() < 0.6)
    lipstick = _pick(rng, LIPSTICKS) if makeup else None
    shadow = _pick(rng, EYE_SHADOWS) if makeup and rng.random() < 0.6 else None
    lash = 1.0 if makeup else (0.55 if masculine else 0.8)
    beard = str(rng.choice(BEARDS, p=[0.45, 0.25, 0.18, 0.12])) if masculine else "none"
    stubble = {"none": 0.12 * masculine, "stubble": 0.5, "short": 0.85, "full": 1.0}[beard]
    skin = Skin(_rgb(undertone), ruddy, under_eye, freckles, moles, _rgb(lip), lipstick, shadow, lash, stubble)
    return skin, makeup, beard
