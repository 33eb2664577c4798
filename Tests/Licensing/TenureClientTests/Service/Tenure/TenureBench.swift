import TenureClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureLicensing
import Testing

/// A vendor with a signing key, a license and an activation, and a client to test against its statements.
struct TenureBench {
    static let key = "NOTE-PRO0-0000-0001"
    static let now = Timestamp(seconds: 1_795_251_039)

    let signing = Ed25519.PrivateKey.generate()
    let activation: ActivationID
    let held: HeldActivation
    let device: DeviceHash
    let other: DeviceHash

    init() throws {
        activation = ActivationID(high: 0x5F0C_0000_0000_4000, low: 0x8000_0000_0000_0001)
        held = HeldActivation(key: Self.key, activation: activation.description)
        device = try #require(DeviceHash(String(repeating: "a", count: 64)))
        other = try #require(DeviceHash(String(repeating: "b", count: 64)))
    }

    /// Creates a client for a server, with the vendor's key `k1` pinned by default.
    func client(
        of url: String, pinned: [String: Ed25519.PublicKey]? = nil, trust: KeyTrust = .pinned
    ) throws -> TenureService {
        let address = try #require(ServiceAddress(url, product: .notes()))
        return TenureService(
            TenureRequests(address, sdkKey: "sdk_live_x", device: device), over: try directTransport(),
            pinned: pinned ?? ["k1": signing.publicKey], trust: trust, now: { Self.now })
    }

    /// The content of a signed statement, which a test may change.
    struct Said {
        var product = "notes"
        var nonce: StatementNonce
        var issued: Int64 = 0
        var key: String? = TenureBench.key
        var device: DeviceHash?
        var activation: ActivationID?
    }

    func envelope(_ said: Said) throws -> StatementEnvelope {
        let ref = ProductRef(tenant: try #require(TenantID("acme")), product: try #require(ProductID(said.product)))
        return StatementEnvelope(
            product: ref, nonce: said.nonce, issuedAt: Self.now.adding(seconds: said.issued),
            expiresAt: Self.now.adding(seconds: said.issued + 604_800),
            keyHash: said.key.flatMap(LicenseKeyText.init)?.digest, device: said.device, activation: said.activation)
    }

    func lease(_ said: Said, _ status: LeaseTerms.Status = .active) throws -> TenureLease {
        let term = try #require(Term(start: Self.now, end: Self.now.adding(days: 365)))
        let entitlement = try #require(Entitlement("export"))
        return TenureLease(
            try envelope(said), license: try #require(LicenseID(number: 7)), policy: try #require(PolicyID("pro")),
            term: term,
            status: status, entitlements: status == .active ? [.init(entitlement, value: "25")] : [])
    }

    func refusal(_ said: Said, _ code: Reason.Kind) throws -> TenureRefusal {
        let reason = Reason(code, message: "No.", cure: "Ask.")
        return TenureRefusal(try envelope(said), Refusal(reason))
    }

    func compact(
        _ statement: some TenureStatement, kid: String = "k1", by other: Ed25519.PrivateKey? = nil
    ) -> String {
        String(decoding: statement.signed(kid: kid, with: other ?? signing), as: UTF8.self)
    }

    /// Returns the statement content that matches the request's nonce, device and activation.
    func said(_ request: Request) throws -> Said {
        if request.method == "GET" {
            let text = request.query.split(separator: "&").first { $0.hasPrefix("nonce=") }?.dropFirst(6) ?? ""
            return Said(nonce: try #require(StatementNonce(text: String(text))), key: nil)
        }
        let body = try FlatObject(scanning: request.body)
        return Said(
            nonce: try #require(StatementNonce(text: body.string("nonce").value ?? "")),
            key: body.string("licenseKey").value, device: body.string("device").value.flatMap { DeviceHash($0) },
            activation: body.string("activation").value.flatMap { ActivationID(text: $0) } ?? activation)
    }

    /// Returns the result of a renewal for a server response.
    func renewal(
        notBefore: Moment? = nil, _ status: Int = 200, _ body: @escaping @Sendable (Said) throws -> String
    ) async throws -> Answer<LeaseGrant> {
        try await withServer { request in
            guard let text = try? body(said(request)) else { return .json(500, "{}") }
            return .json(status, text)
        } _: { url in
            try await client(of: url).renew(held, notBefore: notBefore)
        }
    }
}
