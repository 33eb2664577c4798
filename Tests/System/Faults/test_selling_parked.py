"""Parked messages are acted on again once what they lack is there."""

import catalogs
from stripe_shop import DAY, StripeAPI, StripeShop
from test_selling import ADDRESS, apply, keys, serving, settled, shop  # noqa: F401
from waiting import eventually


def move(shop: StripeShop, seconds: int) -> None:
    shop.installation.set_clock(shop.installation.offset + seconds)


def job_list(shop: StripeShop) -> list[dict]:
    return shop.installation.do("job", "list", "--json").json["jobs"]


def test_a_renewal_of_an_unknown_order_issues_nothing_until_the_operator_says_so(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    with serving(shop) as running:
        shop.tell(running, shop.invoice("old", 7, shop.now + 30 * DAY))
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
        assert parked["reason"] == "order_unknown" and shop.orders() == []
        shop.installation.do("intake", "retry", parked["id"], "--issue", "--tenant", shop.tenant)
        settled(shop)
        assert len(shop.licenses()) == 1


def test_a_license_is_joined_to_an_unknown_order_and_renewed(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    license = shop.installation.issue(shop.tenant, "notes", "monthly", "--holder-email", ADDRESS)
    other = shop.installation.issue(shop.tenant, "notes", "pro", "--holder-email", ADDRESS)
    with serving(shop) as running:
        end = shop.now + 60 * DAY
        shop.tell(running, shop.invoice("old", 7, end), shop.invoice("old", 8, end + 30 * DAY))
        eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 2)
        refused = shop.installation.run("order", "join", "sub_old", other["id"])
        assert refused.code != 0 and "doesn't sell the license's product under its policy" in refused.err
        joined = shop.installation.do("order", "join", "sub_old", license["id"], "--json").json
        assert joined == {"license": license["id"], "source": "stripe", "reference": "sub_old", "messages": 2}
        eventually(lambda: {each["state"] for each in shop.messages()}, lambda states: states == {"done"})
        (renewed,) = shop.licenses()
        assert renewed["id"] == license["id"] and renewed["order"] == "sub_old"
        (order,) = shop.orders()
        assert renewed["expiresAt"] > order["paidUntil"] > license["expiresAt"] and len(order["payments"]) == 2
        assert keys(shop) == []
        again = shop.installation.run("order", "join", "sub_old", license["id"])
        assert again.code != 0 and "is known already" in again.err


def test_a_renewal_extends_a_license_that_was_imported_with_its_order(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    issued = shop.installation.issue(shop.tenant, "notes", "monthly", "--order", "sub_old")
    with serving(shop) as running:
        shop.tell(running, shop.invoice("old", 7, shop.now + 60 * DAY))
        settled(shop)
        (license,) = shop.licenses()
        assert license["id"] == issued["id"] and license["expiresAt"] > issued["expiresAt"]


def test_an_item_that_the_catalog_does_not_name_is_sold_once_it_does(shop):
    with serving(shop) as running:
        shop.tell(running, *(shop.session(str(number), ADDRESS, item="price_new") for number in range(3)))
        parked = eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 3)
        assert {each["reason"] for each in parked} == {"item_unmapped"}
        apply(shop, items=[{"item": "price_other", "product": "notes", "policy": "pro"}])
        eventually(lambda: job_list(shop), lambda jobs: jobs == [])
        assert {each["reason"] for each in shop.messages()} == {"item_unmapped"}
        apply(shop, items=[{"item": "price_new", "product": "notes", "policy": "pro"}])
        eventually(lambda: {each["state"] for each in shop.messages()}, lambda states: states == {"done"})
        assert len(shop.licenses()) == 3


def test_messages_of_a_removed_source_are_acted_on_once_it_is_back(shop):
    running = shop.installation.start("--mail-folder", str(shop.installation.home / "letters"))
    try:
        shop.tell(running, shop.session("1", ADDRESS, item="price_new"))
        eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
    finally:
        running.kill()
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"intake": []}
    shop.installation.apply(catalog, "--prune")
    shop.installation.do("intake", "retry", shop.messages()[0]["id"], "--tenant", shop.tenant)
    with serving(shop):
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
        assert parked["reason"] == "source_removed"
        apply(shop, items=[{"item": "price_new", "product": "notes", "policy": "pro"}])
        eventually(lambda: [each["state"] for each in shop.messages()], lambda states: states == ["done"])
        assert len(shop.licenses()) == 1


def test_a_sale_whose_provider_failed_for_days_is_carried_out_when_it_answers(shop):
    (shop.installation.home / "api.key").write_text("rk_test")
    with StripeAPI({"cs_1": [("price_pro", 1)]}, answers_about="cs_2") as api:
        apply(shop, apiKeyFile="api.key", apiURL=api.url)
        with serving(shop, "--egress-allow", api.host) as running:
            shop.tell(running, shop.session("1", ADDRESS, line_items=None))
            jobs = job_list(shop)
            while not shop.messages("parked"):
                move(shop, 2 * DAY)
                jobs = eventually(lambda: job_list(shop), lambda now: now != jobs)
            (parked,) = shop.messages("parked")
            assert parked["reason"] == "provider_failed"
            api.answers_about = None
            move(shop, 3 * DAY)
            eventually(lambda: [each["state"] for each in shop.messages()], lambda states: states == ["done"])
            assert len(shop.licenses()) == 1
