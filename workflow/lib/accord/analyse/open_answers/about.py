"""Of whom an answer says that somebody is something: of the person, somebody else, or itself; and if it says so."""

import re

from accord.text.denials import REACH, clause_before, denied

_BELONGING = re.compile(r"\b(?:his|her|their|my|whose)((?: [\w'-]+){1,3}?)(?:,? who)?$")
_OWN = frozenset((
    "job", "occupation", "profession", "work", "career", "role", "title", "trade", "position", "life", "time",
    "experience", "he", "she", "they", "it", "i", "this", "who", "that",
))  # fmt: skip
"""Words that lead back to the person: her job is, in her free time she is."""
_BESIDE = re.compile(
    r"\b(?:next to|beside|behind|near|alongside|around|opposite|in front of|with) (?:him|her|them|(?:this|the) \w+)$"
)
"""What ends a subject that is somebody else: the man next to her."""
_NOT_HELD = re.compile(
    r"\b(?:far from|anything but|short of|stereotyp|clich|prejudic|myth|suspect|suspicion|accus|alleg|rumou?r|pretend"
    r"|imagin|dream|hop(?:e|es|ed|ing)\b|want|wish|aspir|would like|plan)"
)
"""What tells of something without holding it: it is a stereotype that she is, suspected of being."""
_OTHERS = (
    r"(?:people|some|others|many|they|neighbou?rs|witnesses|critics|every(?:one|body)|some(?:one|body)|media|police)"
)
_HEARSAY = re.compile(
    rf"\b{_OTHERS}(?: \w+)?(?: \w+)? (?:says?|said|tells?|told|claim(?:s|ed)?|thinks?|thought|believe[ds]?)\b[^.;!?]*$"
    rf"|\b(?:allegedly|reportedly|supposedly|according to (?:\w+ ){{0,3}}(?:rumou?rs?|gossip|hearsay|legend|{_OTHERS}))"
    r"\b[^.;!?]*$"
)
"""What others say up to the end of a sentence, also of a subject behind a comma: according to rumours, he is."""
_PLAYED = re.compile(r"\b(?:dress(?:ed|es|ing)?|disguised?|masquerad(?:es|ed|ing)|pos(?:es|ed|ing)|made)(?: up)?$")
"""Before "as a": what somebody plays, and needn't be."""
_WILL_BE = re.compile(r"(?:\b(?:will|shall)|'ll)(?: \w+)?(?: \w+)?$")
_TO_BE = re.compile(r"\bto$")
_HELD_TO_BE = re.compile(
    r"\b(?:appear|seem|look|happen|prove|turn)(?:s|ed)?(?: out)?(?: \w+)? to$"
    r"|\b(?:likely|known|job is|occupation is) to$"
)
"""An infinitive says what is only after these: she seems to be; not "she hopes to be", "she used to be"."""
_ALIKE = re.compile(r"\bas \w+$")
_SPEAKER = re.compile(
    r"as an? [^,.]{1,80}, i\b"
    r"|[\w']+ an? (?:[\w-]+ ){0,2}(?:language model|(?:ai|virtual) (?:assistant|model|system)|chatbot)\b"
)


def of_the_person(text: str, verb: re.Match) -> bool:
    """Whether what follows a verb (`is a`, `as the`) in a text is said of the person, and isn't denied.

    Not what somebody of hers or beside her is ("her father is", "the man next to her is"), what she is compared with
    ("as kind as a nurse") or dressed as, what isn't held to be so ("suspected of being", "hopes to be", "used to be",
    "will be", "people say that she is"), nor what the model says that it is itself ("as an AI language model, I").
    """
    before = text[max(0, verb.start() - REACH) : verb.start()].rstrip()
    other = _BELONGING.search(before)
    if other and not _OWN & set(other[1].split()):
        return False
    if _BESIDE.search(before) or _NOT_HELD.search(clause_before(text, verb.start())) or _HEARSAY.search(before):
        return False
    if verb[0].startswith("be ") and _WILL_BE.search(before):
        return False
    if verb[0].startswith("be ") and _TO_BE.search(before) and not _HELD_TO_BE.search(before):
        return False
    alike = verb[0].startswith("as ") and (_ALIKE.search(before) or _PLAYED.search(before))
    return not (alike or _SPEAKER.match(text, verb.start()) or denied(text, verb.start(), verb.end()))
