"""Creates all loads of a site."""

import secrecy
from catalogs import fresh_key, license, policy, product
from contents import Contents
from licensing import Leases, Licenses
from loaded_site import Site
from loads import Load
from market import AppLicenses, SignIns
from mart import Mart
from operating import ENDLESS, Commands, HangUps
from school import School, rule
from signed_market import SignedMarket
from vendor import Vendor


def loads_of(site: Site, seed: str) -> list[Load]:
    """Prepares the tenants of a running site, and returns its clients."""
    vendor, operated = (Vendor(site.installation, site.running) for _ in range(2))
    leased, left = [fresh_key() for _ in range(6)], fresh_key()
    many = policy("many", activationLimit=ENDLESS)
    vendor.offer(product(
        policies=[policy(activationLimit=5, durationDays=365), many], trialDays=14,
        licenses=[license(key, "many") for key in [*leased, left]]))
    operated.offer(product(policies=[many]))
    token = _token(site, vendor.tenant)
    mart = Mart(site.installation, site.running)
    market = SignedMarket(site.installation, site.running)
    school = School(
        Vendor(site.installation, site.running), rule(grantedPlays=100_000, grantedPlaySeconds=100_000_000))
    return [
        Licenses(site, 0, seed, vendor, token), Licenses(site, 1, seed, vendor, token),
        Leases(site, 0, seed, vendor, leased), AppLicenses(site, 0, seed, mart, _token(site, mart.tenant)),
        SignIns(site, 0, seed, market), Contents(site, 0, seed, school), Contents(site, 1, seed, school),
        Commands(site, 0, seed, operated), HangUps(site, 0, seed, vendor, left, token)]


def _token(site: Site, tenant: str) -> str:
    words = ("token", "create", "--tenant", tenant, "--scope", "licenses:read", "--scope", "licenses:write")
    return secrecy.keep(site.installation.do(*words, "--name", "soak", "--json").json["token"])
