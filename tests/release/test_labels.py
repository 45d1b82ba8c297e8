"""Labels as FHIBE's tables spell them."""

import pytest

from accord.intake.reading.countries import countries
from accord.release.format import labels
from accord.vocabularies import ATTRIBUTES


@pytest.mark.parametrize(
    ("country", "label"),
    [("India", "93. Indian"), ("Angola", "5. Angolan"), ("South Africa", "184. South African"),
     ("United States of America", "3. American"), ("Viet Nam", "218. Vietnamese"), ("Zimbabwe", "224. Zimbabwean"),
     ("Democratic Republic of the Congo", "46. Congolese (DRC)"), ("Greenland", "81. Greenlandic")],
)  # fmt: skip
def test_a_nationality_has_fhibes_number(country, label):
    """The labels are those of rows of FHIBE, and of the groups of its Evaluation API."""
    assert labels.published("nationality", [country]) == [label]
    assert labels.taken("nationality", label) == country


@pytest.mark.parametrize(
    ("said", "told"),
    [(["15. Southern Asia"], ["11. Asia", "15. Southern Asia"]), (["0. Africa"], ["0. Africa"]), ([], []),
     (["21. Western Europe", "4. Southern Africa"],
      ["0. Africa", "17. Europe", "21. Western Europe", "4. Southern Africa"])],
)  # fmt: skip
def test_an_ancestry_has_its_region(said, told):
    assert labels.published("ancestry", said) == told


def test_what_people_wrote_themselves_is_not_told():
    assert labels.published("nationality", ["a small island", "Earth", "Aruba"]) == [
        "225. Not listed",
        "226. Free-text",
    ]
    assert labels.published("facial_marks", ["10. Report string", "1. Tattoos"]) == ["1. Tattoos", "10. Free-text"]
    assert labels.taken("facial_marks", "10. Free-text") == "10. Report string"


@pytest.mark.parametrize("label", ["64. English", "191. Stateless", "225. Not listed", "226. Free-text"])
def test_labels_of_no_country_stay_as_they_are(label):
    assert labels.published("nationality", [labels.taken("nationality", label)]) == [label]


def test_every_label_comes_back_as_it_was():
    for name, attribute in ATTRIBUTES.items():
        told = [label for given in attribute.labels for label in labels.published(name, [given])]
        if name != "ancestry":
            assert [labels.taken(name, label) for label in told] == list(attribute.labels)
        assert not any("Report string" in label for label in told)


def test_no_two_countries_share_a_label():
    told = [labels.published("nationality", [country.name]) for country in countries().values()]
    listed = [label for [label] in told if label != "225. Not listed"]
    assert len(listed) == len(set(listed)) > 200
