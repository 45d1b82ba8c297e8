"""Protocols: whose definitions the scores follow."""

from accord.errors import AccordError, Problem

ACCORD, FHIBE_API = "accord", "fhibe_api"
PROTOCOLS = (ACCORD, FHIBE_API)

WORDS = {
    ACCORD: "Scores follow Accord's own definitions (protocol accord).",
    FHIBE_API: "Scores follow the definitions of FHIBE's public Evaluation API, row for row (protocol fhibe_api), so "
    "that they can be compared with figures that were made with it. Groups, intervals and claims are Accord's.",
}
"""What a report says of each."""


def is_api(protocol: str) -> bool:
    """Whether a protocol is that of FHIBE's public Evaluation API. Raises AccordError where there is no such one."""
    if protocol not in PROTOCOLS:
        raise AccordError(Problem("protocol", f"not a valid protocol: {protocol!r}", f"one of {', '.join(PROTOCOLS)}"))
    return protocol == FHIBE_API


def needed(table: object, name: str, step: str) -> None:
    """Raises AccordError where a step is not given a table without which this protocol can't be followed."""
    if table is None:
        raise AccordError(Problem(step, f"protocol {FHIBE_API} needs the table {name}", f"give --{name}"))
