"""Remembers every secret that the tests made and everything that servers and commands wrote to standard error."""

# Tens of thousands of secrets are looked up by how they begin, so that each place of a line is looked at once.
BEGINNING = 8

_secrets: set[str] = set()
_heard: list[str] = []


def keep(secret: str) -> str:
    """Makes a text a secret from now on, and for what was written before."""
    assert len(secret) >= BEGINNING, "a text this short would be found by chance"
    _secrets.add(secret)
    return secret


def heard(text: str) -> None:
    """Takes what was written."""
    _heard.append(text)


def leaks() -> list[str]:
    """The lines that tell a secret, in any case, with or without its dashes."""
    by_beginning: dict[str, set[str]] = {}
    for secret in _secrets:
        for form in (secret.lower(), secret.lower().replace("-", "")):
            by_beginning.setdefault(form[:BEGINNING], set()).add(form)

    def tells(line: str) -> bool:
        return any(
            line.startswith(form, place)
            for place in range(len(line) - BEGINNING + 1)
            for form in by_beginning.get(line[place:place + BEGINNING], ()))

    return [line for line in _distinct_lines() if tells(line)]


def _distinct_lines() -> set[str]:
    return {line.lower() for text in _heard for line in text.splitlines()}


def count() -> tuple[int, int]:
    """How many secrets are known, and how many different lines were written."""
    return len(_secrets), len(_distinct_lines())
