"""The data of a report: the tables of a release, its record, and its models."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from accord.protocol import ACCORD

WHOLE = "all"
CROSSED = " x "


class _Parts(Mapping[str, pd.DataFrame]):
    """A part of each of some tables: made when it is asked for, once. Most questions are about few of them."""

    def __init__(self, tables: Mapping[str, pd.DataFrame], part: Callable[[pd.DataFrame], pd.DataFrame]):
        self._tables, self._part, self._made = tables, part, dict[str, pd.DataFrame]()

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._made:
            self._made[name] = self._part(self._tables[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


class ReportData(NamedTuple):
    """tables: name -> table, as `report.index` takes them; release: its record; models: name -> entry; protocol: whose
    definitions the scores follow; support_of: what the support of an error pattern is a share of; told: model -> its
    answers (`telling.answers`), as far as they are known."""

    tables: Mapping[str, pd.DataFrame]
    release: dict
    models: dict[str, dict]
    title: str
    caution: str
    protocol: str = ACCORD
    support_of: str = "errors"
    told: Mapping[str, list[Any]] = MappingProxyType({})

    def __getattr__(self, name: str) -> pd.DataFrame:
        """A table by its name."""
        try:
            return self.tables[name]
        except KeyError:
            raise AttributeError(name) from None

    def of(self, model: str) -> "ReportData":
        """The same of one model."""
        kept = _Parts(self.tables, lambda table: _of(table, model))
        return self._replace(tables=kept, models={model: self.models[model]})

    def by(self, metric: str) -> "ReportData":
        """The same of one metric."""
        return self._replace(tables=_Parts(self.tables, lambda table: _where(table, "metric", metric)))

    def ran(self, *tasks: str) -> list[str]:
        """The models that were not left out for want of weights, by name: of some tasks, or of all."""
        here = {name: entry["task"] for name, entry in self.models.items() if "missing" not in entry}
        return sorted(name for name, task in here.items() if not tasks or task in tasks)

    def evaluated(self) -> list[str]:
        """The models that have scores, by task and name."""
        scored = set(self.tables["groups"]["model"])
        return sorted(scored & self.models.keys(), key=lambda name: (self.models[name]["task"], name))


def _of(table: pd.DataFrame, model: str) -> pd.DataFrame:
    if "model_after" in table.columns:
        return table[(table["model_before"] == model) | (table["model_after"] == model)]
    return _where(table, "model", model)


def _where(table: pd.DataFrame, column: str, value: str) -> pd.DataFrame:
    return table[table[column] == value] if column in table.columns else table


def single(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of single attributes: neither of everyone nor of intersections."""
    return table[~crossed(table) & (table["attribute"] != WHOLE)]


def crossed(table: pd.DataFrame) -> pd.Series:
    """Which rows are of intersections."""
    return table["attribute"].str.contains(CROSSED, regex=False)
