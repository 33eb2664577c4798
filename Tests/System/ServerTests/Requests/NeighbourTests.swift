import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureTesting
import Testing

/// Another client behind the same address has tried so many keys that the address exceeds its limit.
@Suite struct `Devices behind one address` {
    static let address: Headers = ["Content-Type": "application/json", "X-Forwarded-For": "203.0.113.9"]
    static let imported = "NOTE-PRO0-0000-0001"
    static let minted = key()
    /// A catalog whose product has a minted key.
    static let catalog = Vendor.catalog.replacing("NOTE-SOFT-0000-0003", with: minted)

    static func key() -> String {
        var random = SystemRandomNumberGenerator()
        return LicenseKeyText.mint(prefix: LicenseKeyPrefix("NOTE")!, using: &random).text
    }

    /// Returns the key with a wrong check character.
    static func mistyped(_ key: String) -> String { String(key.dropLast()) + (key.hasSuffix("0") ? "1" : "0") }

    let vendor: Vendor

    init() async throws {
        vendor = try await Vendor(Self.catalog)
    }

    func keylight(_ verb: String, _ key: String, _ more: String) async -> Answer {
        await vendor.post("/acme/notes/\(verb)", #"{"license_key":"\#(key)",\#(more)}"#, headers: Self.address)
    }

    func activate(_ key: String, _ name: String = "Mac") async -> Answer {
        await keylight("activate", key, #""instance_name":"\#(name)","machine_hash":"\#(name)""#)
    }

    func tenure(_ verb: String, _ key: String, _ activation: String = "", device: Character = "a") async -> Answer {
        let body = """
            {"nonce":"\(LeaseApp.nonce())","device":"\(String(repeating: device, count: 64))","licenseKey":"\(key)",
            "activation":"\(activation)"}
            """
        return await vendor.post("/v1/acme/notes/leases/\(verb)", body, headers: Self.address)
    }

    /// Tries wrong keys until the address is rate limited.
    func exhaust() async throws {
        var tries = 0
        while await activate("NOTE-NONE-0000-\(tries)").status != 429 {
            tries += 1
            try #require(tries < 1_000)
        }
    }

    /// Returns the response of a call and the number of store operations that it needed.
    func cost(_ call: () async -> Answer) async -> (answer: Answer, cost: Int) {
        let before = vendor.watched.queries + vendor.watched.changes
        let answer = await call()
        return (answer, vendor.watched.queries + vendor.watched.changes - before)
    }

    @Test func `a device at an address over its limit of wrong keys can refresh and release itself`() async throws {
        let mac = try #require(await activate(Self.imported).text("instance_id"))
        let phone = try await LeaseApp(vendor, device: "b").activated(Self.imported).activation
        try await exhaust()
        let validated = await keylight("validate", Self.imported, #""instance_id":"\#(mac)""#)
        #expect(validated.status == 200 && validated.lease("status") == .string("active"))
        let pasted = await keylight("validate", "NOTE\u{2013}PRO0\u{A0}-0000-0001", #""instance_id":"\#(mac)""#)
        #expect(pasted.status == 200, "the key as an app has sent it before")
        #expect(await tenure("renew", Self.imported, phone.description, device: "b").text("lease") != nil)
        #expect(await tenure("release", Self.imported, phone.description, device: "b").text("release") != nil)
        #expect(await keylight("deactivate", Self.imported, #""instance_id":"\#(mac)""#).status == 200)
    }

    @Test func `a device at an address over its limit of wrong keys still receives the state of its license`()
        async throws
    {
        let mac = try #require(await activate(Self.imported).text("instance_id"))
        try await exhaust()
        _ = try await vendor.act(.suspend, on: Self.imported)
        let answer = await keylight("validate", Self.imported, #""instance_id":"\#(mac)""#)
        #expect(answer.status == 422 && answer.code == "license_suspended")
    }

    @Test func `a generated license key is activated at an address over its limit of wrong keys`() async throws {
        try await exhaust()
        let answer = await activate(Self.minted)
        #expect(answer.status == 200 && answer.lease("status") == .string("active"))
        let typed = Self.minted.lowercased().replacing("-", with: "\u{2013}")
        #expect(await activate(typed).text("instance_id") == answer.text("instance_id"))
        #expect(await tenure("activate", Self.minted).status == 409, "the only activation is in use")
        #expect(await keylight("validate", Self.minted, #""instance_id":"none""#).code == "activation_released")
    }

    @Test(arguments: ["activate", "validate"])
    func `an imported or wrong key gets 429 after at most one query at an address over its limit of wrong keys`(
        verb: String
    ) async throws {
        try await exhaust()
        for key in [
            Self.imported, "NOTE-NONE-0000-0000", Self.key(), Self.mistyped(Self.minted), "NOTE-OI11-0000-0001",
        ] {
            let (answer, cost) = await cost {
                await keylight(verb, key, #""instance_name":"Mac","instance_id":"none""#)
            }
            #expect(answer.status == 429 && answer.code == "try_again" && answer.headers["Retry-After"] != nil)
            #expect(answer.body["valid"] == nil && answer.body["activated"] == nil && answer.body["lease"] == nil)
            #expect(cost <= 1)
        }
        let (_, cost) = await cost { await activate(Self.mistyped(Self.minted)) }
        #expect(cost == 0, "the check character is wrong, so no query is needed")
    }

    @Test
    func `at an address over its limit of wrong keys, an active device's request with another license's key gets 429`()
        async throws
    {
        let mac = try #require(await activate(Self.minted).text("instance_id"))
        try await exhaust()
        #expect(await keylight("validate", Self.imported, #""instance_id":"\#(mac)""#).status == 429)
        #expect(await tenure("renew", Self.imported, mac).status == 429)
        #expect(await tenure("release", Self.imported, mac).status == 429)
        #expect(await keylight("validate", Self.minted, #""instance_id":"\#(mac)""#).status == 200)
    }

    @Test func `at an address over its limit of wrong keys, a released device's request gets 429`() async throws {
        let mac = try #require(await activate(Self.imported).text("instance_id"))
        #expect(await keylight("deactivate", Self.imported, #""instance_id":"\#(mac)""#).status == 200)
        try await exhaust()
        #expect(await keylight("validate", Self.imported, #""instance_id":"\#(mac)""#).status == 429)
    }
}
