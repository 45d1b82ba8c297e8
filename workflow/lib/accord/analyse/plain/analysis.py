"""What `analyse` returns: the tables, and a page, a plot or a summary of them."""

from pathlib import Path

from accord import command_line
from accord.analyse.plain.found import Found
from accord.analyse.plain.showing import page, plot
from accord.analyse.plain.showing.words import lines
from accord.files import replace
from accord.pages.drawing import Drawing


class Analysis(Found):
    """The tables of a comparison of groups. A notebook shows the four answers and the groups' intervals."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The summary, as `accord analyse` prints it."""
        return "\n".join(lines(self))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return page.fragment(self)

    def to_html(self, title: str = "Groups compared") -> str:
        """A page with the four answers, plots and tables of each metric. It loads nothing from elsewhere."""
        return page.whole(self, title)

    def report(self, path: Path | str, title: str = "Groups compared", where: str = "report") -> Path:
        """Write `to_html` to a file in a folder that exists; its path. Raises AccordError where it can't."""
        file, text = Path(path), self.to_html(title).encode()
        with command_line.writing(file, where):
            replace(file, text)
        return file

    def plot(self, metric: str = "", attribute: str = "", model: str = "", task: str = "") -> Drawing:
        """Each group's mean with its 95% interval, by one metric of one model; `attribute`: of this one alone.

        Can be left out: what the table has only one of; of several metrics, the first by name is drawn.
        Raises AccordError for a metric, attribute, model or task that wasn't compared.
        """
        return plot.drawing(self, {"task": task, "model": model, "metric": metric}, attribute)
