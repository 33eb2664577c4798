/// An error on the server's side.
public struct ServerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable name.
    ///
    /// Codes may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let text: String
        /// Creates a code.
        public init(_ text: String) { self.text = text }
        /// The name.
        public var description: String { text }

        /// The store failed; the cause says how.
        public static let store = Code("store_failed")
        /// The store's disk is full.
        ///
        /// Nothing was changed.
        public static let storeFull = Code("store_full")
        /// A change was made, but its synchronous standby didn't confirm it.
        public static let storeUnconfirmed = Code("store_unconfirmed")
        /// The master key doesn't decrypt what is stored.
        public static let masterKeyWrong = Code("master_key_wrong")
        /// The catalog and a license contradict each other.
        public static let catalogInconsistent = Code("catalog_inconsistent")
        /// The catalog file conflicts with what is stored.
        ///
        /// Nothing was changed.
        public static let catalogConflict = Code("catalog_conflict")
        /// Another license of the product has the key.
        ///
        /// Nothing was changed.
        public static let keyTaken = Code("key_taken")
        /// Another tenant's marketplace has the domain.
        ///
        /// Nothing was changed.
        public static let domainTaken = Code("domain_taken")
        /// Other records refer to what was to be removed.
        ///
        /// Nothing was changed.
        public static let inUse = Code("in_use")
        /// A cryptographic operation failed, although it can only fail on a defective host.
        public static let crypto = Code("crypto_failed")
    }

    /// What went wrong.
    ///
    /// Compare errors by their code only; messages and causes may change.
    public let code: Code

    /// What went wrong and what to do next, for an operator.
    ///
    /// It contains no keys or secrets.
    public let message: String

    /// The underlying error, if there is one.
    public let cause: String?

    /// Whether the same request may succeed later.
    public let isTransient: Bool

    /// The full name of the unique key whose values another row already has; `nil` for other errors.
    let taken: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: String? = nil, isTransient: Bool = false) {
        self.init(code, message, cause: cause, isTransient: isTransient, taken: nil)
    }

    init(_ code: Code, _ message: String, cause: String?, isTransient: Bool, taken: String?) {
        self.code = code
        self.message = message
        self.cause = cause
        self.isTransient = isTransient
        self.taken = taken
    }

    /// Code, message and cause in one line.
    public var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }
}
