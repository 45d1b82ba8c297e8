"""The terms: the offer is one by ODRL's information model, and says what the text says."""

import copy
import json
import re

import jsonschema
import pytest

from accord.release.papers import terms

FACTS = {"dataset": "a dataset, of ours", "version": "1.2.3"}
ACTIONS = ["use", "distribute", "delete", "inform"]
"""Of ODRL Vocabulary 2.2, section 4.9, those that the terms need."""

IRI = {"type": "string", "pattern": r"^(urn|https?):[^\s,]+$"}
LEFT = ["purpose", "event", "elapsedTime", "spatial", "dateTime", "recipient", "count"]
OPERATORS = ["eq", "gt", "gteq", "lt", "lteq", "neq", "isA", "hasPart", "isPartOf", "isAllOf", "isAnyOf", "isNoneOf"]
NAMED = {"type": "object", "required": ["@id"], "properties": {"@id": IRI}, "additionalProperties": False}
DURATION = {
    "type": "object",
    "required": ["@value", "@type"],
    "properties": {
        "@value": {"type": "string", "pattern": r"^P\d+[DWMY]$"},
        "@type": {"const": "http://www.w3.org/2001/XMLSchema#duration"},
    },
    "additionalProperties": False,
}
CONSTRAINT = {  # ODRL Information Model 2.2, section 2.5.1
    "type": "object",
    "required": ["leftOperand", "operator", "rightOperand"],
    "properties": {
        "leftOperand": {"enum": LEFT},
        "operator": {"enum": OPERATORS},
        "rightOperand": {"anyOf": [NAMED, DURATION, {"type": "array", "items": NAMED, "minItems": 1}]},
    },
    "additionalProperties": False,
}
SEQUENCE = {"type": "array", "minItems": 2, "items": CONSTRAINT}
LOGICAL = {  # section 2.5.3
    "type": "object",
    "required": ["andSequence"],
    "properties": {
        "andSequence": {"type": "object", "required": ["@list"], "properties": {"@list": SEQUENCE}},
    },
    "additionalProperties": False,
}
RULE = {  # section 2.6
    "type": "object",
    "required": ["action"],
    "properties": {
        "action": {"enum": ACTIONS},
        "constraint": {"type": "array", "minItems": 1, "items": {"anyOf": [CONSTRAINT, LOGICAL]}},
        "dct:description": {"type": "string"},
    },
    "additionalProperties": False,
}
RULES = {"type": "array", "minItems": 1, "items": RULE}
OFFER = {  # section 2.1: a uid, a rule; an Offer has an assigner; 2.7.1: what all rules share stands in the policy
    "type": "object",
    "required": ["@context", "@type", "uid", "assigner", "target"],
    "anyOf": [{"required": [kind]} for kind in terms.KINDS],
    "properties": {
        "@context": {"type": "array", "contains": {"const": "http://www.w3.org/ns/odrl.jsonld"}},
        "@type": {"const": "Offer"},
        "uid": IRI,
        "assigner": IRI,
        "target": IRI,
        "conflict": {"enum": ["perm", "prohibit", "invalid"]},
        "dct:description": {"type": "string"},
        **dict.fromkeys(terms.KINDS, RULES),
    },
    "additionalProperties": False,
}


@pytest.fixture
def offer() -> dict:
    return json.loads(terms.offer(FACTS))


def test_it_is_an_offer_by_odrls_model(offer):
    jsonschema.validate(offer, OFFER)


def broken(offer: dict) -> list[dict]:
    cases = [copy.deepcopy(offer) for _ in range(6)]
    del cases[0]["assigner"]
    del cases[1]["permission"][0]["action"]
    cases[2]["prohibition"][0]["action"] = "misuse"
    del cases[3]["obligation"][0]["constraint"][0]["andSequence"]["@list"][1]["operator"]
    cases[4]["target"] = "no iri"
    cases[5] = {key: value for key, value in cases[5].items() if key not in terms.KINDS}
    return cases


def test_what_is_none_would_be_seen(offer):
    for case in broken(offer):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(case, OFFER)


def test_each_clause_of_the_text_is_in_the_offer_and_nothing_else(offer):
    clauses = re.split(r"^\d+\. ", terms.text(FACTS), flags=re.M)[1:]
    written = {" ".join(clause.split()) for clause in clauses}
    assert len(clauses) == 6
    said = [rule["dct:description"] for kind in terms.KINDS for rule in offer[kind]]
    assert {*said, offer["dct:description"]} == written
    assert {kind: len(offer[kind]) for kind in terms.KINDS} == {"permission": 1, "prohibition": 4, "obligation": 2}


def test_every_word_of_a_purpose_is_said_in_its_clause(offer):
    for rule in offer["permission"] + offer["prohibition"]:
        purposes = [one["@id"] for c in rule.get("constraint", []) for one in c["rightOperand"]]
        for purpose in purposes:
            words = purpose.rpartition(":")[2].split("-")
            assert [w for w in words if w not in rule["dct:description"]] in ([], ["or"]), purpose


def test_the_days_of_the_text_are_those_of_the_offer(offer):
    days = {
        constraint["rightOperand"]["@value"]
        for rule in offer["obligation"]
        for constraint in rule["constraint"][0]["andSequence"]["@list"]
        if constraint["leftOperand"] == "elapsedTime"
    }
    assert days == {f"P{found}D" for found in re.findall(r"within (\d+) days", terms.text(FACTS))}


def test_it_names_dataset_and_version_as_urns(offer):
    assert offer["target"] == "urn:accord:release:a%20dataset%2C%20of%20ours:1.2.3"
    assert terms.text(FACTS).startswith("Terms of use of a dataset, of ours 1.2.3\n")
    assert max(map(len, terms.text(FACTS).splitlines())) <= 120
