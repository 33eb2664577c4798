"""Tests that the scenario runner detects failures, and accepts correct output."""

import os
import stat

import pytest

import runner
import transcript
from runner import Failed, Runner
from transcript import Malformed

FAKE = """#!/usr/bin/env python3
import signal, sys
words = sys.argv[1:]
if words[0] != "serve":
    print("you said", *words)
    sys.exit()
print("with", *words[1:], file=sys.stderr)
if "--broken" in words:
    sys.exit("no folder")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3 if "--code" in words else 0))
print("tenure: ready on http://127.0.0.1:4711", flush=True)
while True:
    signal.pause()
"""


@pytest.fixture
def perform(tmp_path, monkeypatch):
    fake = tmp_path / "fake"
    fake.write_text(FAKE)
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("TENURE_PROGRAM", str(fake))
    folder = tmp_path / "scenario"
    folder.mkdir()
    return lambda text: Runner(folder).perform(transcript.read("# Claim.\n" + text))


@pytest.mark.parametrize("expected, actual, captured", [
    (["one", "two"], "one\ntwo\n", {}),
    (["one"], "one", {}),
    ([], "", {}),
    (["a [...] c"], "a b b c\n", {}),
    (["[...]"], "\n", {}),
    (["a", "...", "z"], "a\nz\n", {}),
    (["a", "...", "z"], "a\nb\nc\nz\n", {}),
    (["..."], "", {}),
    (["id {id}, again {id}"], "id 7, again 7\n", {"id": "7"}),
    (['{"id":"{id}"}'], '{"id":"7"}\n', {"id": "7"}),
    (["{old}"], "known\n", {}),
    (["a.c (x)"], "a.c (x)\n", {}),
])
def test_output_that_matches_the_expected_lines_of_a_scenario_is_accepted(expected, actual, captured):
    assert transcript.match(expected, actual, {"old": "known"}) == captured


@pytest.mark.parametrize("expected, actual", [
    (["one"], "one\ntwo\n"),
    (["one", "two"], "one\n"),
    (["one"], ""),
    ([], "one\n"),
    (["one"], "One\n"),
    (["one"], "one \n"),
    (["a.c"], "abc\n"),
    (["a [...] c"], "a b\nb c\n"),
    (["a", "...", "z"], "a\nb\n"),
    (["id {id}, again {id}"], "id 7, again 8\n"),
    (["id {id}"], "id \n"),
    (["id {id}"], "id 7 8\n"),
    (["{old}"], "other\n"),
])
def test_output_that_differs_from_the_expected_lines_of_a_scenario_is_not_accepted(expected, actual):
    assert transcript.match(expected, actual, {"old": "known"}) is None


def test_the_report_of_a_failed_scenario_step_marks_only_the_lines_that_differ():
    shown = transcript.difference(["id {id}", "two", "three"], "id 7\ntwo\nfour\n", {})
    assert shown.splitlines()[3:] == [" id {id}", " two", "-three", "+four"]


def test_a_scenario_file_is_read_into_steps():
    steps = transcript.read(
        "# Claim.\n\nserve --quiet\n$ one\n> more\nout\n\nafter a gap\n# part of the output\n? 3\n\n"
        "# comment\n$ two\n\\$ literal\n\\# hash\n\\\\ slash\n\nstop\nkill\n")
    assert [(step.verb, step.text, step.expected, step.code) for step in steps] == [
        ("serve", "--quiet", [], 0),
        ("run", "one\nmore", ["out", "", "after a gap", "# part of the output"], 3),
        ("run", "two", ["$ literal", "# hash", "\\ slash"], 0),
        ("stop", "", [], 0),
        ("kill", "", [], 0),
    ]
    assert [step.line for step in steps] == [3, 4, 13, 18, 19]


@pytest.mark.parametrize("text", ["$ true\n", "# Claim.\n", "# Claim.\nnonsense\n", ""])
def test_a_scenario_file_without_claim_or_steps_is_refused(text):
    with pytest.raises(Malformed):
        transcript.read(text)


def test_text_captured_by_a_placeholder_of_a_scenario_can_be_used_in_later_steps(perform):
    perform("$ tenure 42\nyou said {number}\n\n$ echo $number; tenure $number\n42\nyou said {number}\n")


@pytest.mark.parametrize("text, told", [
    ("$ tenure one\nyou said two\n", "-you said two\n+you said one"),
    ("$ echo out; exit 4\nout\n", "exit code 4, expected 0"),
    ("$ true\n? 1\n", "exit code 0, expected 1"),
    ("$ false; echo never\n", "exit code 1"),
    ("$ echo $misspelt\n...\n", "exit code 1"),
    ("$ false | true\n", "exit code 1"),
    ("stop\n", "no server is running"),
    ("serve --broken\n", "the server said:\n    with --create --data data --listen 127.0.0.1:0 --broken\n    no folder"),
    ("serve --code\nstop\n", "ended with 3 after SIGTERM, expected 0"),
    ("serve\nserve\n", "running already"),
])
def test_a_failed_scenario_names_the_line_of_the_failed_step(perform, text, told):
    with pytest.raises(Failed) as failure:
        perform(text)
    assert told in str(failure.value)
    assert str(failure.value).startswith("line ")


def test_a_step_that_hangs_fails_its_scenario(perform, monkeypatch):
    monkeypatch.setattr(runner, "STEP_SECONDS", 0.2)
    with pytest.raises(Failed, match="still running"):
        perform("$ echo begun; sleep 1000\n...\n")


def test_a_scenario_can_start_and_stop_a_server(perform):
    perform("serve --data=other\n$ echo $URL\nhttp://127.0.0.1:4711\n\nstop\nserve\nkill\nserve\nstop\n")


def test_a_scenario_can_start_a_server_with_text_that_earlier_steps_captured(perform):
    with pytest.raises(Failed) as failure:
        perform("$ tenure found\nyou said {word}\n\nserve --name $word\n$ false\n")
    assert "with --create --data data --listen 127.0.0.1:0 --name found" in str(failure.value)


def test_no_server_outlives_its_scenario(perform):
    with pytest.raises(Failed) as failure:
        perform("serve\n$ echo $SERVER_PID\n{pid}\n\n$ echo $pid; false\n{pid}\n")
    pid = int(failure.value.args[0].split("it printed:\n")[1].split()[0])
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
