"""Reads letters with Python's `email` package, and compares them with the fields from which they were written.

read_letters.py FILE: a JSON list of objects with `sender`, `recipient`, `subject`, `body` and the message's `bytes` in
base64. Prints the number of letters, or the first difference.
"""

import base64
import email
import email.policy
import json
import re
import sys

# Characters that a header can't contain; the program replaces them with a space.
BREAKS = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029]+")
HEADERS = ["From", "Reply-To", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type",
           "Content-Transfer-Encoding", "Auto-Submitted", "X-Auto-Response-Suppress", "X-PM-KeepID"]


def one_line(text: str) -> str:
    return BREAKS.sub(" ", text).strip(" ")


def check(letter: dict[str, str]) -> None:
    """Raises AssertionError if the message differs from the letter."""
    message = email.message_from_bytes(base64.b64decode(letter["bytes"]), policy=email.policy.SMTP)
    assert message.keys() == HEADERS, message.keys()
    assert not message.defects, message.defects
    for header in HEADERS:
        assert not message[header].defects, (header, message[header].defects)
    for header, name, address in [("From", "sender", "keys@acme.example"), ("To", "recipient", "ada.b+c@shop.example")]:
        (mailbox,) = message[header].addresses
        assert mailbox.addr_spec == address, mailbox.addr_spec
        # Python up to 3.12 separates the encoded words of a name with spaces.
        expected = one_line(letter[name]).replace(" ", "")
        assert mailbox.display_name.replace(" ", "") == expected, (mailbox.display_name, letter[name])
    assert message["Subject"] == one_line(letter["subject"]), (message["Subject"], letter["subject"])
    body = letter["body"].replace("\r\n", "\n").replace("\r", "\n")
    if body and not body.endswith("\n"):
        body += "\n"
    content = message.get_content().replace("\r\n", "\n")
    assert content == body, (content, body)


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        letters = json.load(file)
    for letter in letters:
        check(letter)
    print(f"{len(letters)} letters")


main()
