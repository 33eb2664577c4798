public import TenureCore

/// The members that every signed statement of the Tenure dialect has (`Documentation/leases.md`).
///
/// They identify the product, the activation, the request and the time of the signature. A member that doesn't apply is
/// `nil` here and `null` in the JSON; it is never omitted.
public struct StatementEnvelope: Sendable, Hashable {
    /// The product that the statement is about, with its tenant.
    public let product: ProductRef

    /// The nonce of the request that the statement responds to.
    public let nonce: StatementNonce

    /// The server's time when the statement was signed.
    public let issuedAt: Timestamp

    /// The first moment at which the statement is no longer valid, without skew.
    public let expiresAt: Timestamp

    /// The SHA-256 of the normal form of the request's license key; `nil` if the request had none.
    public let keyHash: Digest?

    /// The requesting device; `nil` if the request named none.
    public let device: DeviceHash?

    /// The activation that the statement is about; `nil` if there isn't one.
    public let activation: ActivationID?

    /// Creates an envelope from its parts.
    public init(
        product: ProductRef, nonce: StatementNonce, issuedAt: Timestamp, expiresAt: Timestamp, keyHash: Digest? = nil,
        device: DeviceHash? = nil, activation: ActivationID? = nil
    ) {
        self.product = product
        self.nonce = nonce
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.keyHash = keyHash
        self.device = device
        self.activation = activation
    }

    /// How far a client's clock may differ from the server's, in seconds.
    public static let skewAllowance: Int64 = 300

    /// The version of the statement format, written as `v`.
    static let version: Int64 = 1
}

extension StatementEnvelope {
    func write(into object: inout JSONObjectWriter) {
        object.member("v", Self.version)
        object.member("tenant", product.tenant.text)
        object.member("product", product.product.text)
        object.member("nonce", base64URL: nonce.bytes)
        object.member("iat", issuedAt.seconds)
        object.member("exp", expiresAt.seconds)
        if let keyHash { object.member("keyHash", hex: keyHash.bytes) } else { object.null("keyHash") }
        object.member("device", device?.text)
        object.member("activation", activation?.description)
    }

    /// Reads the envelope of a payload whose signature has been verified.
    ///
    /// Throws: `.badMember`.
    init(_ object: FlatObject) throws(FormatError) {
        guard try object.require("v", object.integer("v")) == Self.version else {
            throw FormatError(.badMember, "the version of a statement must be 1; a newer client may support others")
        }
        let tenant = TenantID(try object.require("tenant", object.string("tenant")))
        let product = ProductID(try object.require("product", object.string("product")))
        let nonce = StatementNonce(text: try object.require("nonce", object.string("nonce")))
        guard let tenant, let product, let nonce else {
            throw FormatError(.badMember, "the tenant, product or nonce of a statement has an invalid format")
        }
        let issued = try object.require("iat", object.integer("iat"))
        let expires = try object.require("exp", object.integer("exp"))
        guard issued < expires else { throw FormatError(.badMember, "a statement must expire after it was signed") }
        self.init(
            product: ProductRef(tenant: tenant, product: product), nonce: nonce,
            issuedAt: Timestamp(seconds: issued), expiresAt: Timestamp(seconds: expires),
            keyHash: try object.nullable("keyHash") { text in
                guard text.utf8.allSatisfy({ !(0x41...0x46).contains($0) }) else { return nil }
                return Hex.decode(text).flatMap { Digest($0) }
            },
            device: try object.nullable("device") { DeviceHash($0) },
            activation: try object.nullable("activation") { ActivationID(text: $0) })
    }
}

/// The random bytes that a client sends with a request and expects back in the signed response.
///
/// A response with the request's nonce was signed after the request, so a captured one can't be
/// replayed.
public struct StatementNonce: Sendable, Hashable, CustomStringConvertible {
    /// The allowed length in bytes.
    public static let lengths = 16...64

    /// The random bytes; there are 16 to 64.
    public let bytes: [UInt8]

    /// Creates a nonce; fails for fewer than 16 or more than 64 bytes.
    public init?(bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads base64url without padding; fails for anything else.
    public init?(text: String) {
        guard text.utf8.count <= 86, let bytes = Base64.decodeURL(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The nonce in base64url without padding.
    public var description: String { Base64.encodeURL(bytes) }
}

/// A hash that identifies a device to one product without revealing which device it is.
///
/// The client computes a SHA-256, salted with tenant and product. The server only compares it and never learns its
/// input.
public struct DeviceHash: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let text: String

    /// Accepts a hash that was received; returns `nil` unless it is 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, digits else { return nil }
        self.text = text
    }

    /// The 64 digits.
    public var description: String { text }

    /// The first twelve digits in groups of four, such as `3f2b-7c1e-90ab`, which a person can read out to support.
    public var code: String {
        let digits = Array(text.utf8.prefix(12))
        return stride(from: 0, to: digits.count, by: 4)
            .map { String(decoding: digits[$0..<$0 + 4], as: UTF8.self) }.joined(separator: "-")
    }
}
