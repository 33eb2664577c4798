"""Reads texts as other programs do, and compares the results with those of Tenure's program.

Usage: text_readers.py FILE

Each line of the file has a kind of text, the text and the program's result, separated by tabs. Texts are in hexadecimal;
a result is a list of texts, separated by commas, or - for none. Prints the first differences, and exits with 1 if there is
one.
"""

import csv
import io
import re
import sys
import urllib.parse

BLANKS = b" \t"


def elements(text: bytes):
    return [part.strip(BLANKS) for part in text.split(b",") if part.strip(BLANKS)]


def last_element(text: bytes):
    return [text.rsplit(b",", 1)[-1].strip(BLANKS)]


def cookies(text: bytes):
    pairs = [pair.split(b"=", 1) for pair in text.split(b";") if b"=" in pair]
    return [value for name, value in pairs if name.lstrip(b" ") == b"a"]


def form(text: bytes):
    items = []
    for pair in filter(None, text.split(b"&")):
        sides = [side.replace(b"+", b" ") for side in (pair.split(b"=", 1) + [b""])[:2]]
        if any(re.search(rb"%(?![0-9A-Fa-f]{2})", side) for side in sides):
            return None
        items += [urllib.parse.unquote_to_bytes(side) for side in sides]
    try:
        b"".join(items).decode()
        [item.decode() for item in items]
    except UnicodeDecodeError:
        return None
    return items if len(set(items[::2])) == len(items) // 2 else None


def lines(text: bytes):
    return text.removeprefix(b"\xef\xbb\xbf").splitlines()


def rows(text: bytes):
    # A row's cells are followed by its number of cells, so that rows can't be confused.
    read = csv.reader(io.StringIO(text.decode(), newline=""), strict=True)
    return [part for row in read for part in [cell.encode() for cell in row] + [str(len(row)).encode()]]


DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def key(text: bytes):
    """The license key in a text, without its dashes; only keys in the format of issued keys are found."""
    letters = ""
    for letter in text.decode():
        code = ord(letter)
        if code in (0x130, 0x131):
            letter = "I"
        elif 0xFF01 <= code <= 0xFF5E:
            letter = chr(code - 0xFEE0)
        if letter.isascii() and letter.isalnum():
            letters += letter.upper()
        elif letter.isalnum():
            return None
    half = len(letters) // 2
    if len(letters) > 24 and letters[:half] == letters[half:] and len(letters) % 2 == 0:
        letters = letters[:half]
    prefix, digits = letters[:-16], letters[-16:].translate(str.maketrans("OIL", "011"))
    if not 2 <= len(prefix) <= 8 or any(digit not in DIGITS for digit in digits):
        return None
    rest = 0
    for digit in digits:
        rest <<= 1
        rest = (rest ^ 0b100101 if rest & 0b100000 else rest) ^ DIGITS.index(digit)
    return [(prefix + digits).encode()] if rest == 0 else None


READERS = {
    "elements": elements, "last": last_element, "cookies": cookies, "form": form, "lines": lines, "rows": rows, "key": key}


def main(path: str) -> int:
    count, wrong = 0, 0
    with open(path, encoding="ascii") as file:
        for line in file:
            kind, text, result = line.rstrip("\n").split("\t")
            own = READERS[kind](bytes.fromhex(text))
            told = "-" if own is None else ",".join(part.hex() for part in own)
            count += 1
            if told != result:
                wrong += 1
                if wrong <= 10:
                    print(f"{kind} {bytes.fromhex(text)!r}: {result}, but Python reads {told}")
    print(f"{count} texts, {wrong} differ")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
