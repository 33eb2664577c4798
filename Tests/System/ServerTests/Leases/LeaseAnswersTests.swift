import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Leases of the Tenure dialect` {
    static let pro = "NOTE-PRO0-0000-0001"
    static let rent = "NOTE-RENT-0000-0002"
    static let soft = "NOTE-SOFT-0000-0003"

    @Test func `an activation returns a lease with status, policy, term and entitlements`() async throws {
        let vendor = try await Vendor()
        let lease = try await LeaseApp(vendor).activated(Self.rent).lease
        let start = Timestamp(seconds: 1_800_000_000)
        #expect(lease.status == .active)
        #expect(lease.policy.text == "rent")
        #expect(lease.term == Term(start: start, end: start.adding(days: 30)))
        #expect(lease.entitlements.map(\.entitlement.name) == ["pro"])
        #expect(lease.envelope.issuedAt == start)
        #expect(lease.envelope.expiresAt == start.adding(days: 7))
        let license = try await vendor.store.findLicenses(Self.rent)
        #expect(license.map(\.id) == [lease.license])
    }

    @Test func `a device that activates again gets the same activation`() async throws {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let nonce = LeaseApp.nonce()
        let first = try await app.activate(Self.rent, nonce: nonce).yes
        let again = try await app.activate(Self.rent, nonce: nonce).yes
        #expect(first == again && first != nil)
        #expect(try await app.activated(Self.rent).activation == first?.envelope.activation)
        #expect(try await vendor.store.census().liveActivations == 1)
        // A hash sent over Keylight's API identifies the same device.
        let instance = await vendor.activate(Self.rent, hash: app.device.text).text("instance_id")
        #expect(instance == first?.envelope.activation?.description)
    }

    @Test func `another device can neither renew nor release an activation`() async throws {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let other = try await LeaseApp(vendor, device: "b")
        let activation = try await app.activated(Self.pro).activation
        #expect(try await other.renew(Self.pro, activation).no == "403 activation_other_device")
        #expect(try await other.release(Self.pro, activation).no == "403 activation_other_device")
        #expect(try await app.renew(Self.pro, activation).yes?.status == .active)
        // An activation without a device, made over Keylight's API, belongs to no device here.
        let anonymous = try #require(await vendor.activate(Self.pro).text("instance_id"))
        let id = try #require(ActivationID(text: anonymous))
        #expect(try await app.renew(Self.pro, id).no == "403 activation_other_device")
    }

    @Test func `Keylight's and Tenure's dialects report a suspension's reason only if the vendor shares it`()
        async throws
    {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let activation = try await app.activated(Self.pro).activation
        func carried() async throws -> [String?] {
            guard case .no(let refusal, _, _) = try await app.renew(Self.pro, activation),
                case .no(let anew, _, _) = try await app.activate(Self.pro)
            else { return [] }
            let keylight = await vendor.validate(Self.pro, activation.description).all("reasons").first
            return [refusal, anew].map { $0.reasons.first?.evidence.first { $0.name == "vendorReason" }?.value.text }
                + [
                    keylight.flatMap { reason in
                        guard case .object(let evidence)? = reason.body["evidence"] else { return nil }
                        return Entry(body: evidence).text("vendorReason")
                    }
                ]
        }
        _ = try await vendor.act(.suspend, because: StatedReason("known for fraud"), on: Self.pro)
        #expect(try await carried() == [nil, nil, nil])
        _ = try await vendor.act(.reinstate, on: Self.pro)
        _ = try await vendor.act(.suspend, because: StatedReason("card \"declined\"", isTold: true), on: Self.pro)
        #expect(try await carried() == Array(repeating: "card \"declined\"", count: 3))
        _ = try await vendor.act(.revoke, on: Self.pro)
        #expect(try await carried() == [nil, nil, nil], "the reason of the suspension")
    }

    @Test func `a license at its device limit refuses another device until one is released`() async throws {
        let vendor = try await Vendor()
        let (one, two) = (try await LeaseApp(vendor), try await LeaseApp(vendor, device: "b"))
        let activation = try await one.activated(Self.rent).activation
        let refused = try await two.activate(Self.rent)
        #expect(refused.no == "409 activation_limit_reached")
        #expect(refused.lease == nil)
        #expect(try await one.release(Self.rent, activation).yes != nil)
        #expect(try await one.release(Self.rent, activation).yes != nil, "again")
        #expect(try await two.activate(Self.rent).yes != nil)
        #expect(try await one.renew(Self.rent, activation).no == "403 activation_released")
    }

    @Test func `a release of an unknown activation succeeds, but one with an unknown license key is refused`()
        async throws
    {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let activation = try await app.activated(Self.pro).activation
        #expect(try await app.release(Self.pro, ActivationID(high: 1, low: 1)).yes != nil)
        #expect(try await app.release(Self.rent, activation).yes != nil, "the other license has no such activation")
        #expect(try await app.renew(Self.pro, activation).yes != nil)
        #expect(try await app.release("NOTE-NONE", activation).no == "404 license_unknown")
        #expect(try await app.renew("NOTE-NONE", activation).no == "404 license_unknown")
        #expect(try await app.activate("NOTE-NONE").no == "404 license_unknown")
        #expect(try await app.renew(Self.rent, activation).no == "403 activation_released")
    }

    @Test(arguments: [
        (OperatorAct.suspend, "403 license_suspended"), (.revoke, "403 license_revoked"),
        (.giveBack, "403 license_returned"),
    ])
    func `a suspended, revoked or returned license gets a signed refusal without a lease`(
        act: OperatorAct, expected: String
    ) async throws {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let activation = try await app.activated(Self.pro).activation
        _ = try await vendor.act(act, on: Self.pro)
        let renewed = try await app.renew(Self.pro, activation)
        #expect(renewed.no == expected)
        #expect(renewed.lease == nil)
        #expect(try await app.activate(Self.pro).no == expected)
    }

    @Test func `the renewal of an expired license is refused, with a lease whose status is expired or fallback`()
        async throws
    {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let hard = try await app.activated(Self.rent).activation
        let soft = try await app.activated(Self.soft).activation
        vendor.clock.advance(days: 32)
        let expired = try await app.renew(Self.rent, hard)
        #expect(expired.no == "403 license_expired")
        #expect(expired.lease?.status == .expired)
        #expect(expired.lease?.entitlements == [])
        let fallback = try await app.renew(Self.soft, soft)
        #expect(fallback.no == "403 license_expired")
        #expect(fallback.lease?.status == .fallback)
        #expect(try await app.activate(Self.soft).yes?.status == .fallback)
        let stranger = try await LeaseApp(vendor, device: "b").activate(Self.rent)
        #expect(stranger.no == "403 license_expired activation_limit_reached")
        #expect(stranger.lease?.envelope.activation == nil)
    }

    @Test func `a lease is bound to the license key as it was typed, with look-alike characters`() async throws {
        let vendor = try await Vendor()
        let found = try await vendor.mint()
        let typed = found.replacing("0", with: "O").replacing("1", with: "l").lowercased()
        let app = try await LeaseApp(vendor)
        let (lease, activation) = try await app.activated(typed)
        #expect(lease.envelope.keyHash == LicenseKeyText(typed)?.digest)
        #expect(try await app.renew(typed, activation).yes?.license == lease.license)
        #expect(try await app.release(typed, activation).yes != nil)
        #expect(try await app.renew(found, activation).no == "403 activation_released")
    }

    @Test func `a lease is bound to a pasted license key as it was sent, and the same text releases the device`()
        async throws
    {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let pasted = Self.pro.replacing("-", with: "\u{2010}") + "\u{A0}"
        let (lease, activation) = try await app.activated(pasted)
        #expect(lease.envelope.keyHash == LicenseKeyText(pasted)?.digest)
        #expect(try await app.renew(pasted, activation).yes?.license == lease.license)
        #expect(try await app.release(pasted, activation).yes != nil)
        #expect(try await app.renew(Self.pro, activation).no == "403 activation_released")
    }

    @Test func `a product's terms and keyset are signed for the request's nonce`() async throws {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let terms = try await app.fetch("product", as: TenureProductTerms.self)
        #expect(terms.name == "notes" && terms.trialDays == 14 && terms.freeTier)
        let keyset = try await app.fetch("keyset", as: TenureKeyset.self)
        let kid = try #require(await vendor.store.signingKeys().first).kid
        #expect(keyset.primaryKid == kid && keyset.keys.map(\.kid) == [kid])
    }

    @Test func `a client that missed rotations gets a keyset signed by its old key if it names that key`() async throws
    {
        let vendor = try await Vendor()
        var app = try await LeaseApp(vendor)
        let activation = try await app.activated(Self.pro).activation
        for _ in 0..<3 {
            try await vendor.rotate()
            vendor.clock.advance(days: 40)
        }
        let error = await #expect(throws: FormatError.self) { try await app.renew(Self.pro, activation) }
        #expect(error?.code == .unknownKey)
        let blind = await #expect(throws: FormatError.self) { try await app.fetch("keyset", as: TenureKeyset.self) }
        #expect(blind?.code == .unknownKey, "without a `kid` the primary key signs")
        let keyset = try await app.fetch("keyset", "&kid=\(app.trusted.kids[0]),k99", as: TenureKeyset.self)
        #expect(keyset.keys.map { LeaseKey.number(of: $0.kid) } == [4])
        try app.trusted.adopt(keyset)
        #expect(try await app.renew(Self.pro, activation).yes?.status == .active)
    }
}

extension Vendor {
    func rotate() async throws {
        _ = try await licensing().rotateLeaseKey(of: TenantID("acme")!)
    }

    /// Issues a license whose key has a 0 or a 1, which can be mistyped as a similar letter.
    func mint() async throws -> String {
        let product = ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!)
        let licensing = try await licensing()
        while true {
            let issued = try await licensing.issueLicenses(
                .init(product: product, policy: PolicyID("pro")!), by: .operator("test"))
            let text = try #require(issued?.first?.keyText)
            if text.dropFirst(5).contains(where: { $0 == "0" || $0 == "1" }) { return text }
        }
    }
}
