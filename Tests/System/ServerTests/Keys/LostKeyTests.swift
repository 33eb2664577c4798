import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureLicensingServer

/// A device that uses the former key of a license whose key was replaced because it was lost.
@Suite struct `A lost key` {
    static let lost = "NOTE-PRO0-0000-0001"

    let shop: Shop
    var vendor: Vendor { shop.vendor }

    init() async throws { shop = try await Shop() }

    /// Replaces the key over the operator API; returns the response.
    @discardableResult
    func rekey(_ key: String, _ body: String = #"{"keepDevices": true}"#) async throws -> Answer {
        let license = try #require(try await vendor.store.findLicenses(key).first)
        return await shop.post("licenses/\(license.id)/rekey", body)
    }

    @Test func `after a key replacement, a device that may keep the old key can use it in Keylight's dialect`()
        async throws
    {
        let hash = String(repeating: "a", count: 64)
        let instance = try #require(await vendor.activate(Self.lost, hash: hash).text("instance_id"))
        vendor.clock.advance(days: 1)
        let answer = try await rekey(Self.lost)
        let new = try #require(answer.text("licenseKey"))
        #expect(answer.body["keptDevices"] == .integer(1) && answer.body["stoppedDevices"] == .integer(0))
        let refreshed = await vendor.validate(Self.lost, instance)
        #expect(refreshed.status == 200 && refreshed.lease("status") == .string("active"))
        #expect(
            refreshed.lease("licenseKeyHash")
                == .string(Hex.encode(try #require(LicenseKeyText(Self.lost)).digest.bytes)))
        let again = await vendor.activate(Self.lost, hash: hash)
        #expect(again.status == 200 && again.text("instance_id") == instance)
        let other = await vendor.activate(Self.lost, hash: String(repeating: "b", count: 64))
        #expect(other.status == 422 && other.reasons == ["license_rekeyed"])
        #expect(await vendor.activate(new, hash: hash).text("instance_id") == instance, "with the new key too")
        let body = #"{"license_key":"\#(Self.lost)","instance_id":"\#(instance)"}"#
        #expect(await vendor.post("/acme/notes/deactivate", body).status == 200)
        #expect(await vendor.validate(Self.lost, instance).reasons == ["license_rekeyed"])
        #expect(await vendor.activate(Self.lost, hash: hash).reasons == ["license_rekeyed"])
    }

    @Test func `each replaced key is listed with the number of devices that may still use it`() async throws {
        _ = await vendor.activate(Self.lost, name: "Mac")
        vendor.clock.advance(days: 1)
        let second = try #require(try await rekey(Self.lost).text("licenseKey"))
        vendor.clock.advance(days: 1)
        _ = await vendor.activate(second, name: "PC")
        vendor.clock.advance(days: 1)
        let third = try #require(try await rekey(second).text("licenseKey"))
        vendor.clock.advance(days: 1)
        try await rekey(third)
        let license = try #require(try await vendor.store.lookUpLicenses(Self.lost).licenses.first)
        #expect(try await vendor.store.replacedKeys(of: license.id).map(\.devices) == [2, 2, 1])
        #expect(try await vendor.store.lookUpLicenses(Self.lost).replacedKeys.map(\.devices) == [1])
    }

    @Test func `after a key replacement, a device that may keep the old key can use it in Tenure's dialect`()
        async throws
    {
        let (one, two) = (try await LeaseApp(vendor), try await LeaseApp(vendor, device: "b"))
        let activation = try await one.activated(Self.lost).activation
        try await rekey(Self.lost)
        let lease = try #require(try await one.renew(Self.lost, activation).yes)
        #expect(lease.envelope.keyHash == LicenseKeyText(Self.lost)?.digest)
        #expect(try await one.activated(Self.lost).activation == activation)
        #expect(try await two.activate(Self.lost).no == "403 license_rekeyed")
        #expect(try await two.renew(Self.lost, activation).no == "403 license_rekeyed")
        #expect(try await two.release(Self.lost, activation).no == "403 license_rekeyed")
        let bytes = try await one.bytes(Self.lost, activation)
        func others(_ path: String, _ more: String = "") async throws -> String? {
            let said: LeaseApp.Said<TenureDevices> = try await one.send(
                path, "devices", Self.lost, activation, LeaseApp.nonce(), #","lease":"\#(bytes)""# + more)
            return said.no
        }
        #expect(try await others("devices") == "403 license_rekeyed")
        #expect(try await others("devices/release", #","release":"\#(activation)""#) == "403 license_rekeyed")
        #expect(try await one.release(Self.lost, activation).yes != nil)
        #expect(try await one.renew(Self.lost, activation).no == "403 license_rekeyed")
    }

    @Test
    func `after a key replacement with a cutoff date, only devices activated before that date may use the old key`()
        async throws
    {
        let early = try #require(await vendor.activate(Self.lost, name: "Early").text("instance_id"))
        vendor.clock.advance(days: 2)
        let late = try #require(await vendor.activate(Self.lost, name: "Late").text("instance_id"))
        let date = vendor.clock.now()
        vendor.clock.advance(days: 1)
        let answer = try await rekey(Self.lost, #"{"keepDevices": true, "activatedBefore": "\#(date)"}"#)
        #expect(answer.body["keptDevices"] == .integer(1) && answer.body["stoppedDevices"] == .integer(1))
        #expect(await vendor.validate(Self.lost, early).status == 200)
        #expect(await vendor.validate(Self.lost, late).reasons == ["license_rekeyed"])
    }

    @Test func `replacing a license key without keeping devices stops the devices of all former keys`() async throws {
        let first = try #require(await vendor.activate(Self.lost, name: "First").text("instance_id"))
        vendor.clock.advance(days: 1)
        let second = try #require(try await rekey(Self.lost).text("licenseKey"))
        vendor.clock.advance(seconds: 1)
        let other = try #require(await vendor.activate(second, name: "Second").text("instance_id"))
        vendor.clock.advance(days: 1)
        let third = try #require(try await rekey(second).text("licenseKey"))
        #expect(await vendor.validate(Self.lost, first).status == 200)
        #expect(await vendor.validate(second, other).status == 200)
        #expect(await vendor.validate(Self.lost, other).reasons == ["license_rekeyed"], "it never had the first key")
        let last = try await rekey(third, "{}")
        #expect(last.body["keptDevices"] == .integer(0) && last.body["stoppedDevices"] == .integer(2))
        #expect(await vendor.validate(Self.lost, first).reasons == ["license_rekeyed"])
        #expect(await vendor.validate(second, other).reasons == ["license_rekeyed"])
        #expect(await vendor.validate(try #require(last.text("licenseKey")), first).status == 200)
    }

    @Test func `a look-up by a replaced key or its last four characters finds the license as an uncertain match`()
        async throws
    {
        _ = await vendor.activate(Self.lost)
        vendor.clock.advance(days: 1)
        let id = try #require(try await rekey(Self.lost).text("id"))
        for body in [
            #"{"licenseKey": "\#(Self.lost.lowercased())"}"#, #"{"text": "\#(Self.lost)"}"#, #"{"text": "0001"}"#,
        ] {
            let found = await shop.post("licenses/find", body)
            #expect(found.all("licenses").contains { $0.text("id") == id }, "\(body)")
            #expect(found.body["certain"] == .bool(false), "\(body)")
            let key = try #require(found.first("replacedKeys"))
            #expect(key.text("key") == "NOTE-****-****-0001")
            #expect(key.text("replacedBy")?.hasPrefix("operator:tok_") == true)
            #expect(key.text("replacedAt") == vendor.clock.now().description && key.body["devices"] == .integer(1))
        }
        #expect(await shop.get("licenses/\(id)/explain").first("formerKeys")?.text("license") == id)
        let other = await shop.post("licenses/find", #"{"licenseKey": "0001"}"#)
        #expect(other.all("licenses").isEmpty, "as a whole key, the last four characters find nothing")
    }

    @Test
    func `an activation cutoff for a replaced key's devices is refused if it's in the future or no devices are kept`()
        async throws
    {
        let alone = try await rekey(Self.lost, #"{"activatedBefore": "2026-01-01"}"#)
        #expect(alone.status == 422 && alone.code == "field_invalid")
        let future = try await rekey(Self.lost, #"{"keepDevices": true, "activatedBefore": "2099-01-01"}"#)
        #expect(future.status == 422 && future.code == "field_invalid")
    }

    @Test func `a refresh with the current license key takes as many queries after a key replacement as before`()
        async throws
    {
        let instance = try #require(await vendor.activate(Self.lost).text("instance_id"))
        func cost(_ key: String) async -> Int {
            let before = vendor.watched.queries
            #expect(await vendor.validate(key, instance).status == 200)
            return vendor.watched.queries - before
        }
        let usual = await cost(Self.lost)
        let new = try #require(try await rekey(Self.lost).text("licenseKey"))
        #expect(await cost(new) == usual)
        #expect(await cost(Self.lost) == usual + 1)
    }
}

extension `Devices behind one address` {
    @Test
    func `a device with a replaced key at an address over its limit of wrong keys can refresh and release itself`()
        async throws
    {
        let mac = try #require(await activate(Self.imported).text("instance_id"))
        let phone = try await LeaseApp(vendor, device: "b").activated(Self.imported).activation
        _ = try await vendor.act(
            .rekey(LicenseKeyText(Self.key())!.stored(under: nil), keeping: .active), on: Self.imported)
        try await exhaust()
        #expect(await keylight("validate", Self.imported, #""instance_id":"\#(mac)""#).status == 200)
        #expect(await tenure("renew", Self.imported, phone.description, device: "b").text("lease") != nil)
        #expect(await tenure("renew", Self.imported, phone.description).code == "license_rekeyed", "another device")
        #expect(await tenure("release", Self.imported, phone.description, device: "b").text("release") != nil)
        #expect(await activate(Self.imported).status == 429)
        #expect(await keylight("validate", Self.imported, #""instance_id":"none""#).status == 429)
    }
}
