"""Suspicious patterns: a clean cohort is left alone, each planted one is found, and only it."""

import numpy as np
import pandas as pd
import pytest

from accord.checks import patterns
from accord.checks.files.places import kilometres, slowest
from accord.checks.files.programs import EDITED, EDITORS
from accord.checks.suspicion.measures import centimetres, kilograms
from accord.checks.suspicion.rules import RULES, thresholds
from accord.checks.suspicion.within_subject import PROFESSIONAL
from accord.engine import table
from accord.errors import AccordError
from accord.findings import Findings
from accord.intake.tables import Attributes, Forms, People
from accord.statistics.describing.funnel import funnel

VENDORS = ("acme", "bolt")
MODELS = [("Apple", f"iPhone {n}") for n in range(8, 16)] + [("samsung", f"SM-A{n}F") for n in range(510, 517)]
COUNTRIES = ((276, 52.5, 13.4), (404, -1.3, 36.8), (608, 14.6, 121.0))


def cohort(images, subjects=60, each=3):
    """Images, people, attributes and forms of people who live in one place and have a phone of their own."""
    rng = np.random.default_rng(1)
    shots, people, said, forms = [], [], [], []
    for number in range(subjects):
        subject, vendor = f"s{number:02d}", VENDORS[number % 2]
        m49, north, east = COUNTRIES[number % 3]
        make, model = MODELS[number % len(MODELS)]
        for shot in range(each):
            image, day = f"{subject}i{shot}", 1 + 3 * shot + number % 3
            place = rng.normal((north, east), 0.05)
            time = f"2024-05-{day:02d}T{rng.integers(8, 20):02d}:{rng.integers(60):02d}:{rng.integers(60):02d}"
            shots.append({
                "image": image, "subject": subject, "vendor": vendor, "manufacturer": make, "model": model,
                "software": f"{number % 3}.1", "captured_at": time, "gps_latitude": place[0], "gps_longitude": place[1],
                "location_country_m49": m49, "iso_speed_ratings": float(rng.choice([50, 100, 200, 400])),
                "shutter_speed_value": float(rng.choice([6, 7, 8, 9])),
            })  # fmt: skip
            people.append((image, subject, True, 30 + number % 20, *[None] * 8, "a1"))
            said += [(image, subject, *pair, "") for pair in answers(number)]
        born = f"{2024 - 30 - number % 20}-01-{1 + number % 28:02d}"
        agreed = (f"2024-04-{1 + number % 25:02d}", "", born, "n1", "1", "0" * 64, "en", f"{number:064d}", False)
        forms.append((f"f{number}", "consent", "subject_primary", subject, "", "collect", *agreed))
    return {
        "images": images(*shots),
        "people": table.rows(people, People),
        "attributes": table.rows(said, Attributes),
        "forms": table.rows(forms, Forms),
        "findings": table.empty(Findings),
    }


def answers(number):
    some = [(f"natural_{name}", f"{number % k}. x") for k, name in enumerate(("eye", "hair", "skin", "type"), 3)]
    more = [("pronoun", f"{number % 2}. x"), ("ancestry", f"{number % 5}. x"), ("nationality", f"N{number % 7}")]
    return [*some, *more, ("height", str(150 + number)), ("weight", str(50 + number // 2))]


@pytest.fixture
def clean(images):
    return cohort(images)


@pytest.fixture
def found(tmp_path):
    def run(given, left=None, **least):
        file = tmp_path / "forms.parquet"
        table.write(given["forms"], Forms, file)
        parts = [tmp_path / "first.parquet", tmp_path / "second.parquet"]
        for part, rows in zip(parts, (given["attributes"][::2], given["attributes"][1::2]), strict=True):
            table.write(rows, Attributes, part)
        left = given["images"] if left is None else left
        tables = (given["people"], parts, given["findings"])
        return patterns.run(given["images"], left, *tables, [file, file], pattern_thresholds=least)

    return run


def put(rows: pd.DataFrame, where, **values) -> None:
    for name, value in values.items():
        rows.loc[where, name] = value


def of(given, *numbers):
    return given["images"]["subject"].isin([f"s{number:02d}" for number in numbers])


def test_nothing_is_said_of_people_with_ordinary_pictures(clean, found):
    said = found(clean)
    assert said.patterns.empty
    assert said.findings.empty


def test_nothing_is_said_of_nobody(images, found):
    empty = {name: rows.iloc[:0] for name, rows in cohort(images, 2).items()}
    assert found(empty).patterns.empty


def plant_travel(given):
    where = given["images"]["image"] == "s05i1"
    put(given["images"], given["images"]["image"] == "s05i0", captured_at="2024-05-03T10:00:00")
    put(given["images"], where, captured_at="2024-05-03T12:00:00", gps_latitude=-33.9, gps_longitude=18.4)


def plant_countries(given):
    put(given["images"], of(given, 5), gps_latitude=None, gps_longitude=None, captured_at="2024-05-03T10:00:00")
    put(
        given["images"], given["images"]["image"] == "s05i1", location_country_m49=36, captured_at="2024-05-03T10:40:00"
    )


def plant_devices(given):
    extra = pd.concat([given["images"][given["images"]["image"] == "s05i0"]] * 2)
    extra["image"] = ["s05i8", "s05i9"]
    given["images"] = pd.concat([given["images"], extra], ignore_index=True)
    put(given["images"], of(given, 5), model=["A", "B", "C", "D", "E"], captured_at="")


def plant_settings(given):
    where = given["images"]["model"] == MODELS[0][1]
    put(given["images"], given["images"]["model"].isin([m for _, m in MODELS[:5]]), model=MODELS[0][1])
    where = given["images"]["model"] == MODELS[0][1]
    put(given["images"], where, iso_speed_ratings=100.0, shutter_speed_value=7.0, manufacturer="Apple", software="9")
    put(given["images"], where, software=[f"{i}" for i in range(where.sum())])


def plant_answers(given):
    for number in (4, 5, 6):
        where = given["attributes"]["subject"] == f"s{number:02d}"
        given["attributes"].loc[where, "value"] = [value for _, value in answers(4)] * 3


def plant_text(given):
    text = "a long story that nobody tells the same way twice"
    put(given["attributes"], given["attributes"]["image"].isin(["s04i0", "s05i0", "s06i0"])
        & (given["attributes"]["attribute"] == "height"), value=text)  # fmt: skip


def plant_measure(name, value, hours=48):
    """Another height or weight of a person, said so many hours after the first one."""

    def plant(given):
        first = pd.Timestamp("2024-05-03T10:00:00")
        for shot, later in enumerate((0, hours, 9 * 24)):
            time = (first + pd.Timedelta(hours=later)).isoformat()
            put(given["images"], given["images"]["image"] == f"s05i{shot}", captured_at=time)
        where = (given["attributes"]["image"] == "s05i1") & (given["attributes"]["attribute"] == name)
        put(given["attributes"], where, value=value)

    return plant


def plant_failures(given):
    own = given["images"]["vendor"] == "bolt"
    failing = given["images"].loc[own, "image"].iloc[::2]
    rows = [(image, "exif", None, None, "fail", "x") for image in failing]
    given["findings"] = table.rows(rows, Findings)


def plant_boxes(given):
    """A delivery of two subjects: of two of its six images boxes fit no face."""
    own = of(given, 1, 3)
    put(given["images"], own, delivery="second")
    rows = [(image, "face_box_seen", 1.0, 0.6, "review", "x") for image in ("s01i0", "s03i2")]
    given["findings"] = table.rows(rows, Findings)


def on_images(*numbers, **values):
    return lambda given: put(given["images"], of(given, *numbers), **values)


def on_forms(count, **values):
    return lambda given: put(given["forms"], given["forms"].index < count, **values)


ALL = range(60)
PLANTED = {
    "travel": (plant_travel, {5}),
    "countries": (plant_countries, {5}),
    "many_devices": (plant_devices, {5}),
    "age": (lambda given: put(given["people"], given["people"]["image"] == "s05i1", age=28), {5}),
    "height": (plant_measure("height", "1.60 m"), {5}),
    "weight": (plant_measure("weight", "100 lb"), {5}),
    "professional_camera": (on_images(5, manufacturer="Canon", model="Canon EOS-1D X Mark II"), {5}),
    "edited": (on_images(5, software="Adobe Photoshop 25.1 (Windows)"), {5}),
    "same_answers": (plant_answers, {4, 5, 6}),
    "same_text": (plant_text, {4, 5, 6}),
    "same_second": (on_images(2, 4, 6, captured_at="2024-05-03T12:00:00"), {2, 4, 6}),
    "same_place": (on_images(0, 6, 12, 18, 24, gps_latitude=52.51234, gps_longitude=13.41), {0, 6, 12, 18, 24}),
    "boxes_elsewhere": (plant_boxes, {1, 3}),
    "device_share": (on_images(*range(0, 36, 2), model="X1", manufacturer="Y", software="1"), set(range(0, 36, 2))),
    "device_settings": (plant_settings, set()),
    "shared_form": (on_forms(2, evidence_sha256="f" * 64), {0, 1}),
    "signing_day": (on_forms(40, signed_on="2024-04-26"), set(range(40))),
    "vendor_failures": (plant_failures, set(range(1, 60, 2))),
}


def test_every_rule_has_a_planted_case():
    assert set(PLANTED) == set(RULES)


@pytest.mark.parametrize("rule", PLANTED)
def test_what_is_planted_is_found_and_nothing_else(clean, found, rule):
    plant, numbers = PLANTED[rule]
    plant(clean)
    said = found(clean)
    assert set(said.patterns["rule"]) == {rule}
    whose = said.findings["image"].str[1:3].astype(int)
    verdict = "info" if rule == "vendor_failures" else "review"
    assert set(said.findings["check"]) == {f"pattern_{rule}"}
    assert set(said.findings["verdict"]) == {verdict}
    images = clean["images"].set_index("image")["subject"].str[1:].astype(int)
    if numbers:
        assert set(whose) == numbers
        assert set(said.findings["image"]) == set(images[images.isin(numbers)].index)
    of_several = set() if RULES[rule].level in ("subject", "vendor") else set(said.findings["image"])
    assert set(said.pattern_images["image"]) == of_several
    assert set(said.pattern_images["unit"]) == (set(said.patterns["unit"]) if of_several else set())


@pytest.mark.parametrize(
    ("name", "value", "hours"),
    [
        ("height", "159", 48), ("height", "160", 48.1), ("height", "tall", 1), ("height", "5'1\"", 1),
        ("weight", "56", 48), ("weight", "90", 49), ("weight", "a lot", 1),
    ],
)  # fmt: skip
def test_what_moves_in_days_or_cannot_be_read_is_no_pattern(clean, found, name, value, hours):
    """Subject 5 says 155 cm and 52 kg."""
    plant_measure(name, value, hours)(clean)
    assert found(clean).patterns.empty


@pytest.mark.parametrize(
    ("text", "cm"),
    [
        ("176", 176), (" 176 CM", 176), ("1.76", 176), ("1,76 m", 176), ("5'9\"", 175.26), ("5 ft 9 in", 175.26),
        ("6ft", 182.88), ("17", None), ("5", None), ("2026-05-01", None), ("176 kg", None), ("", None),
    ],
)  # fmt: skip
def test_heights_as_people_write_them(text, cm):
    assert centimetres(text) == (cm if cm is None else pytest.approx(cm))


@pytest.mark.parametrize(("text", "kg"), [("67", 67), ("67,5 kg", 67.5), ("148 lbs", 67.13), ("7", None), ("x", None)])
def test_weights_as_people_write_them(text, kg):
    assert kilograms(text) == (kg if kg is None else pytest.approx(kg, abs=0.01))


def test_no_reason_repeats_a_height(clean, found):
    plant_measure("height", "170")(clean)
    assert found(clean).patterns["reason"].tolist() == [
        "the height declared in images at most 48 hours apart differs by 15 cm"
    ]


def test_the_order_of_rows_has_no_say(clean, found):
    for plant, _ in PLANTED.values():
        plant(clean)
    said = found(clean)
    mixed = {name: rows.sample(frac=1, random_state=3).reset_index(drop=True) for name, rows in clean.items()}
    again = found(mixed)
    pd.testing.assert_frame_equal(said.patterns, again.patterns)
    pd.testing.assert_frame_equal(said.findings, again.findings)


def test_what_another_check_stopped_is_evidence_but_gets_no_finding(clean, found):
    plant_travel(clean)
    said = found(clean, left=clean["images"][clean["images"]["image"] != "s05i1"])
    assert said.findings["image"].tolist() == ["s05i0", "s05i2"]
    assert said.patterns[["subjects", "images"]].to_numpy().tolist() == [[1, 3]]


def test_a_threshold_of_ones_own_and_an_unknown_rule(clean, found):
    on_images(5, software="GIMP 2.10")(clean)
    assert found(clean, edited=4).patterns.empty
    with pytest.raises(AccordError, match="there is no rule 'flying'"):
        thresholds({"flying": 1})


def test_an_age_may_be_that_of_any_signature(clean, found):
    """Signed at 34 and again years later: an age between, or that of the capture, is no surprise; one beyond is."""
    again = clean["forms"][clean["forms"]["subject"] == "s05"].assign(form="g5", signed_on="2031-05-01")
    clean["forms"] = pd.concat([clean["forms"], again], ignore_index=True)
    where = clean["people"]["image"] == "s05i1"
    for age, rules in ((35, []), (42, []), (44, ["age"]), (32, ["age"])):
        put(clean["people"], where, age=age)
        assert found(clean).patterns["rule"].tolist() == rules


@pytest.mark.parametrize(
    ("name", "pattern", "whether"),
    [
        ("Canon Canon EOS 5D Mark IV", PROFESSIONAL, True),
        ("NIKON CORPORATION NIKON D5", PROFESSIONAL, True),
        ("SONY ILCE-7RM4", PROFESSIONAL, True),
        ("NIKON CORPORATION NIKON D5600", PROFESSIONAL, False),
        ("Canon Canon EOS 80D", PROFESSIONAL, False),
        ("SONY ILCE-6000", PROFESSIONAL, False),
        ("Apple iPhone 15 Pro", PROFESSIONAL, False),
        ("GIMP 2.10.34", EDITED, True),
        ("DALL-E 3", EDITED, True),
        ("Randall firmware 1.0", EDITED, False),
        ("Dallmeier 4.2", EDITORS, False),
        ("DALL·E3", EDITORS, True),
        ("DALL.E 2", EDITORS, True),
        ("Getty Images", EDITED, True),
        ("Getty Images", EDITORS, False),
        ("HDR+ 1.0.540", EDITED, False),
        ("G973FXXSGHWC1", EDITED, False),
    ],
)
def test_names_of_cameras_and_programs(name, pattern, whether):
    assert bool(pattern.search(name)) == whether


def test_reasons_hold_nothing_that_was_delivered(clean, found):
    for plant, _ in PLANTED.values():
        plant(clean)
    said = found(clean)
    text = " ".join([*said.patterns["reason"], *said.findings["reason"]])
    assert not [word for word in ("s05", "iPhone", "Canon", "2024-", "52.5", "story", "Photoshop") if word in text]


def test_distances_on_earth():
    """Paris to New York: 5,837 km by geographic tables; a quarter of the meridian is 10,007.5 km."""
    assert kilometres(48.8566, 2.3522, 40.7128, -74.0060) == pytest.approx(5837, abs=1)
    assert kilometres(0, 0, 90, 0) == pytest.approx(10007.5, abs=0.5)


def test_a_flight_into_yesterday_is_possible():
    """Tokyo to Los Angeles, 8,800 km: lands seven hours before it left, by the clocks, and took ten."""
    assert slowest(np.array([8800.0]), np.array([-7.0]), np.array([-118.2 - 139.7]))[0] < 1000
    assert slowest(np.array([8800.0]), np.array([1.0]), np.array([0.0]))[0] > 1000


def test_the_funnel_is_the_score_test_of_two_rates():
    """With independent images z is the pooled two-sample z: 30 of 100 against 10 of 100 gives 3.536 (by hand:
    0.2 / sqrt(0.2 * 0.8 * 0.02))."""
    rows = [("a", f"a{i}", "exif", int(i < 30), 1) for i in range(100)]
    rows += [("b", f"b{i}", "exif", int(i < 10), 1) for i in range(100)]
    made = funnel(pd.DataFrame(rows, columns=["vendor", "subject", "check", "failed", "images"])).set_index("vendor")
    dispersion = 200 / 199  # of Bernoulli trials: sum (x - p)^2 / (p (1 - p)) / (n - 1)
    assert made.loc["a", "z"] == pytest.approx(0.2 / np.sqrt(0.16 * 0.02 * dispersion))
    assert made.loc["a", "others"] == 0.1
    assert made.loc["b", "p_value"] > 0.99


def test_images_of_one_person_fail_together():
    """Ten of one person's images are one accident: no outlier."""
    rows = [("a", f"a{i}", "exif", 10 * (i == 0), 10) for i in range(20)]
    rows += [("b", f"b{i}", "exif", 0, 10) for i in range(20)]
    made = funnel(pd.DataFrame(rows, columns=["vendor", "subject", "check", "failed", "images"])).set_index("vendor")
    assert made.loc["a", "z"] < 3
    assert made.loc["a", "p_value"] > 0.01


def test_a_vendor_alone_has_no_peers():
    rows = pd.DataFrame([("a", "s", "exif", 1, 2)], columns=["vendor", "subject", "check", "failed", "images"])
    assert funnel(rows)[["others", "z", "p_value"]].isna().all(axis=None)


def test_among_equal_vendors_an_outlier_is_rare():
    """100 fair funnels of twelve vendors, of people whose images fail together: 5% may raise an alarm."""
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(100):
        rows = [
            (f"v{v}", f"v{v}s{s}", "c", int(rng.binomial(4, rng.beta(1, 9))), 4) for v in range(12) for s in range(8)
        ]
        made = funnel(pd.DataFrame(rows, columns=["vendor", "subject", "check", "failed", "images"]))
        alarms += int((made["p_value"] < 0.05).any())
    assert alarms <= 12
