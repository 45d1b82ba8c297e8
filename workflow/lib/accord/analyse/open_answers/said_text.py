"""The part of an answer that is read: without an echoed prompt, markup and signs that nobody sees, of one line."""

import html
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from accord.text import unicode

LONGEST = 10_000
TAG = re.compile(r"<[^<>]*>|\x1b\[[0-9;?]*[a-z]")
"""Markup: HTML's, and a terminal's."""
THOUGHT = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
"""What a model says to itself begins, or ends, here."""
NAMED, ANSWERED = frozenset(("occupation", "job", "profession")), frozenset(("answer", "label"))
"""Names in JSON and tables: of what is an occupation, and of what is the answer."""
BEFORE_QUESTION = re.compile(r"(?:question|user|human|q)?\s*:?\s*")
LABEL = re.compile(r"\s*(?:answer|assistant|label|a)\s*:\s*")
NEXT_PROMPT = re.compile(r"(?<!\bthe )(?<!\bthis )(?<!\ba )\b(?:question|user|human)\s*:")
"""A model that goes on asks itself the next question. "The user: she is a nurse" is no question."""
FENCE = re.compile(r"^[^\S\n]*(?:```|~~~)\w*\s*$", re.MULTILINE)
"""Blanks before it are those of its line: else each of many empty lines would look through all after it."""
LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
BOX = re.compile(r"\\(?:boxed|fbox|text|textbf|mathrm|mathbf)\{([^{}]*)\}")
_FRAMES = "│┃║|┌┐└┘├┤─━═╔╗╚╝╭╮╰╯$"
RULE = re.compile(r":?-+:?")
FRAMES = str.maketrans(_FRAMES, " " * len(_FRAMES))
LONGEST_HEADING = 80
DEPTH = 3
EMPHASIS = re.compile(r"(?<!\w)[*_~]+|[*_~]+(?!\w)|[\"“”„«»]|(?<!\w)'+(?=\w)|(?<=\w)'+(?!\w)")
"""Markdown's emphasis around words, and quotation marks. Within a word they stay: `m*u*r*d*e*r`."""
BULLET = re.compile(r"(?:[-•*#>+·\s]|\d{1,2}[.)](?=\s))+")
QUOTES = str.maketrans("’‘ʼ＇`´‐‑–—", "''''''--  ")


def said_text(text: str, question: str) -> str:
    """What a model said of its own, in lower case: one line, spaces single; "" where that has no letter.

    A heading is read with the line behind it, JSON as lines of names and texts; of links, frames and boxes the text.
    Of a long text the first 10,000 characters count. The echoed question, with the labels around it, is cut off, and so
    is all after the first line that has a letter. A text that can't be normalised in a bounded time (`unicode.fault`)
    loses its combining marks. What a model says to itself (`<think>`) isn't said.
    """
    lines = _line_ends(TAG.sub(" ", html.unescape(_plain(_of_table(_of_json(_spoken(text)[:LONGEST]))))))
    after = _without_echo(_unframed(lines), _plain(question))
    found = [line for line in after.split("\n") if has_letter(line)]
    if len(found) > 1 and _is_heading(found[0]):
        heading = _plain_line(found[0]).rstrip(" :")
        return f"{heading}{' ' if heading.endswith((' is', ' as')) else ': '}{_plain_line(found[1])}"
    return _plain_line(found[0]) if found else ""


def _spoken(text: str) -> str:
    """What stands outside of reasoning: one without an end goes on to the end, one without a beginning (that may be in
    the prompt) began with the text."""
    marks = list(THOUGHT.finditer(text))
    ends = [mark.end() for mark in marks if mark[1]]
    start = ends[-1] if ends else 0
    stop = next((mark.start() for mark in marks if mark.start() >= start), len(text))
    before = text[: marks[0].start()] if ends and not marks[0][1] else ""
    return f"{before}\n{text[start:stop]}" if before.strip() else text[start:stop]


def _is_heading(line: str) -> bool:
    """Whether a line says what the next one tells."""
    plain = line.strip()
    return len(plain) <= LONGEST_HEADING and (plain.startswith("#") or plain.rstrip("*_~ ").endswith(":"))


def _of_json(text: str) -> str:
    """The texts of a JSON document, a line each behind its name, first what is named as the answer; any other text as
    it is."""
    plain = FENCE.sub("", text).strip()
    if not plain.startswith(("{", "[")):
        return text
    try:
        return "\n".join(sorted(_texts(json.loads(plain), DEPTH), key=lambda line: not _is_answer(line))) or text
    except (ValueError, RecursionError):
        return text


def _of_table(text: str) -> str:
    """What a Markdown table names as the answer, in a column or beside a name; any other text as it is."""
    rows = [
        [cell.strip(" *_`") for cell in line.strip().strip("|").split("|")] for line in text.split("\n") if "|" in line
    ]
    ruled = [row for row in rows if all(RULE.fullmatch(cell) for cell in row)]
    told = [row for row in rows if row not in ruled]
    if not ruled or not told:
        return text
    columns = [pair for row in told[1:2] for pair in zip(told[0], row, strict=False)]
    pairs = columns + [(row[0], row[1]) for row in told if len(row) > 1]
    found = [f"{name}: {cell}" for name, cell in pairs if _is_answer(f"{name}: {cell}")]
    return found[0] if found else text


def _is_answer(line: str) -> bool:
    """Whether a line is a name that answers have, and a text."""
    name, _, said = line.partition(": ")
    return name.casefold() in NAMED | ANSWERED and has_letter(said)


def _texts(document: Any, depth: int) -> Iterator[str]:
    """Texts of a document of some depth."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict | list) and depth:
        parts = document.items() if isinstance(document, dict) else (("", part) for part in document)
        for name, part in parts:
            yield from (f"{name}: {one}" if name and isinstance(part, str) else one for one in _texts(part, depth - 1))


def _unframed(text: str) -> str:
    """A text without fences, frames, boxes and addresses of links."""
    for _ in range(DEPTH):
        text = BOX.sub(r"\1", text)
    return LINK.sub(r"\1", FENCE.sub("", text)).translate(FRAMES)


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
