"""Runs many devices at the same time."""

import threading
import time

from client import App


def all_at_once(servers: list, tenant: str, count: int, act) -> list:
    """Calls `act(app, number)` for all devices at once, over open connections to alternating servers."""
    start, results = threading.Barrier(count), [None] * count

    def device(number: int) -> None:
        client = servers[number % len(servers)].new_client()
        client.connect()
        start.wait()
        try:
            results[number] = act(App(client, tenant, "notes"), number)
        except Exception as fault:
            results[number] = fault
        finally:
            client.close()

    threads = [threading.Thread(target=device, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    faults = [result for result in results if isinstance(result, Exception)]
    assert not faults, faults
    return results


def wait_until(condition, seconds: float) -> None:
    """Waits until the condition is true; fails after this many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
