"""Applies the Containerfile without a container engine, and runs the server as a container would."""

import json
import shlex
import subprocess

import pytest
from containerfile import Containerfile
from empty_system import EmptySystem


@pytest.fixture(scope="module")
def image(unpacked, tmp_path_factory):
    """The Containerfile, and a system to which its instructions were applied."""
    file = Containerfile(unpacked / "packaging/Containerfile")
    assert file.base == "docker.io/library/debian:12-slim"
    system = EmptySystem("bookworm", tmp_path_factory.mktemp("image") / "system")
    file.build(system, unpacked)
    return file, system


def contained(image, volume, script: str) -> subprocess.CompletedProcess:
    """Runs a script in which `${run[@]}` runs a command in the container: read-only, with a volume, as its user."""
    file, system = image
    group = system.run("id", "-g", file.user).strip()
    environment = file.environment | {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    root = shlex.quote(str(system.folder))
    variables = " ".join(shlex.quote(f"{name}={value}") for name, value in environment.items())
    text = f"""
        set -eu
        ip link set lo up
        mount --bind {root} {root}
        mount --bind {shlex.quote(str(volume))} {root}{file.volume}
        mount -t proc proc {root}/proc
        mount -o remount,bind,ro {root}
        run=(chroot --userspec={file.user}:{group} --groups= {root} env -i {variables})
        {script}"""
    return subprocess.run(
        ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "bash", "-c", text],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


@pytest.fixture
def volume(image, tmp_path):
    """An empty volume, which an engine creates with the owner and mode of the image's folder."""
    file, system = image
    folder = tmp_path / "volume"
    subprocess.run(["cp", "-a", f"{system.folder}{file.volume}", folder], check=True)
    assert list(folder.iterdir()) == []
    return folder


def test_the_server_in_the_container_runs_as_the_images_user_on_a_read_only_file_system(image, volume):
    file, _ = image
    entry = shlex.join(file.entry_point)
    done = contained(image, volume, f"""
        "${{run[@]}}" {entry} init >&2
        "${{run[@]}}" {entry} {shlex.join(file.command)} >/tmp/ready.$$ &
        server=$!
        until "${{run[@]}}" {shlex.join(file.health_check)}; do kill -0 $server; read -rt 0.2 <> <(:) || true; done
        curl -sf http://127.0.0.1:8080/ready
        # Commands in the container need no option.
        "${{run[@]}}" {entry} status >&2
        if "${{run[@]}}" touch /tmp/changed 2>/dev/null; then echo "the system can be written" >&2; exit 1; fi
        kill $server
        wait $server
        rm /tmp/ready.$$
        ! "${{run[@]}}" {shlex.join(file.health_check)} 2>/dev/null""")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "ready"
    owners = {path.stat().st_uid for path in volume.rglob("*")}
    assert owners == {int(file.user)}


def test_the_server_in_the_container_does_not_start_on_an_empty_volume(image, volume):
    file, _ = image
    done = contained(image, volume, f'"${{run[@]}}" {shlex.join(file.entry_point + file.command)}')
    assert done.returncode == 1 and "tenure init" in done.stderr
    assert list(volume.iterdir()) == []
