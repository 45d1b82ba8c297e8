"""Scopes of consent in plain words, for people who read what is recorded."""

from accord.consent.deciding.grants import BIOMETRIC, COLLECT, COPYRIGHT, EVERYTHING, EXTERNAL, PUBLISH_IMAGE, TRAIN

WORDS = {
    COLLECT: "collecting and keeping data",
    PUBLISH_IMAGE: "publishing images",
    BIOMETRIC: "recognising the face",
    TRAIN: "training models",
    EXTERNAL: "use by models on other servers",
    COPYRIGHT: "use under copyright",
    "annotator_demographics": "publishing an annotator's own attributes",
    EVERYTHING: "everything",
}
ATTRIBUTES = {"publish_attr": "publishing {}", "aggregate_attr": "counting {} in statistics"}
"""Kind of a scope of an attribute -> what it permits."""


def words(scope: str) -> str:
    """What a scope permits; one that isn't known as it is written."""
    kind, _, name = scope.partition(":")
    if kind in ATTRIBUTES and name:
        return ATTRIBUTES[kind].format("all attributes" if name == EVERYTHING else name.replace("_", " "))
    return WORDS.get(scope, scope)
