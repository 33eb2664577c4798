"""Tests that a user can sign in, see the state of the devices and act, all without scripts."""

from household import PASSWORD, Household


def sign_in(browser, household, password=PASSWORD):
    browser.open(household.page)
    browser.fill("Password", password)
    browser.press("Sign in")


def test_a_password_opens_a_session_that_signing_out_ends(household, browser):
    household.device()
    sign_in(browser, household)
    assert browser.heading == "Camping on your devices"
    assert browser.headlines == ["Everything is fine"]
    assert "Signed in as ada" in browser.text
    [cookie] = browser.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (
        True, "Strict", f"/resolve/{household.mart.tenant}")
    browser.press("Sign out")
    assert browser.heading == "You are signed out" and browser.cookies() == []
    browser.open(household.start)
    assert "Signed in" not in browser.text


def test_after_a_wrong_password_the_sign_in_form_shows_an_error_and_keeps_the_account_name(household, browser):
    sign_in(browser, household, "not this one")
    assert "The account or password is wrong" in browser.text
    assert browser.value("Account or e-mail") == "ada" and browser.value("Password") == ""
    browser.fill("Password", PASSWORD)
    browser.press("Sign in")
    assert browser.heading == "Camping on your devices"


def test_after_five_wrong_passwords_a_sign_in_with_the_correct_one_is_refused(household, browser):
    for _ in range(5):
        sign_in(browser, household, "not this one")
    sign_in(browser, household)
    assert browser.heading == "Too many attempts"


def test_a_one_time_link_opens_one_session_and_only_after_the_user_presses_continue(household, browser):
    link = household.link()
    browser.open(link)
    browser.open(link)
    browser.press("Continue")
    assert browser.heading == "Your apps" and "Signed in as ada" in browser.text
    browser.forget()
    browser.open(link)
    assert browser.heading == "This link doesn’t work"


def test_a_day_after_a_sign_in_the_resolution_page_says_that_the_session_ended_after_half_an_hour(household, browser):
    sign_in(browser, household)
    household.days_pass(1)
    browser.open(household.page)
    assert "half an hour" in browser.text and "Signed in" not in browser.text


def test_the_resolution_page_explains_an_expired_app_license_and_saves_a_request_to_renew_it(household, browser):
    phone, license = household.device()
    household.days_pass(40)
    sign_in(browser, household)
    assert browser.headlines == ["The license has expired"] and "Doesn’t open" in browser.text
    browser.press("Renew now")
    assert browser.heading == "Your request has been saved"
    phone.read(phone.renew(license))
    browser.press("Back to your devices")
    assert browser.headlines == ["Everything is fine"]
    asked = [event for event in household.events() if event["kind"] == "account.renewal_asked"]
    assert [event["actor"] for event in asked] == ["account:ada"]


def test_releasing_a_device_on_the_resolution_page_ends_its_app_license_and_frees_its_activation(
        installation, server, browser):
    household = Household(installation, server, deviceLimit=1)
    old, license = household.device()
    refused = household.mart.phone(household.token)
    wanted = {household.item: household.mart.apps[household.item]}
    assert refused.ask(wanted)["unlicensedApps"] == [str(household.item)]
    sign_in(browser, household)
    assert "1 of 1 device in use" in browser.text
    browser.press("Release this device")
    browser.press("Yes, release it")
    assert browser.heading == "The device has been released"
    browser.press("Back to your devices")
    assert browser.headlines == ["This device has been released"]
    assert old.renew(license)["ineligibleLicenses"] == [license]
    assert refused.ask(wanted)["unlicensedApps"] == []


def test_a_device_whose_license_is_suspended_or_revoked_can_not_be_released(household, browser):
    _, suspended = household.device()
    _, revoked = household.device()
    household.mart.do("license", "suspend", suspended)
    household.mart.do("license", "revoke", revoked)
    sign_in(browser, household)
    assert browser.headlines == ["The license is suspended", "The license has been revoked"]
    assert "Release this device" not in browser.text


def test_the_resolution_page_shows_that_an_app_grant_has_ended_and_refuses_a_request_to_renew(household, browser):
    household.device()
    household.mart.do("account", "end", "ada", "--item", str(household.item))
    sign_in(browser, household)
    assert browser.headlines == ["Access has ended"]
    browser.press("Renew now")
    assert "there is a problem" in browser.heading


def test_the_support_command_finds_the_events_of_a_session_by_the_reference_on_the_resolution_page(household, browser):
    household.device()
    sign_in(browser, household)
    reference = browser.text.rsplit("Reference for support: ", 1)[1].split()[0]
    browser.press("Renew now")
    found = household.mart.do("support", reference.lower(), "--json").json
    assert found["account"] == "ada"
    assert [event["kind"] for event in found["events"]] == ["account.session_opened", "account.renewal_asked"]
    unknown = household.installation.run("support", "ZZZZ-ZZZZ", "--tenant", household.mart.tenant)
    assert unknown.code == 1 and "No event" in unknown.err
