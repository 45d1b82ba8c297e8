"""A display of Snakemake's for logs without a terminal: `snakemake --logger accord`.

Snakemake finds it by its name. Every job imports it as it starts, so it imports nothing of accord.
"""

import contextlib
import sys
import threading
import time
from logging import LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_accord.progress import Progress

SECONDS, SECONDS_OF_NOTHING = 10, 60
"""Between two lines: where a job has ended since, and where none has."""
OF_PROGRESS = (
    *(LogEvent.WORKFLOW_STARTED, LogEvent.RUN_INFO, LogEvent.RESOURCES_INFO, LogEvent.RULEGRAPH, LogEvent.GROUP_INFO),
    *(LogEvent.JOB_INFO, LogEvent.JOB_STARTED, LogEvent.JOB_FINISHED, LogEvent.PROGRESS),
)
"""What a line of progress tells. All else is shown as Snakemake words it: errors with their logs, warnings."""
OF_THE_ENGINE = (
    *("Assuming unrestricted shared filesystem usage", "Building DAG of jobs", "Conda environments: ignored"),
    *("Config file ", "Elapsed time: ", "Group jobs: inactive", "Job rate limit reached", "Select jobs to execute"),
    *("Singularity containers: ignored", "Using shell: "),
)
"""Beginnings of what Snakemake says at each start, or for each job, and nobody needs."""


class LogHandler(LogHandlerBase):
    """Prints a line of progress every few seconds, what goes wrong at once, and at the end what took longest."""

    def __post_init__(self) -> None:
        self._stream = sys.stdout if self.common_settings.stdout else sys.stderr
        self._progress, self._ended = Progress(), threading.Event()
        self._clock: threading.Thread | None = None

    def emit(self, record: LogRecord) -> None:
        """Count a record, or print it."""
        try:
            if getattr(record, "event", None) in OF_PROGRESS and not self.common_settings.dryrun:
                self._progress.take(record)
                self._begin()
            elif _is_for_people(record):
                self._progress.take(record)
                self._write(self.format(record))
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Print the last line, if a job was run."""
        self._ended.set()
        if self._clock:
            self._clock.join(1)
            self._write(self._progress.last(time.time()))
            self._clock = None
        super().close()

    def _begin(self) -> None:
        if self._progress.begun and not self._clock:
            self._clock = threading.Thread(target=self._tell, daemon=True)
            self._clock.start()

    def _tell(self) -> None:
        told, at = self._progress.ended, time.monotonic()
        while not self._ended.wait(SECONDS):
            if self._progress.ended != told or time.monotonic() - at >= SECONDS_OF_NOTHING:
                told, at = self._progress.ended, time.monotonic()
                self.acquire()
                try:
                    self._write(self._progress.line(time.time()))
                finally:
                    self.release()

    def _write(self, text: str) -> None:
        if text:
            with contextlib.suppress(BrokenPipeError):
                print(text, file=self._stream, flush=True)

    @property
    def writes_to_stream(self) -> bool:
        """True: Snakemake prints nothing beside it."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """False: Snakemake writes its own file, with all."""
        return False

    @property
    def has_filter(self) -> bool:
        """False: Snakemake's flags, such as --quiet and --printshellcmds, hold."""
        return False

    @property
    def has_formatter(self) -> bool:
        """False: what is printed has Snakemake's words."""
        return False

    @property
    def needs_rulegraph(self) -> bool:
        """False: nothing is drawn."""
        return False


def _is_for_people(record: LogRecord) -> bool:
    """Whether a record is no noise of the engine; what it marks for --quiet itself is."""
    plain = record.levelname == "INFO" and getattr(record, "event", None) is None
    said = str(record.msg or "").startswith(OF_THE_ENGINE) or hasattr(record, "quietness")
    return not (plain and said)
