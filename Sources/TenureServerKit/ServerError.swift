/// A promise of the server that could not be kept.
public struct ServerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, stably named; an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let text: String
        /// Names a code.
        public init(_ text: String) { self.text = text }
        /// The name.
        public var description: String { text }

        /// The store failed; the cause says how.
        public static let store = Code("store_failed")
        /// The store's disk is full. Nothing was changed.
        public static let storeFull = Code("store_full")
        /// The master key does not open what is stored.
        public static let masterKeyWrong = Code("master_key_wrong")
        /// The catalog and a license contradict each other.
        public static let catalogInconsistent = Code("catalog_inconsistent")
        /// The catalog file cannot stand beside what is stored. Nothing was changed.
        public static let catalogConflict = Code("catalog_conflict")
        /// Another license of the product has the key. Nothing was changed.
        public static let keyTaken = Code("key_taken")
        /// Another tenant's marketplace has the domain. Nothing was changed.
        public static let domainTaken = Code("domain_taken")
        /// What was to be removed is named by others. Nothing was changed.
        public static let inUse = Code("in_use")
        /// Cryptography failed where it cannot, short of a broken machine.
        public static let crypto = Code("crypto_failed")
    }

    /// What went wrong; two errors are told apart by this alone.
    public let code: Code

    /// What went wrong and what to do next, for an operator. No key or secret is in it.
    public let message: String

    /// What was underneath, if anything.
    public let cause: String?

    /// Whether the same request may succeed later: whatever is in the way is none of the caller's business.
    public let isTransient: Bool

    /// The full name of the declared key whose values another row has, if that is why nothing was saved.
    let taken: String?

    /// Describes a failure.
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
