"""Libraries that tests load into the program with LD_PRELOAD."""

import fcntl
import functools
import itertools
import shutil
import subprocess
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from program import PACKAGE

EXPONENT = 65537
GENERATED = 5


def preloaded(name: str, folder: Path) -> Path:
    """Compiles a library from its C file in this folder."""
    library = folder / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    return library


@functools.cache
def ready_keys() -> tuple[Path, Path]:
    """A folder with RSA keys, and the library with which the program takes them instead of generating its own.

    A marketplace needs two keys of 3,072 bits, and generating them takes about a second of processor time. Hundreds of
    tests create a marketplace; the keys are made once in each clone.
    """
    folder = PACKAGE / ".build/test-keys"
    folder.parent.mkdir(exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            new = folder.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            for number, key in enumerate(keys()):
                der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
                (new / f"{number}.der").write_bytes(der)
            preloaded("ready_keys", new)
            new.rename(folder)
    return folder, folder / "ready_keys.so"


def keys() -> list[rsa.RSAPrivateKey]:
    """Keys that share their primes: 45 of them, although only five are generated. Only tests may use such keys."""
    generated = [rsa.generate_private_key(EXPONENT, 3072).private_numbers() for _ in range(GENERATED)]
    pairs = itertools.combinations([prime for key in generated for prime in (key.p, key.q)], 2)
    return [key_of(p, q) for p, q in pairs]


def key_of(p: int, q: int) -> rsa.RSAPrivateKey:
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q),
        rsa.RSAPublicNumbers(EXPONENT, p * q))
    return numbers.private_key()
