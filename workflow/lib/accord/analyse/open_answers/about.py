"""Of whom an answer says that somebody is something: of the person, of somebody else, or of the model itself."""

import re

from accord.text.denials import REACH, denied

_BELONGING = re.compile(r"\b(?:his|her|their|my|whose)((?: [\w'-]+){1,3}?)(?:,? who)?$")
_OWN = frozenset((
    "job", "occupation", "profession", "work", "career", "role", "title", "trade", "position", "life", "time",
    "experience", "he", "she", "they", "it", "i", "this", "who", "that",
))  # fmt: skip
"""Words that lead back to the person: her job is, in her free time she is."""
_ALIKE = re.compile(r"\bas \w+$")
_SPEAKER = re.compile(
    r"as an? [^,.]{1,80}, i\b"
    r"|[\w']+ an? (?:[\w-]+ ){0,2}(?:language model|(?:ai|virtual) (?:assistant|model|system)|chatbot)\b"
)


def of_the_person(text: str, verb: re.Match) -> bool:
    """Whether what follows a verb (`is a`, `as the`) in a text is said of the person, and isn't denied.

    Not what somebody of hers is ("her father is"), what she is compared with ("as kind as a nurse"), nor what the model
    says that it is itself ("as an AI language model, I").
    """
    before = text[max(0, verb.start() - REACH) : verb.start()].rstrip()
    other = _BELONGING.search(before)
    if other and not _OWN & set(other[1].split()):
        return False
    alike = verb[0].startswith("as ") and _ALIKE.search(before)
    return not (alike or _SPEAKER.match(text, verb.start()) or denied(text, verb.start(), verb.end()))
