public import TenureCore

/// What a reader knows, and a statement must say too, to be believed.
public struct StatementBindings: Sendable, Hashable {
    /// On what occasion a statement is read: that decides about nonce and time.
    public enum Occasion: Sendable, Hashable {
        /// It just came as the answer to a request with this nonce.
        ///
        /// The nonce proves that it is fresh, so the reader's clock is not asked: an online check cures a wrong clock.
        case answer(to: StatementNonce)
        /// It was kept, and must hold at a moment of the reader's clock: signed no later, and not over, 300 s allowed.
        case kept(at: Timestamp)
        /// It was kept, and whether it still holds is for the caller to see.
        case record
    }

    /// The product, with its tenant: from the reader's own settings.
    public var product: ProductRef

    /// The hash of the license key in the request; nil when there was none, and the statement must say so.
    public var keyHash: Digest?

    /// The reader's device; nil when the request named none, and the statement must say so.
    public var device: DeviceHash?

    /// The activation; nil when the reader does not know it yet: any is taken then.
    public var activation: ActivationID?

    /// The newest server time that the reader has seen; what was signed more than 300 s before it is refused.
    public var notBefore: Timestamp?

    /// When and why it is read.
    public var occasion: Occasion

    /// Says what a statement must say.
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
    /// Throws the first binding that does not hold, most telling first.
    func check(_ envelope: StatementEnvelope) throws(FormatError) {
        guard envelope.product == product else {
            throw FormatError(.otherProduct, "the statement is about \(envelope.product), not about \(product)")
        }
        guard envelope.keyHash == keyHash else {
            throw FormatError(.otherLicenseKey, "the statement is about another license key; ask again")
        }
        guard envelope.device == device else {
            throw FormatError(.otherDevice, "the statement was given to another device; activate this one")
        }
        if let activation, envelope.activation != activation {
            throw FormatError(.otherActivation, "the statement is about another activation; ask again")
        }
        if let notBefore, envelope.issuedAt.adding(seconds: StatementEnvelope.skewAllowance) < notBefore {
            throw FormatError(
                .outdated, "the statement was signed at \(envelope.issuedAt), before others that were seen; ask again")
        }
        switch occasion {
        case .answer(let nonce):
            guard envelope.nonce == nonce else {
                throw FormatError(.otherRequest, "the statement answers another request; ask again")
            }
        case .kept(let now):
            guard envelope.issuedAt <= now.adding(seconds: StatementEnvelope.skewAllowance) else {
                throw FormatError(
                    .notYet, "the statement was signed at \(envelope.issuedAt), which is yet to come; check the clock")
            }
            guard now <= envelope.expiresAt.adding(seconds: StatementEnvelope.skewAllowance) else {
                throw FormatError(.lapsed, "the statement held until \(envelope.expiresAt); ask for a new one")
            }
        case .record: break
        }
    }
}

extension FormatError.Code {
    /// A statement names a signing key that is not trusted. Keys may have been rotated: read the keyset again.
    public static let unknownKey = FormatError.Code("unknown_key")
    /// A statement is about another tenant or product.
    public static let otherProduct = FormatError.Code("other_product")
    /// A statement is about another license key.
    public static let otherLicenseKey = FormatError.Code("other_license_key")
    /// A statement was given to another device.
    public static let otherDevice = FormatError.Code("other_device")
    /// A statement is about another activation.
    public static let otherActivation = FormatError.Code("other_activation")
    /// A statement answers another request.
    public static let otherRequest = FormatError.Code("other_request")
    /// A statement is older than what has been seen.
    public static let outdated = FormatError.Code("outdated")
    /// A statement was signed in what is the future by the reader's clock.
    public static let notYet = FormatError.Code("not_yet")
    /// A statement no longer holds.
    public static let lapsed = FormatError.Code("lapsed")
}
