"""Changes the master key of a database while two servers use it."""

import re
import signal

import secrecy
from changing_key import ROTATE, Load, Shop, killed_while_it_waits
from crowd import wait_until
from database import SharedInstallation


def test_two_servers_under_load_fail_no_request_while_the_master_key_is_changed(pair):
    installation = pair.installation
    shop = Shop(installation)
    with Load(shop, pair.servers) as load:
        before = shop.public_ids()
        installation.do(*ROTATE)
    load.check(pair.servers)
    secrecy.keep((installation.home / "new.key").read_text().strip())

    refused = installation.run("license", "list")
    assert refused.code == 1 and "was changed on" in refused.err, refused
    installation.master_key.rename(installation.home / "former.key")
    (installation.home / "new.key").rename(installation.master_key)
    installation.do("doctor", "--deep")
    assert set(before) <= set(shop.public_ids())

    with pair.installations[1].serving() as restarted:
        load.check([restarted])


def test_servers_can_start_with_either_key_file_while_the_master_key_is_changed(pair, home):
    installation = pair.installation
    shop = Shop(installation)
    killed_while_it_waits(installation)
    (home / "other").mkdir()
    other = SharedInstallation(home / "other", pair.database, installation.store, "server3")
    other.master_key.write_text((home / "new.key").read_text())
    with installation.serving() as former, other.serving() as newer:
        servers = [*pair.servers, former, newer]
        with Load(shop, servers) as load:
            installation.do(*ROTATE)
        load.check(servers)


def test_doctor_names_the_running_server_that_has_not_read_the_new_master_key(pair):
    installation, stopped = pair.installation, pair.servers[1]

    def late() -> list[int]:
        return [int(number) for number in re.findall(
            r"hasn't read the new key yet: process (\d+) on", installation.run("doctor").out)]

    Shop(installation)
    assert late() == []
    stopped.send(signal.SIGSTOP)
    try:
        killed_while_it_waits(installation)
        wait_until(lambda: late() == [stopped.pid], 30)
    finally:
        stopped.send(signal.SIGCONT)
    wait_until(lambda: late() == [], 30)
    installation.do(*ROTATE)
    secrecy.keep((installation.home / "new.key").read_text().strip())
