"""Checks that a change is acknowledged only once it has been synced to disk.

The kernel keeps the writes of a killed process, so killing the server can't show whether it waits for the sync. Instead,
the test makes syncs fail.
"""

import subprocess
from pathlib import Path

import installation as driver
from catalogs import catalog, fresh_key, license, policy, product
from client import App
from installation import Installation


class FailingInstallation(Installation):
    """An installation on a disk whose syncs fail while `failing` exists."""

    def __init__(self, home: Path):
        super().__init__(home)
        self.failing, self.library = home / "failing", home / "failing_sync.so"
        source = Path(driver.__file__).with_name("failing_sync.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"LD_PRELOAD": str(self.library), "FAILING_SYNC": str(self.failing)}


def test_an_unsynced_change_is_not_acknowledged(home):
    key, installation = fresh_key(), FailingInstallation(home)
    installation.apply(catalog("acme", product(policies=[policy(activationLimit=100)], licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        acknowledged = {app.activated(key, "Before")}
        instance, = acknowledged
        installation.failing.touch()
        for answer in (app.activate(key, "During"), app.deactivate(instance)):
            assert answer.status in (500, 503), answer
            assert "lease" not in answer.json
        installation.failing.unlink()
        acknowledged.add(app.activated(key, "After"))
        assert acknowledged <= set(installation.places(key))
    installation.do("doctor")
