/// A license server as the manager talks to it, over one dialect.
///
/// Nothing here decides about a state. Each call sends one request, verifies what comes back against everything the
/// client knows, and says whether it was a yes, a verified no, or nothing that may change a state (design §5, "Unknown
/// is not no").
package protocol LicenseService: Sendable {
    /// Which dialect it speaks.
    var dialect: Dialect { get }

    /// Bonds a license key to this device.
    func activate(key: String, name: String, freeTier: String?) async -> Answer<LeaseGrant>

    /// Asks for a new lease for an activation.
    ///
    /// A lease that is older than the newest one the client has accepted (`notBefore`) is not believed.
    func renew(_ activation: HeldActivation, notBefore: Moment?) async -> Answer<LeaseGrant>

    /// Gives the activation's place back.
    func release(_ activation: HeldActivation) async -> Answer<Released>

    /// Asks for the signed start of this device's trial; over Keylight, which keeps none, `.unknown`.
    func trial() async -> Answer<TrialStart>

    /// Asks what the vendor allows people without a license.
    func configuration() async -> Answer<ProductTerms>

    /// Verifies the bytes of a lease that was kept, without asking anybody: signature, product, key, activation,
    /// device. Whether it has lapsed is not looked at.
    ///
    /// Throws ``LeaseProblem``.
    func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts

    /// The keys that leases are verified with now, to keep across launches; what ``trust(keyset:)`` reads.
    func keyset() -> [UInt8]

    /// Takes back the keys that were kept; keys that are neither pinned nor vouched for are left out.
    func trust(keyset: [UInt8])
}

/// A protocol that the client speaks.
package enum Dialect: String, Sendable, Hashable, Codable {
    /// Tenure's own: every answer is signed and bound to its request.
    case tenure
    /// Keylight's, version 3.
    case keylight
}

/// What a server's answer comes to.
package enum Answer<Value: Sendable>: Sendable {
    /// It said yes, and it is verified.
    case yes(Value)
    /// It said no, and the no is verified.
    case no(VerifiedNo)
    /// Nothing came that may change a state.
    case unknown(Unreached)
}

/// A yes to ``LicenseService/activate(key:name:freeTier:)`` or ``LicenseService/renew(_:notBefore:)``.
package struct LeaseGrant: Sendable, Hashable {
    /// What the lease says.
    package let facts: LeaseFacts
    /// The bytes that prove it, to keep.
    package let bytes: [UInt8]
    /// What the vendor allows people without a license, if that was told too.
    package let terms: ProductTerms?
    /// The server's time, signed: over Keylight, when the lease was signed.
    package let serverTime: Moment

    package init(facts: LeaseFacts, bytes: [UInt8], terms: ProductTerms? = nil, serverTime: Moment) {
        self.facts = facts
        self.bytes = bytes
        self.terms = terms
        self.serverTime = serverTime
    }
}

/// The place is free again.
package struct Released: Sendable, Hashable {
    /// The server's time, if it was signed.
    package let serverTime: Moment?

    package init(serverTime: Moment? = nil) { self.serverTime = serverTime }
}

/// A signed trial: first write wins on the server.
package struct TrialStart: Sendable, Hashable, Codable {
    /// When it started, by the server's clock.
    package let start: Moment
    /// How many days it lasts; 0 when the product has no trial.
    package let days: Int
    /// The server's time.
    package let serverTime: Moment

    package init(start: Moment, days: Int, serverTime: Moment) {
        self.start = start
        self.days = days
        self.serverTime = serverTime
    }
}

/// What the vendor allows people without a license.
package struct ProductTerms: Sendable, Hashable, Codable {
    /// How many days a trial lasts; nil when the server does not say, 0 when trials are switched off.
    package let trialDays: Int?
    /// Whether there is a free plan.
    package let freeTier: Bool

    package init(trialDays: Int?, freeTier: Bool) {
        self.trialDays = trialDays
        self.freeTier = freeTier
    }
}

/// A no that may change a state: signed, or what design §5 counts as one over Keylight.
package struct VerifiedNo: Sendable, Hashable, Codable {
    /// Why, most specific first; never empty. Codes are Tenure's.
    package let reasons: [ToldReason]
    /// The lease that came with it: an `expired` or `fallback` one.
    package let lease: Lease?
    /// The server's time, if it was signed.
    package let serverTime: Moment?

    /// A lease that came with a no.
    package struct Lease: Sendable, Hashable, Codable {
        package let facts: LeaseFacts
        package let bytes: [UInt8]

        package init(facts: LeaseFacts, bytes: [UInt8]) {
            self.facts = facts
            self.bytes = bytes
        }
    }

    package init(reasons: [ToldReason], lease: Lease? = nil, serverTime: Moment? = nil) {
        self.reasons = reasons
        self.lease = lease
        self.serverTime = serverTime
    }
}

/// A reason as a server told it.
package struct ToldReason: Sendable, Hashable, Codable {
    /// The stable code, such as `license_revoked`.
    package let code: String
    /// What happened, for people.
    package let message: String
    /// What would help, for people.
    package let cure: String?
    /// When it changes by itself.
    package let changesAt: Moment?

    package init(code: String, message: String, cure: String? = nil, changesAt: Moment? = nil) {
        self.code = code
        self.message = message
        self.cure = cure
        self.changesAt = changesAt
    }
}

/// Why nothing came that may change a state.
package struct Unreached: Sendable, Hashable, Codable {
    package enum Cause: String, Sendable, Hashable, Codable {
        /// No connection, no route, no name.
        case offline
        /// The server's certificate is not trusted.
        case untrusted
        /// Something between here and the server answered: HTML, or JSON of another kind.
        case captive
        /// The server could not answer now: 408, 429, 5xx, a time-out.
        case busy
        /// The server knows no such tenant or product, or wants a key that the app does not send: the app's settings.
        case misconfigured
        /// A signed answer that does not verify, or is for something else.
        case unverified
        /// It was cancelled.
        case cancelled
    }

    /// Which.
    package let cause: Cause
    /// For people who look at a log.
    package let message: String
    /// How many seconds the server asks to wait.
    package let retryAfter: Int64?

    package init(_ cause: Cause, _ message: String, retryAfter: Int64? = nil) {
        self.cause = cause
        self.message = message
        self.retryAfter = retryAfter
    }
}

/// A license key and the activation it was given on this device.
package struct HeldActivation: Sendable, Hashable, Codable {
    /// The key as the person typed it.
    package let key: String
    /// What the server calls the bond.
    package let activation: String

    package init(key: String, activation: String) {
        self.key = key
        self.activation = activation
    }
}

/// Why bytes are no lease of this activation.
package enum LeaseProblem: String, Error, Sendable, Hashable {
    /// They are no lease at all.
    case malformed
    /// The key that signed it is not known here.
    case unknownKey
    /// The signature is not the named key's.
    case badSignature
    /// It is another tenant's or product's.
    case otherProduct
    /// It is for another license key.
    case otherLicense
    /// It is for another activation.
    case otherActivation
    /// It is for another device.
    case otherDevice
}
