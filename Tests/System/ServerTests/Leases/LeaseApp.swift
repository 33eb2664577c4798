import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import Testing

/// An app on one device that uses the Tenure dialect and accepts only verified responses.
struct LeaseApp {
    let vendor: Vendor
    let device: DeviceHash
    let product = ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!)
    var trusted: TrustedKeys

    /// A response after verification.
    enum Said<Yes> {
        case yes(Yes)
        case no(TenureRefusal, lease: TenureLease?, status: Int)
        /// An unsigned response: its status and code.
        case unsigned(String)
    }

    init(_ vendor: Vendor, device: Character = "a", pinning numbers: [Int] = [1]) async throws {
        self.vendor = vendor
        self.device = DeviceHash(String(repeating: device, count: 64))!
        let keys = try await vendor.store.signingKeys().filter { numbers.contains(LeaseKey.number(of: $0.kid) ?? 0) }
        var pinned: [String: Ed25519.PublicKey] = [:]
        for key in keys { pinned[key.kid] = try Ed25519.PublicKey(bytes: key.publicKey) }
        trusted = TrustedKeys(pinned: pinned)
    }

    static func nonce() -> StatementNonce { StatementNonce(bytes: SecureRandom.bytes(16))! }

    func activate(
        _ key: String, nonce: StatementNonce = nonce(), reporting more: String = ""
    ) async throws -> Said<TenureLease> {
        try await send("activate", "lease", key, nil, nonce, #","name":"Mac""# + more)
    }

    func renew(
        _ key: String, _ activation: ActivationID, reporting more: String = ""
    ) async throws -> Said<TenureLease> {
        try await send("renew", "lease", key, activation, Self.nonce(), more)
    }

    func release(_ key: String, _ activation: ActivationID) async throws -> Said<TenureRelease> {
        try await send("release", "release", key, activation, Self.nonce())
    }

    func trial(startedAt: Int64? = nil) async throws -> Said<TenureTrial> {
        try await send("trial", "trial", nil, nil, Self.nonce(), startedAt.map { #","startedAt":\#($0)"# } ?? "")
    }

    /// Renews a lease and returns its signed text, or `none` if the response has no lease.
    func bytes(_ key: String, _ activation: ActivationID) async throws -> String {
        let answer = await vendor.post(
            "/v1/acme/notes/leases/renew",
            #"{"nonce":"\#(Self.nonce())","device":"\#(device)","licenseKey":"\#(key)","activation":"\#(activation)"}"#)
        return answer.text("lease") ?? "none"
    }

    /// Activates, and requires success.
    func activated(_ key: String) async throws -> (lease: TenureLease, activation: ActivationID) {
        let lease = try #require(try await activate(key).yes)
        return (lease, try #require(lease.envelope.activation))
    }

    func fetch<Statement: TenureStatement>(
        _ what: String, _ query: String = "", as: Statement.Type
    ) async throws -> Statement {
        let nonce = Self.nonce()
        let answer = await vendor.get("/v1/acme/notes/leases/\(what)?nonce=\(nonce)\(query)")
        #expect(answer.status == 200)
        let bytes = Array(try #require(answer.text(what)).utf8)
        return try UnverifiedStatement<Statement>(compact: bytes).verify(
            StatementBindings(product: product, occasion: .answer(to: nonce)), trusting: trusted)
    }

    /// Sends a request and verifies the response against the trusted keys and the request's bindings.
    func send<Statement: TenureStatement>(
        _ verb: String, _ member: String, _ key: String?, _ activation: ActivationID?, _ nonce: StatementNonce,
        _ more: String = ""
    ) async throws -> Said<Statement> {
        let typed = key.map { #","licenseKey":"\#($0)""# } ?? ""
        let named = activation.map { #","activation":"\#($0)""# } ?? ""
        let answer = await vendor.post(
            "/v1/acme/notes/leases/\(verb)", #"{"nonce":"\#(nonce)","device":"\#(device)"\#(typed)\#(named)\#(more)}"#)
        #expect(answer.headers["Cache-Control"] == "no-store")
        var bindings = StatementBindings(
            product: product, device: device, activation: activation, occasion: .answer(to: nonce))
        bindings.keyHash = key.flatMap { LicenseKeyText($0)?.digest }
        func verified<Kind: TenureStatement>(_ name: String, as: Kind.Type) throws -> Kind? {
            guard let text = answer.text(name) else { return nil }
            return try UnverifiedStatement<Kind>(compact: Array(text.utf8)).verify(bindings, trusting: trusted)
        }
        if answer.status == 200 { return .yes(try #require(try verified(member, as: Statement.self))) }
        guard let refusal = try verified("refusal", as: TenureRefusal.self) else {
            return .unsigned("\(answer.status) \(answer.code ?? "")")
        }
        #expect(refusal.reasons.map(\.code.text) == answer.reasons)
        return .no(refusal, lease: try verified("lease", as: TenureLease.self), status: answer.status)
    }
}

extension LeaseApp.Said {
    var yes: Yes? { if case .yes(let yes) = self { yes } else { nil } }

    /// The status and reason codes of a verified refusal.
    var no: String? {
        guard case .no(let refusal, _, let status) = self else { return nil }
        return "\(status) " + refusal.reasons.map(\.code.text).joined(separator: " ")
    }

    /// The status and code of an unsigned response.
    var unsigned: String? { if case .unsigned(let text) = self { text } else { nil } }

    var lease: TenureLease? { if case .no(_, let lease, _) = self { lease } else { nil } }
}
