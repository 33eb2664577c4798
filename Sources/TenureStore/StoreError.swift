/// A promise of the store that could not be kept.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, stably named; an open set.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let text: String
        /// Names a code.
        public init(_ text: String) { self.text = text }
        /// The name.
        public var description: String { text }

        /// Others hold the store longer than this caller could wait. Nothing was changed; try again.
        public static let busy = Code("store_busy")
        /// The database cannot be reached. Whether a change was made is unknown only if it was under way; try again.
        public static let unavailable = Code("store_unavailable")
        /// The disk is full. Nothing was changed.
        public static let full = Code("store_full")
        /// The store may not be written. Nothing was changed.
        public static let readOnly = Code("store_read_only")
        /// The folder or file may not be opened by this user.
        public static let permission = Code("store_permission")
        /// The file is no database, or a damaged one.
        public static let corrupt = Code("store_corrupt")
        /// There is no store at that place.
        public static let missing = Code("store_missing")
        /// The file is another program's database. It was not touched.
        public static let foreign = Code("store_foreign")
        /// The file to be written exists already. It was not touched.
        public static let exists = Code("store_exists")
        /// The schema was made by a newer version of Tenure.
        public static let newerSchema = Code("store_newer_schema")
        /// Another row has the values of a key that finds at most one; ``StoreError/taken`` names it. Nothing was changed.
        public static let taken = Code("store_taken")
        /// What was to be removed is named by others. Nothing was changed.
        public static let inUse = Code("in_use")
        /// The machine's clock is in doubt, and what is written has dates. Nothing was changed.
        public static let clockInDoubt = Code("clock_in_doubt")
        /// The store has been closed.
        public static let closed = Code("store_closed")
        /// The operating system failed a read or a write, or the program has a fault.
        public static let failed = Code("store_failed")
    }

    /// What went wrong; two errors are told apart by this alone.
    public let code: Code

    /// What went wrong and what to do next, for an operator. No key, secret or row is in it.
    public let message: String

    /// The engine's own words, if it had any.
    public let cause: String?

    /// The full name of the declared key whose values another row has, such as `licenses.by_key`; nil for other failures.
    public let taken: String?

    /// What it means that another row has them, as the key's table says; nil where it says nothing.
    public let meaning: String?

    /// Whether the same call may succeed later without anybody doing anything.
    public var isTransient: Bool { code == .busy || code == .unavailable || code == .clockInDoubt }

    /// Describes a failure.
    public init(_ code: Code, _ message: String, cause: String? = nil, taken: String? = nil, meaning: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.taken = taken
        self.meaning = meaning
    }

    /// Code, message and cause in one line.
    public var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }
}

extension StoreError {
    /// A row that no version of this program wrote.
    @usableFromInline package static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "The database holds \(what) that cannot be read; restore the latest backup.")
    }

    /// The store was used after it was closed.
    package static let closed = StoreError(.closed, "The store has been closed; the server is stopping.")

    /// Nobody waits any longer for what was asked.
    package static let late = StoreError(
        .busy, "The request's time was over before its turn came. Nothing was begun; try again in a moment.")

    /// Too much of one kind waits already.
    package static let crowded = StoreError(
        .busy, "Too many requests wait for the store. Nothing was begun; try again in a moment.")

    /// Another row has the values of a key.
    /// - Parameter key: Its full name, such as `licenses.by_key`.
    package static func taken(_ key: String, of table: TableShape, cause: String? = nil) -> StoreError {
        StoreError(
            .taken, "A row with the same \(key) is stored already. Nothing was changed.", cause: cause, taken: key,
            meaning: table.uniques.first { key == "\(table.name).\($0.name)" }?.meaning)
    }
}
