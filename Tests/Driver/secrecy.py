"""Remembers every secret that the tests made and everything that servers and commands wrote to standard error."""

_secrets: set[str] = set()
_heard: list[str] = []


def keep(secret: str) -> str:
    """Makes a text a secret from now on, and for what was written before."""
    assert len(secret) >= 8, "a text this short would be found by chance"
    _secrets.add(secret)
    return secret


def heard(text: str) -> None:
    """Takes what was written."""
    _heard.append(text)


def leaks() -> list[str]:
    """The lines that tell a secret, in any case, with or without its dashes."""
    wanted = {form for secret in _secrets for form in (secret.lower(), secret.lower().replace("-", ""))}
    return [
        line for text in _heard for line in text.splitlines()
        if any(secret in line.lower() for secret in wanted)]


def count() -> tuple[int, int]:
    """How many secrets are known, and how many lines were written."""
    return len(_secrets), sum(text.count("\n") for text in _heard)
