"""What a line of text tells of a person: plates, numbers, addresses. Only the kind is told, never the text.

Numbers that carry check digits are held against them (Luhn, ISO/IEC 7812-1; mod 97, ISO 13616-1). The rest are patterns
of form, which ask a person and decide nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

PLATE, EMAIL, PHONE, IBAN, PAYMENT, ZONE = "plate", "email", "phone", "iban", "payment_card", "machine_readable_zone"
DOCUMENT, BIRTH, ADDRESS, HANDLE = "identity_document", "birth", "address", "handle"

# Letters (A) and digits (9) of number plates, without separators: of most of Europe, the Americas, Asia and Africa.
PLATE_SHAPES = (
    "AA999AA", "AA99AAA", "A999AAA", "AAA999", "AAA9999", "AAA99A", "AAA999A", "AAA999AA", "AAA9A99", "9AAA999",
    "999AAA", "9999AAA", "AA9999", "AA99999", "A99999", "AA9999AA", "AA999A", "A9999AA", "A9999AAA", "AA99AA9999",
    "AA99A9999", "AA9A9999", "99AAA9", "9AAA99", "99AA99", "AA9999A", "A999AA99", "A999AA999", "99A99999", "99A9999",
    "AAAA999", "AAA99", "AA999", "99AAA999", "99AA999", "99AA9999",
)  # fmt: skip
# What readers take for each other may stand for either, but not everywhere.
LETTER, DIGIT = "[A-Z01258]", "[0-9OIZSB]"
PLATES = re.compile("|".join(shape.replace("A", LETTER).replace("9", DIGIT) for shape in PLATE_SHAPES))
CHINESE_PLATE = re.compile(r"[\u4e00-\u9fff][A-Z][A-Z0-9]{5,6}")
SEPARATORS = re.compile(r"[\s.·•:_\-–—]+")

MAIL = re.compile(r"[\w.+%-]{1,64}\s?[@＠]\s?[\w-]+(\s?\.\s?[a-z]{2,})+", re.I)
ACCOUNT = re.compile(r"(^|\s)@[a-z_][\w.]{2,29}($|\s)", re.I)
DATE = re.compile(r"(?<!\d)(\d{1,2}[./ -]\d{1,2}[./ -](19|20)?\d{2}|(19|20)\d{2}[./ -]\d{1,2}[./ -]\d{1,2})(?!\d)")
NUMBER = re.compile(r"(?<![\w+])(\+|00|\(?0)?[\d()][\d\s()./-]{5,22}\d(?!\w)")
CALL = re.compile(r"((?<!\w)(tel|mobile|mob|cell|call)|phone|fax|whats ?app|telefon|handy)\b", re.I)
ACCOUNT_NUMBER = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
PAYMENT_NUMBER = re.compile(r"(?<!\d)[2-6](?:[ -]?\d){12,18}(?!\d)")
MRZ = re.compile(r"[A-Z0-9<]*<<[A-Z0-9<]*")
WORDS = {
    DOCUMENT: (
        "id card", "identity card", "identification card", "passport", "passeport", "pasaporte", "passaporte",
        "reisepass", "personalausweis", "driving licence", "driver license", "drivers license", "driver's license",
        "fuhrerschein", "permis de conduire", "licencia de conducir", "carteira de identidade", "carte d'identite",
        "carta d'identita", "cedula de", "documento nacional", "residence permit", "aadhaar", "kartu tanda penduduk",
        "social security", "student card", "membership card", "health card", "visa electron", "given names", "surname",
        "nationality",
    ),
    BIRTH: ("born", "birth", "dob", "geboren", "geburtsdatum", "naissance", "nacimiento", "nascimento", "nascita"),
}  # fmt: skip
STREETS = (
    "street", "st", "road", "rd", "lane", "ln", "avenue", "ave", "boulevard", "blvd", "drive", "court", "terrace",
    "crescent", "square", "close", "strasse", "str", "platz", "allee", "gasse", "straat", "gade", "gatan", "sokak",
    "caddesi", "ulica", "ul", "utca", "rue", "chemin", "quai", "calle", "carrera", "avenida", "av", "plaza", "rua",
    "travessa", "estrada", "via", "viale", "piazza", "corso", "jalan", "jl",
)  # fmt: skip
ENDINGS = ("strasse", "str", "weg", "platz", "allee", "gasse", "straat", "gade", "gatan", "vej", "laan")
HOUSE = re.compile(r"\d{1,5}[a-z]?")
NEAR = 4
LONGEST = 200
"""Characters of a line that are looked at: more is no line."""


def kinds(text: str) -> set[str]:
    """The kinds of personal data that a line of text holds."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST]).strip()
    bare = _without_accents(plain).casefold()
    found = {kind for kind, words in WORDS.items() if any(_has(bare, word) for word in words)}
    found |= {kind for kind, test in TESTS.items() if test(plain)}
    return found | ({ADDRESS} if address(bare) else set())


def over_lines(lines: Iterable[str]) -> set[str]:
    """The kinds of numbers that lines which stand together hold, in the order in which they are read, where a number is
    broken over them. A word must say that it is a telephone: timetables and prices are digits in lines, too."""
    text = unicodedata.normalize("NFKC", " ".join(line[:LONGEST] for line in lines))
    calls = {PHONE} if CALL.search(text) and phone(text) else set()
    return calls | {kind for kind in (IBAN, PAYMENT) if TESTS[kind](text)}


def luhn(digits: str) -> bool:
    """Whether a string of digits ends in its Luhn check digit (ISO/IEC 7812-1, annex B)."""
    if not (digits.isascii() and digits.isdigit()):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def iban(text: str) -> bool:
    """Whether a text is an IBAN whose check digits are right: mod 97 is 1 (ISO 13616-1)."""
    packed = re.sub(r"\s", "", text)
    if not ACCOUNT_NUMBER.fullmatch(packed):
        return False
    return int("".join(str(int(sign, 36)) for sign in packed[4:] + packed[:4])) % 97 == 1


def plate(text: str) -> bool:
    """Whether a text is formed as a number plate: a known order of letters and digits, with both in it."""
    packed = SEPARATORS.sub("", text)
    if CHINESE_PLATE.fullmatch(packed):
        return True
    if not PLATES.fullmatch(packed):
        return False
    return bool(re.search("[A-Z]", packed) and re.search("[0-9]", packed))


def phone(text: str) -> bool:
    """Whether a text holds a telephone number: 7 to 15 digits (ITU-T E.164), with a prefix or a word that says so."""
    if DATE.search(text):
        return False
    for match in NUMBER.finditer(text):
        count = sum(sign.isdigit() for sign in match[0])
        if 7 <= count <= 15 and (match[1] or CALL.search(text) or count in (10, 11)):
            return True
    return False


def address(text: str) -> bool:
    """Whether a text, in small letters, holds a street and the number of a house near it, with a name between them or
    in the street's own word."""
    words = re.findall(r"[^\W_]+", text)
    houses = [place for place, word in enumerate(words) if HOUSE.fullmatch(word)]
    for place, word in enumerate(words):
        whole = word in STREETS
        if not whole and not any(word.endswith(end) and len(word) > len(end) + 2 for end in ENDINGS):
            continue
        others = [w for w in words[max(0, place - NEAR) : place + NEAR + 1] if w.isalpha() and w != word]
        if any(abs(place - house) <= NEAR for house in houses) and (others or not whole):
            return True
    return False


def _payment(text: str) -> bool:
    return any(luhn(re.sub(r"\D", "", match[0])) for match in PAYMENT_NUMBER.finditer(text))


def _account(text: str) -> bool:
    """An IBAN anywhere in the text: it starts at a word, and goes on over spaces."""
    packed = [re.sub(r"\s", "", text[match.start() :]) for match in re.finditer(r"\b[A-Z]{2}\s?\d{2}", text)]
    return any(iban(part[:end]) for part in packed for end in range(15, min(len(part), 34) + 1))


def _zone(text: str) -> bool:
    packed = re.sub(r"\s", "", text.replace("|", "I").replace("《", "<<").replace("«", "<<"))
    return len(packed) >= 12 and bool(MRZ.fullmatch(packed)) and packed.count("<") >= 3


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _without_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


TESTS = {
    PLATE: plate,
    EMAIL: lambda text: MAIL.search(text) is not None,
    HANDLE: lambda text: ACCOUNT.search(text) is not None,
    PHONE: phone,
    IBAN: _account,
    PAYMENT: _payment,
    ZONE: _zone,
}
