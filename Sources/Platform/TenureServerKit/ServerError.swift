/// An error of the server, as opposed to the refusal of a request.
public struct ServerError: Error, Sendable, CustomStringConvertible {
    /// The stable name of an error.
    ///
    /// Later versions may add codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The text of the code, such as `store_full`.
        public let text: String
        /// Creates a code from its text.
        public init(_ text: String) { self.text = text }
        /// The text of the code.
        public var description: String { text }

        /// The store failed. The error's ``cause`` has the details.
        public static let store = Code("store_failed")
        /// The store's disk is full, so nothing was changed.
        public static let storeFull = Code("store_full")
        /// A change was made, but the synchronous standby didn't confirm it.
        public static let storeUnconfirmed = Code("store_unconfirmed")
        /// The master key doesn't decrypt a stored value.
        public static let masterKeyWrong = Code("master_key_wrong")
        /// The catalog and a license contradict each other.
        public static let catalogInconsistent = Code("catalog_inconsistent")
        /// The catalog file conflicts with stored data, so nothing was changed.
        public static let catalogConflict = Code("catalog_conflict")
        /// Another license of the product has the key, so nothing was changed.
        public static let keyTaken = Code("key_taken")
        /// Another tenant's marketplace has the domain, so nothing was changed.
        public static let domainTaken = Code("domain_taken")
        /// Other records refer to a record that was to be removed, so nothing was changed.
        public static let inUse = Code("in_use")
        /// A cryptographic operation failed. Such an operation fails only on a defective host.
        public static let crypto = Code("crypto_failed")
    }

    /// The code of the error.
    ///
    /// Compare errors only by their code, because messages and causes may change.
    public let code: Code

    /// The problem and the remedy, for an operator.
    ///
    /// The text contains no keys or secrets.
    public let message: String

    /// The underlying error as text; `nil` without one.
    public let cause: String?

    /// Whether the same request may succeed later.
    public let isTransient: Bool

    /// The full name of the unique key whose values another row has already; `nil` for any other error.
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

    /// The code, message and cause on one line.
    public var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }
}
