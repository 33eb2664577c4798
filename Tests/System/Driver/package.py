"""The app packages of the examples, for tests."""

import sys

from program import PACKAGE

sys.path.append(str(PACKAGE / "Examples/app-store-connect"))

from packages import CHUNK, Package  # noqa: E402, F401
