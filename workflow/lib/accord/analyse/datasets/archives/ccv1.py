"""Casual Conversations v1: the videos of `CasualConversations.json`, and what is said of who speaks in them."""

from pathlib import Path

from accord.analyse.datasets.gathered import ANNOTATED, STATED, Dataset, Gathered
from accord.release.archives import ccv1, reading
from accord.release.archives.reading import Bounded


def read(folder: Path, problems: Bounded) -> Dataset:
    """An image is a video, named by its path; people are named by their number."""
    made = Gathered(problems)
    for file in reading.several(folder, ccv1.FILES, problems)[:1]:
        for person in ccv1.people(file, problems):
            _person(person, made)
    return made.dataset()


def _person(person: ccv1.Person, made: Gathered) -> None:
    for video in person.videos:
        if made.person(person.where, video, person.subject, age=person.age):
            for name, value, annotated in ccv1.said(person, video):
                made.say(person.where, video, person.subject, name, value, ANNOTATED if annotated else STATED)
