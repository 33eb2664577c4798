public import TenureCore

/// What every signed statement of the Tenure dialect says of itself: what it is about, what it answers, and when
/// (`Documentation/leases.md`).
///
/// What a statement is not about is nil here and `null` in its JSON, so that nothing is left open by being left out.
public struct StatementEnvelope: Sendable, Hashable {
    /// The product, with its tenant.
    public let product: ProductRef

    /// The nonce of the request that it answers.
    public let nonce: StatementNonce

    /// The server's time when it was signed.
    public let issuedAt: Timestamp

    /// The first moment it no longer holds, skew not counted.
    public let expiresAt: Timestamp

    /// SHA-256 of the normal form of the license key in the request; nil when the request had none.
    public let keyHash: Digest?

    /// The device that asked; nil when it did not say.
    public let device: DeviceHash?

    /// The activation that it is about; nil when there is none.
    public let activation: ActivationID?

    /// Puts an envelope together.
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

    /// How far a client's clock may be behind or ahead of the server's, in seconds.
    public static let skewAllowance: Int64 = 300

    /// The version of the statements written here.
    static let version: Int64 = 1
}

extension StatementEnvelope {
    func write(into object: inout JSONObjectWriter) {
        object.member("v", Self.version)
        object.member("tenant", product.tenant.text)
        object.member("product", product.product.text)
        object.member("nonce", nonce.description)
        object.member("iat", issuedAt.seconds)
        object.member("exp", expiresAt.seconds)
        object.member("keyHash", keyHash.map { Hex.encode($0.bytes) })
        object.member("device", device?.text)
        object.member("activation", activation?.description)
    }

    /// Reads the envelope of a payload whose signature has been verified.
    ///
    /// Throws: `.badMember`.
    init(_ object: FlatObject) throws(FormatError) {
        guard try object.require("v", object.integer("v")) == Self.version else {
            throw FormatError(.badMember, "a statement has version 1; a newer client may know more")
        }
        let tenant = TenantID(try object.require("tenant", object.string("tenant")))
        let product = ProductID(try object.require("product", object.string("product")))
        let nonce = StatementNonce(text: try object.require("nonce", object.string("nonce")))
        guard let tenant, let product, let nonce else {
            throw FormatError(.badMember, "a statement's tenant, product or nonce is not of its shape")
        }
        let issued = try object.require("iat", object.integer("iat"))
        let expires = try object.require("exp", object.integer("exp"))
        guard issued < expires else { throw FormatError(.badMember, "a statement ends after it was signed") }
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

/// Random bytes that a client puts into a request and finds again in the signed answer: 16 to 64 of them.
///
/// An answer with the request's nonce was made after the request, so a captured one cannot be played back
/// (`spec/keylight.md` §1.6, weak point 4).
public struct StatementNonce: Sendable, Hashable, CustomStringConvertible {
    /// How many bytes a nonce may have.
    public static let lengths = 16...64

    /// As the client drew them.
    public let bytes: [UInt8]

    /// Takes random bytes; refuses fewer than 16 and more than 64.
    public init?(bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads base64url without padding; refuses everything else.
    public init?(text: String) {
        guard text.utf8.count <= 86, let bytes = Base64.decodeURL(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The bytes in base64url without padding.
    public var description: String { Base64.encodeURL(bytes) }
}

/// Names a device to one product without telling which device it is: a SHA-256 that the client makes, salted with
/// tenant and product.
///
/// A server compares it and never learns what went into it.
public struct DeviceHash: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let text: String

    /// Takes a presented hash; refuses anything but 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, digits else { return nil }
        self.text = text
    }

    /// The 64 digits.
    public var description: String { text }
}
