"""Records every secret that the tests make and everything that servers and commands log, to find leaks."""

# Tens of thousands of secrets are indexed by their beginning, so each position of a line needs only one lookup.
BEGINNING = 8

_secrets: set[str] = set()
_heard: list[str] = []


def keep(secret: str) -> str:
    """Registers a secret; the output so far is checked for it as well."""
    assert len(secret) >= BEGINNING, "a text this short would be found by chance"
    _secrets.add(secret)
    return secret


def heard(text: str) -> None:
    """Records output, in which `leaks` searches for secrets."""
    _heard.append(text)


def leaks() -> list[str]:
    """The lines that contain a secret, in any case, with or without its dashes."""
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
    """The number of registered secrets and of distinct lines of output."""
    return len(_secrets), len(_distinct_lines())
