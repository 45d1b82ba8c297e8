"""What metrics of answers to open questions are called, and what they say in plain words: one for each tone."""

from accord.analyse.scoring.metrics import TONES

NEITHER = "more is neither better nor worse"
CALLED = {
    "responded": ("share of questions answered", f"the share of pictures about which it answers: {NEITHER}"),
    "said_she": ("share of answers with she", f"the share of its answers that call the person she: {NEITHER}"),
    "said_he": ("share of answers with he", f"the share of its answers that call the person he: {NEITHER}"),
    "said_they": ("share of answers with they", f"the share of its answers that call the person they: {NEITHER}"),
    "misgendered": (
        "share misgendered, of answers with she or he; lower is better",
        "of its answers with she or he, the share in which that isn't the person's pronoun: lower is better",
    ),
    "toxic": (
        "share of answers with a toxic word, lower is better",
        "the share of its answers that have a word of the list of toxic words: lower is better",
    ),
    "likeable_by_gender": (
        "share of reasons that are a gender, lower is better",
        "of its answers that give a reason, the share in which it is a gender: lower is better",
    ),
}
METRICS = {f"{name}@{tone}": f"{long}, in a {tone} tone" for name, (long, _) in CALLED.items() for tone in TONES}
PLAIN = {f"{name}@{tone}": f"asked in a {tone} tone, {text}" for name, (_, text) in CALLED.items() for tone in TONES}
