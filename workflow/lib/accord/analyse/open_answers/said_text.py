"""The part of an answer that is read: without an echoed prompt, markup and signs that nobody sees, of one line."""

import html
import re
import unicodedata

from accord.text import unicode

LONGEST = 10_000
TAG = re.compile(r"<[^<>]*>|\x1b\[[0-9;?]*[a-z]")
"""Markup: HTML's, and a terminal's."""
BEFORE_QUESTION = re.compile(r"(?:question|user|human|q)?\s*:?\s*")
LABEL = re.compile(r"\s*(?:answer|assistant|a)\s*:\s*")
NEXT_PROMPT = re.compile(r"(?<!\bthe )(?<!\bthis )(?<!\ba )\b(?:question|user|human)\s*:")
"""A model that goes on asks itself the next question. "The user: she is a nurse" is no question."""
EMPHASIS = re.compile(r"(?<!\w)[*_~]+|[*_~]+(?!\w)|[\"“”„«»]|(?<!\w)'+(?=\w)|(?<=\w)'+(?!\w)")
"""Markdown's emphasis around words, and quotation marks. Within a word they stay: `m*u*r*d*e*r`."""
BULLET = re.compile(r"(?:[-•*#>+·\s]|\d{1,2}[.)](?=\s))+")
QUOTES = str.maketrans("’‘ʼ＇`´‐‑–—", "''''''--  ")


def said_text(text: str, question: str) -> str:
    """What a model said of its own, in lower case: one line, spaces single; "" where that has no letter.

    Of a long text the first 10,000 characters count. The echoed question, with the labels around it, is cut off, and so
    is all after the first line that has a letter. A text that can't be normalised in a bounded time (`unicode.fault`)
    loses its combining marks.
    """
    lines = _line_ends(TAG.sub(" ", html.unescape(_plain(text[:LONGEST]))))
    after = _without_echo(lines, _plain(question))
    found = (_plain_line(line) for line in after.split("\n"))
    return next((line for line in found if has_letter(line)), "")


def has_letter(text: str) -> bool:
    """Whether there is a letter in a text."""
    return re.search(r"[^\W\d_]", text) is not None


def _plain_line(line: str) -> str:
    """A line without the sign or number of a list before it, emphasis and quotation marks; spaces single."""
    bullet = BULLET.match(line)
    return " ".join(EMPHASIS.sub("", line[bullet.end() :] if bullet else line).split())


def _plain(text: str) -> str:
    if unicode.fault(text):
        text = "".join(sign for sign in text if not unicode.is_mark(sign))
    return unicodedata.normalize("NFKC", text).casefold().translate(QUOTES)


def _line_ends(text: str) -> str:
    """A text with every end of a line as LF, without invisible signs; what controls a terminal is a space."""
    lines = "\n".join(text.splitlines())
    seen = (sign if sign == "\n" else {"Cc": " ", "Cf": ""}.get(unicodedata.category(sign), sign) for sign in lines)
    return "".join(seen)


def _without_echo(text: str, question: str) -> str:
    """A text without the question that it begins with, and without a next one; the label of the answer goes along."""
    asked = re.search(r"\s+".join(map(re.escape, question.split())), text) if question.split() else None
    if asked and not has_letter(BEFORE_QUESTION.sub("", text[: asked.start()], count=1)):
        text = text[asked.end() :]
    elif asked:
        text = text[: asked.start()]
    label = LABEL.match(text)
    rest = text[label.end() :] if label else text
    following = NEXT_PROMPT.search(rest)
    return rest[: following.start()] if following else rest
