/// An error of a license engine, or of signing assets that can't be used.
///
/// Two errors are equal if their codes are equal. An error never contains a key, a key blob or a request.
struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error; later versions may add more.
    struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as written in logs and responses, such as `request_unreadable`.
        let text: String
        init(_ text: String) { self.text = text }
        var description: String { text }

        /// The engine can't parse a client request.
        static let requestUnreadable = Code("request_unreadable")
        /// A license id isn't in 1 ... 2^63 - 2.
        static let licenseIDOutOfRange = Code("license_id_out_of_range")
        /// A duration exceeds 2^63 - 2 seconds.
        static let durationOutOfRange = Code("duration_out_of_range")
        /// A license's issue time or expiry exceeds 2^63 - 2 seconds.
        static let endOutOfRange = Code("end_out_of_range")
        /// A key blob is empty, or a license contains neither an app to license nor one to revoke.
        static let appKeyMissing = Code("app_key_missing")
        /// The engine can't use a key blob.
        static let appKeyUnusable = Code("app_key_unusable")
        /// Two licenses with the same id were added to one session.
        static let licenseRepeated = Code("license_repeated")
        /// The call doesn't fit the session's type, or the response isn't the session's latest.
        static let wrongSession = Code("wrong_session")
        /// The signer failed, or no key or signer is available.
        static let notSigned = Code("not_signed")
        /// A signature of a response wasn't made with the signing certificate's key.
        static let badSignature = Code("bad_signature")
        /// The engine produced an empty license.
        ///
        /// It is never sent, because the device would only report that it has no valid license.
        static let emptyLicense = Code("empty_license")
        /// The engine failed; ``EngineError/cause`` is its own error.
        static let engineFailed = Code("engine_failed")
        /// The task was cancelled before a license was created.
        static let cancelled = Code("cancelled")

        /// A file isn't a certificate.
        static let badCertificate = Code("bad_certificate")
        /// A file isn't a private key of the required type.
        static let badKey = Code("bad_key")
        /// A certificate or key isn't RSA with 3072 bits.
        static let notRSA3072 = Code("not_rsa_3072")
        /// A certificate doesn't belong to the private key.
        static let certificateMismatch = Code("certificate_mismatch")
        /// The encryption and signing certificates are the same or have the same key.
        static let keySharedByPurposes = Code("key_shared_by_purposes")
        /// A certificate has expired.
        static let certificateExpired = Code("certificate_expired")
        /// A certificate is not valid yet.
        static let certificateNotYetValid = Code("certificate_not_yet_valid")
        /// The PASK file doesn't have Apple's format.
        static let badPASK = Code("bad_pask")
    }

    let code: Code

    /// A sentence for the operator: the failure, and the next step.
    let message: String

    /// The underlying error, if there is one.
    let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The code, message and cause in one line.
    var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }

    /// Compares the codes only.
    static func == (one: EngineError, other: EngineError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
