import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit

/// The fields of a Tenure-dialect request that its signed response repeats.
struct LeaseRequestFields: Sendable {
    /// The fields of a request, before its product is known.
    struct Said: Sendable {
        let nonce: StatementNonce
        let device: DeviceHash
    }

    /// The fields of a request about a license.
    struct SaidWithKey: Sendable {
        let said: Said
        let key: PresentedKey
    }

    /// The fields of a request about an activation of a license.
    struct SaidWithPlace: Sendable {
        let said: SaidWithKey
        let activation: ActivationID

        var key: PresentedKey { said.key }
    }

    let product: ProductRef
    let nonce: StatementNonce
    var key: PresentedKey?
    var device: DeviceHash?
    var activation: ActivationID?

    /// Creates a request about a product, without a license or device.
    init(_ product: ProductRef, nonce: StatementNonce) {
        self.product = product
        self.nonce = nonce
    }

    /// Creates a request of a device.
    init(_ product: ProductRef, _ said: Said) {
        self.init(product, nonce: said.nonce)
        device = said.device
    }

    /// Creates a request of a device about a license.
    init(_ product: ProductRef, _ said: SaidWithKey) {
        self.init(product, said.said)
        key = said.key
    }

    /// Creates a request of a device about its activation of a license.
    init(_ product: ProductRef, _ said: SaidWithPlace) {
        self.init(product, said.said)
        activation = said.activation
    }

    /// The identity by which the store recognizes the device.
    var identity: DeviceIdentity { PresentedDevice(device).identity }

    /// The envelope of a response that is signed now.
    func envelope(from now: Timestamp, until end: Timestamp) -> StatementEnvelope {
        StatementEnvelope(
            product: product, nonce: nonce, issuedAt: now, expiresAt: end, keyHash: key?.hash, device: device,
            activation: activation)
    }

    /// A lease for an activation, or an expired one for a device without an activation.
    func lease(
        _ terms: LeaseTerms, of license: License, to activation: ActivationID?, under snapshot: CatalogSnapshot
    ) -> TenureLease {
        var request = self
        request.activation = activation
        return TenureLease(
            request.envelope(from: terms.issuedAt, until: terms.expiresAt), license: license.id, policy: license.policy,
            term: license.term, status: terms.status, entitlements: terms.entitlements.map { .init($0) },
            policyName: snapshot.knownPolicy(of: license)?.name)
    }

    /// A refusal that is ready to be signed.
    func refusal(_ refusal: Refusal, at now: Timestamp) -> TenureRefusal {
        TenureRefusal(envelope(from: now, until: now.adding(seconds: TenureRefusal.lifetime)), refusal)
    }
}

extension FieldReader {
    /// Reads the fields that every request of a device must have.
    mutating func readValues() throws(Failure) -> LeaseRequestFields.Said {
        LeaseRequestFields.Said(
            nonce: try required("nonce", .nonceOfDevice), device: try required("device", .deviceHash))
    }

    /// Reads the fields of a request about a license.
    mutating func askWithKey() throws(Failure) -> LeaseRequestFields.SaidWithKey {
        LeaseRequestFields.SaidWithKey(said: try readValues(), key: try required("licenseKey", .licenseKey))
    }

    /// Reads the fields of a request about an activation.
    mutating func askWithPlace() throws(Failure) -> LeaseRequestFields.SaidWithPlace {
        LeaseRequestFields.SaidWithPlace(said: try askWithKey(), activation: try required("activation", .activationID))
    }
}

extension FieldReader {
    /// Reads the name and the operating system that a device reports.
    mutating func report() throws(Failure) -> DeviceReport {
        let name = try optional("name", .reportedText)
        let system = try optional("system", .reportedText)
        let version = try optional("systemVersion", .reportedText)
        return DeviceReport(name: name, system: system.flatMap { DeviceSystem(name: $0, version: version) })
    }
}

extension FieldType where Value == String {
    /// A text that a device reports about itself; ``DeviceReport`` cuts a name that is too long, and ``DeviceSystem``
    /// rejects other texts than printable ASCII.
    static let reportedText: FieldType = .text(
        "a string", like: "x", takesEmpty: true, schema: .text()
    ) { $0 }
}

extension FieldType where Value == StatementNonce {
    /// The random value that binds a response to its request.
    static let nonce: FieldType = nonce(longest: nil)

    /// The nonce in a device's request; one that is too long is refused before it is decoded.
    static let nonceOfDevice: FieldType = nonce(longest: 256)

    private static func nonce(longest: Int?) -> FieldType {
        .text(
            "16 to 64 bytes in base64url without padding", like: String(repeating: "A", count: 22), longest: longest,
            schema: .text()
        ) { StatementNonce(text: $0) }
    }
}

extension FieldType where Value == DeviceHash {
    /// The hash that identifies a device: 64 lower-case hexadecimal digits.
    static let deviceHash: FieldType = .text(
        "64 lower-case hexadecimal digits", like: String(repeating: "0", count: 64), longest: 256,
        schema: .text(pattern: "^[0-9a-f]{64}$")
    ) { DeviceHash($0) }
}

extension FieldType where Value == PresentedKey {
    /// A license key as typed, at most as long as ``LicenseKeyText/longest``.
    static let licenseKey: FieldType = .text(
        "a license key", like: "x", longest: LicenseKeyText.longest, schema: .text()
    ) {
        PresentedKey($0)
    }
}
