public import TenureCore

/// The values that a statement must match to be accepted.
public struct StatementBindings: Sendable, Hashable {
    /// Why a statement is read, which decides how its nonce and time are checked.
    public enum Occasion: Sendable, Hashable {
        /// The statement is the response to a request with this nonce.
        ///
        /// The nonce proves that it is fresh, so the reader's clock isn't checked: an online check works with a wrong
        /// clock.
        case answer(to: StatementNonce)
        /// The statement was stored and must be valid at this moment of the reader's clock.
        ///
        /// It must have been signed no later than this time, and must not have expired; both comparisons allow 300
        /// seconds of skew.
        case kept(at: Timestamp)
        /// The statement was stored; the caller decides whether it is still valid.
        case record
    }

    /// The product with its tenant, from the reader's own settings.
    public var product: ProductRef

    /// The hash of the license key in the request; `nil` if there was none, and then the statement must have none.
    public var keyHash: Digest?

    /// The reader's device; `nil` if the request named none, and then the statement must name none.
    public var device: DeviceHash?

    /// The activation; `nil` if the reader doesn't know it yet, so that any is accepted.
    public var activation: ActivationID?

    /// The latest server time that the reader has seen, `nil` for none; a statement signed more than 300 s earlier is
    /// rejected.
    public var notBefore: Timestamp?

    /// The reason why the statement is read, which decides how its nonce and time are checked.
    public var occasion: Occasion

    /// Creates the bindings from their parts.
    public init(
        product: ProductRef, keyHash: Digest? = nil, device: DeviceHash? = nil, activation: ActivationID? = nil,
        notBefore: Timestamp? = nil, occasion: Occasion
    ) {
        self.product = product
        self.keyHash = keyHash
        self.device = device
        self.activation = activation
        self.notBefore = notBefore
        self.occasion = occasion
    }
}

extension StatementBindings {
    /// Throws an error for the first binding that doesn't match. The product is checked first, then the license key,
    /// the device, the activation, ``notBefore`` and ``occasion``.
    func check(_ envelope: StatementEnvelope) throws(FormatError) {
        guard envelope.product == product else {
            throw FormatError(.otherProduct, "the statement was issued for \(envelope.product), not for \(product)")
        }
        guard envelope.keyHash == keyHash else {
            throw FormatError(.otherLicenseKey, "the statement was issued for another license key; request a new one")
        }
        guard envelope.device == device else {
            throw FormatError(.otherDevice, "the statement was issued to another device; activate this one")
        }
        if let activation, envelope.activation != activation {
            throw FormatError(.otherActivation, "the statement was issued for another activation; request a new one")
        }
        if let notBefore, envelope.issuedAt.adding(seconds: StatementEnvelope.skewAllowance) < notBefore {
            throw FormatError(
                .outdated,
                "the statement was signed at \(envelope.issuedAt), before one that was already accepted; request a "
                    + "new one"
            )
        }
        switch occasion {
        case .answer(let nonce):
            guard envelope.nonce == nonce else {
                throw FormatError(.otherRequest, "the statement answers another request; send the request again")
            }
        case .kept(let now):
            guard envelope.issuedAt <= now.adding(seconds: StatementEnvelope.skewAllowance) else {
                throw FormatError(
                    .notYet,
                    "the statement was signed at \(envelope.issuedAt), which is in the future; check the device's clock"
                )
            }
            guard now <= envelope.expiresAt.adding(seconds: StatementEnvelope.skewAllowance) else {
                throw FormatError(.lapsed, "the statement expired at \(envelope.expiresAt); request a new one")
            }
        case .record: break
        }
    }
}

extension FormatError.Code {
    /// The statement names a signing key that isn't trusted.
    ///
    /// Keys may have been rotated; fetch the keyset again.
    public static let unknownKey = FormatError.Code("unknown_key")
    /// The statement is about another tenant or product.
    public static let otherProduct = FormatError.Code("other_product")
    /// The statement is about another license key.
    public static let otherLicenseKey = FormatError.Code("other_license_key")
    /// The statement was issued to another device.
    public static let otherDevice = FormatError.Code("other_device")
    /// The statement is about another activation.
    public static let otherActivation = FormatError.Code("other_activation")
    /// The statement is the response to another request.
    public static let otherRequest = FormatError.Code("other_request")
    /// The statement is older than one that the reader has seen.
    public static let outdated = FormatError.Code("outdated")
    /// The statement's signing time is in the future, by the reader's clock.
    public static let notYet = FormatError.Code("not_yet")
    /// The statement has expired.
    public static let lapsed = FormatError.Code("lapsed")
}
