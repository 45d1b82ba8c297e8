"""Which sections a page has, in order. A section is a function from report data to a section: add it here."""

from collections.abc import Callable

from accord.report.drawing.blocks import Section
from accord.report.foundation import (
    asked,
    classes,
    crop,
    misgendered,
    occupations,
    open_questions,
    places,
    pronouns,
    toxic,
    untold,
    variants,
)
from accord.report.overview import glance, ranges
from accord.report.reading.report_data import ReportData
from accord.report.sections import (
    causes,
    changes,
    collected,
    comparisons,
    curves,
    disparities,
    extremes,
    groups,
    intersections,
    layout,
    models,
    numbers,
    patterns,
    people,
    recalls,
    recognition,
    robustness,
)

FIRST: tuple[Callable[[ReportData], Section], ...] = (
    ranges.section,
    glance.section,
    disparities.section,
    models.section,
    changes.section,
    people.section,
    layout.section,
    collected.section,
    numbers.section,
)
"""Of the first page."""

OF_MODEL: tuple[Callable[[ReportData], Section], ...] = (
    groups.section,
    intersections.section,
    extremes.section,
    comparisons.section,
    robustness.section,
    causes.section,
    patterns.section,
)
"""Of the page of a model."""

OF_FOUNDATION: tuple[Callable[[ReportData], Section], ...] = (
    asked.section,
    pronouns.section,
    misgendered.section,
    variants.section,
    places.section,
    untold.section,
    crop.section,
    open_questions.section,
    toxic.section,
    occupations.section,
    classes.section,
)
"""Of the page of foundation models."""

OF_TASK: dict[str, tuple[Callable[[ReportData], Section], ...]] = {
    "face_verification": (recognition.section, curves.section),
    "visual_question": (recalls.section,),
}
"""What the pages of models of a task have besides."""


def of_model(data: ReportData, task: str) -> list[Section]:
    """The sections of a model's page."""
    return [section(data) for section in (*OF_MODEL, *OF_TASK.get(task, ()))]


def of_all(data: ReportData) -> list[Section]:
    """The sections of the first page."""
    return [section(data) for section in FIRST]


def of_foundation(data: ReportData) -> list[Section]:
    """The sections of the page of foundation models: the first, and others that have something to tell."""
    first, *others = [section(data) for section in OF_FOUNDATION]
    return [first, *(one for one in others if one.blocks)]
