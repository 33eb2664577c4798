/// Why a license engine could not do its work, or signing assets cannot be used.
///
/// Two errors are equal when their codes are. No key, key blob or request is in it.
public struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Names the kind of failure; an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// As logs and answers spell it, such as `request_unreadable`.
        public let text: String
        /// Makes a code of its spelling.
        public init(_ text: String) { self.text = text }
        /// The spelling, for messages.
        public var description: String { text }

        /// A client request is not one that this engine reads.
        public static let requestUnreadable = Code("request_unreadable")
        /// A license id is not in 1 ... 2^63 - 2.
        public static let licenseIDOutOfRange = Code("license_id_out_of_range")
        /// A duration is over 2^63 - 2 seconds.
        public static let durationOutOfRange = Code("duration_out_of_range")
        /// A license's issued time, or its end, is over 2^63 - 2 seconds.
        public static let endOutOfRange = Code("end_out_of_range")
        /// A key blob is empty, or a license has neither an app key nor an app that it takes away.
        public static let appKeyMissing = Code("app_key_missing")
        /// One session was given two licenses with one id.
        public static let licenseRepeated = Code("license_repeated")
        /// The session is of the other kind, or the response is not this session's latest.
        public static let wrongSession = Code("wrong_session")
        /// The signer failed, or nobody can sign.
        public static let notSigned = Code("not_signed")
        /// A signature is not the signing certificate's over the response.
        public static let badSignature = Code("bad_signature")
        /// The engine made no bytes. They are never sent: a device cannot tell why.
        public static let emptyLicense = Code("empty_license")
        /// The engine failed; the cause is its own word.
        public static let engineFailed = Code("engine_failed")
        /// The task was cancelled; nothing was made.
        public static let cancelled = Code("cancelled")

        /// A file is no certificate.
        public static let badCertificate = Code("bad_certificate")
        /// A file is no private key of the kind asked for.
        public static let badKey = Code("bad_key")
        /// A certificate or key is not RSA with 3072 bits.
        public static let notRSA3072 = Code("not_rsa_3072")
        /// A certificate is not the private key's.
        public static let certificateMismatch = Code("certificate_mismatch")
        /// The encryption and the signing certificate are the same, or have the same key.
        public static let keySharedByPurposes = Code("key_shared_by_purposes")
        /// A certificate has ended.
        public static let certificateExpired = Code("certificate_expired")
        /// A certificate is not valid yet.
        public static let certificateNotYetValid = Code("certificate_not_yet_valid")
        /// The PASK file is not what Apple gives out.
        public static let badPASK = Code("bad_pask")
    }

    /// The kind of failure.
    public let code: Code

    /// What went wrong and what to do next, for an operator.
    public let message: String

    /// The error behind it, if there was one.
    public let cause: (any Error)?

    /// Describes a failure.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// Code, message and cause in one line.
    public var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }

    /// Compares codes only.
    public static func == (one: EngineError, other: EngineError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
