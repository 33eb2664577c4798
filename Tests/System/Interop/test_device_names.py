"""Tests that no device name prevents an activation or adds lines to a message."""

import pytest


@pytest.mark.parametrize("name, stored", [
    ("é" * 200, "é" * 128), ("x" * 300, "x" * 256), ("", "Unnamed device"), (" \t\n", "Unnamed device"),
    ("\u0600,\u0301", "\u0600,\u0301"), ("a\x00b", "a b"),
])
def test_a_device_name_is_shortened_to_256_bytes_and_stored_without_control_characters(vendor, name, stored):
    key = vendor.offer_license()
    vendor.app().activated(key, name)
    assert [one["name"] for one in vendor.installation.show(key)["activations"]] == [stored]


@pytest.mark.parametrize("typed", ["Ada's MacBook", "ada’s  macbook", "ADA`S MACBOOK", "Ada’s MacBook"])
def test_an_operator_can_release_a_device_by_its_name_in_another_letter_case_spacing_or_apostrophe(vendor, typed):
    key = vendor.offer_license()
    vendor.app().activated(key, "Ada’s MacBook")
    assert "released Ada’s MacBook" in vendor.installation.do("activation", "release", key, typed).out


def test_a_line_feed_in_a_device_name_starts_no_new_line_in_a_commands_message(vendor):
    key = vendor.offer_license()
    vendor.app().activated(key, "Mac\n  0000 Forged, last seen today")
    message = vendor.installation.run("activation", "release", key, "Other")
    assert message.code == 1
    assert "Mac   0000 Forged" in message.err and "\n  0000 Forged" not in message.err
