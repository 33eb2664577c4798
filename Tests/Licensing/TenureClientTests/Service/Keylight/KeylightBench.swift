import TenureClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTPClient
import TenureLicensing
import Testing

/// A vendor with a signing key, a license and an activation, and a client to test against its responses.
struct KeylightBench {
    static let key = "NOTE-PRO0-0000-0001"
    static let instance = "5f0c2a1e-0000-4000-8000-000000000001"
    static let now = Timestamp(seconds: 1_795_251_039)

    let signing = Ed25519.PrivateKey.generate()
    let held = HeldActivation(key: key, activation: instance)

    /// Creates a client for a server, with the vendor's key `k1` pinned by default.
    func client(
        of url: String, pinned: [String: Ed25519.PublicKey]? = nil, trust: KeyTrust = .pinned,
        now: @escaping @Sendable () -> Timestamp = { Self.now },
        mayCorrectMark: @escaping @Sendable (Timestamp) -> Bool = { _ in false },
        _ adjust: (inout TransportOptions) -> Void = { _ in }
    ) throws -> KeylightService {
        let address = try #require(ServiceAddress(url, product: .notes()))
        return KeylightService(
            KeylightRequests(address, sdkKey: "sdk_live_x", machineHash: String(repeating: "a", count: 64)),
            over: try directTransport(adjust), pinned: pinned ?? ["k1": signing.publicKey], trust: trust, now: now,
            mayCorrectMark: mayCorrectMark)
    }

    /// Returns a signed lease as JSON.
    func lease(
        _ status: LeaseTerms.Status = .active, of key: String = key, to instance: String = instance,
        issued: Int64 = 0, kid: String = "k1", by other: Ed25519.PrivateKey? = nil
    ) throws -> String {
        let text = try #require(LicenseKeyText(key))
        let claims = KeylightLease.Claims(
            licenseKeyHash: Hex.encode(text.digest.bytes), instanceID: instance,
            issuedAt: Self.now.adding(seconds: issued), expiresAt: Self.now.adding(seconds: issued + 604_800),
            status: status, entitlements: status == .active ? ["export", "sync"] : [])
        return String(
            decoding: try KeylightLease.signed(claims, kid: kid, with: other ?? signing).json(), as: UTF8.self)
    }

    /// Returns the six members of a signed product configuration, without braces.
    func terms(
        _ days: Int64, free: Bool = false, product: String = "notes", issued: Int64 = 0, kid: String = "k1"
    ) throws -> String {
        let ref = ProductRef(tenant: try #require(TenantID("acme")), product: try #require(ProductID(product)))
        let claims = KeylightProductConfiguration.Claims(
            product: ref, trialDurationDays: days, freeTierEnabled: free, issuedAt: Self.now.adding(seconds: issued),
            expiresAt: Self.now.adding(seconds: issued + 86_400))
        let signed = try KeylightProductConfiguration.signed(claims, kid: kid, with: signing)
        let json = JSONWriter.object { signed.write(into: &$0) }
        return String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
    }

    /// Returns a keyset as JSON.
    func keyset(_ keys: [String: Ed25519.PublicKey]) throws -> String {
        let keys = keys.sorted { $0.key < $1.key }.map { KeylightKeyset.Key(kid: $0.key, publicKey: $0.value) }
        return String(
            decoding: try KeylightKeyset(primaryKid: try #require(keys.last).kid, keys: keys).json(), as: UTF8.self)
    }

    /// Returns the result of a renewal for one server response.
    func renewal(_ status: Int, _ body: String, notBefore: Moment? = nil) async throws -> Answer<LeaseGrant> {
        try await withServer { _ in
            .json(status, body)
        } _: { url in
            try await client(of: url).renew(held, notBefore: notBefore)
        }
    }

    /// Returns the result of an activation for one server response.
    func activation(_ status: Int, _ body: String) async throws -> Answer<LeaseGrant> {
        try await withServer { _ in
            .json(status, body)
        } _: { url in
            try await client(of: url).activate(key: Self.key, name: "Laptop", freeTier: nil)
        }
    }
}
