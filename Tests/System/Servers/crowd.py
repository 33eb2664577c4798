"""Many devices at once."""

import threading
import time

from client import App


def all_at_once(servers: list, tenant: str, count: int, act) -> list:
    """What `act(app, number)` gives for each device; they use the servers in turn, over connections that are open."""
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
    """Asks again until the answer is yes."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
