import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing

/// The product, keys, device and lease of the tests' statements. The golden statements have the same values.
enum GivenStatements {
    static let now = Timestamp(seconds: 1_795_251_039)
    static let product = ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!)
    static let nonce = StatementNonce(bytes: Array(0..<16))!
    static let keyHash = Digest(SHA256.hash(Array("NOTE-PRO0-0000-0001".utf8)))!
    static let device = DeviceHash(Hex.encode(SHA256.hash(Array("device".utf8))))!
    static let activation = ActivationID(text: "5f0c1e9a-7f1c-4d58-9a3b-0123456789ab")!
    static let license = LicenseID(text: "lic_0123456789abc")!

    static func key(_ first: UInt8) -> Ed25519.PrivateKey {
        guard let key = try? Ed25519.PrivateKey(seed: Array(first..<first + 32)) else {
            preconditionFailure("a seed has 32 bytes")
        }
        return key
    }

    /// Trusts the public key of `key(1)` under the id `k1`.
    static let trusted = TrustedKeys(pinned: ["k1": key(1).publicKey])

    static func envelope(
        lasting seconds: Int64, keyHash: Digest? = keyHash, device: DeviceHash? = device,
        activation: ActivationID? = activation
    ) -> StatementEnvelope {
        StatementEnvelope(
            product: product, nonce: nonce, issuedAt: now, expiresAt: now.adding(seconds: seconds), keyHash: keyHash,
            device: device, activation: activation)
    }

    static let lease = TenureLease(
        envelope(lasting: 7 * 86_400), license: license, policy: PolicyID("pro")!,
        term: .perpetual(from: now.adding(seconds: -1)), status: .active,
        entitlements: [.init(Entitlement("pro")!)])

    /// The bindings that `lease` fulfills.
    static let bindings = StatementBindings(
        product: product, keyHash: keyHash, device: device, activation: activation, occasion: .answer(to: nonce))
}
