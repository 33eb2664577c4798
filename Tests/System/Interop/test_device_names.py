"""Tests that no device name prevents an activation or adds lines to a message."""

import pytest


@pytest.mark.parametrize("name, stored", [
    ("é" * 200, "é" * 128), ("x" * 300, "x" * 256), ("", "Unnamed device"), (" \t\n", "Unnamed device"),
    ("\u0600,\u0301", "\u0600,\u0301"), ("a\x00b", "a b"),
])
def test_a_device_with_any_name_is_activated(vendor, name, stored):
    key = vendor.offer_license()
    vendor.app().activated(key, name)
    assert [one["name"] for one in vendor.installation.show(key)["activations"]] == [stored]


@pytest.mark.parametrize("typed", ["Ada's MacBook", "ada’s  macbook", "ADA`S MACBOOK", "Ada’s MacBook"])
def test_a_device_is_released_by_its_name_with_another_apostrophe_letter_case_or_space(vendor, typed):
    key = vendor.offer_license()
    vendor.app().activated(key, "Ada’s MacBook")
    assert "released Ada’s MacBook" in vendor.installation.do("activation", "release", key, typed).out


def test_line_feeds_in_names_do_not_break_the_lines_of_messages(vendor):
    key = vendor.offer_license()
    vendor.app().activated(key, "Mac\n  0000 Forged, last seen today")
    message = vendor.installation.run("activation", "release", key, "Other")
    assert message.code == 1
    assert "Mac   0000 Forged" in message.err and "\n  0000 Forged" not in message.err
