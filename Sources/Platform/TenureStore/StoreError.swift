/// Why a store couldn't do its work, with a stable code and a message for operators.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// A stable code for the kind of failure; the set is open.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as written in logs and responses, such as `store_busy`.
        public let text: String
        /// Creates a code from its text.
        public init(_ text: String) { self.text = text }
        /// The code's text.
        public var description: String { text }

        /// Other callers held the store for longer than this one could wait; nothing was changed, so try again.
        public static let busy = Code("store_busy")
        /// The database can't be reached; try again.
        ///
        /// It's unknown whether a change that was already running took effect.
        public static let unavailable = Code("store_unavailable")
        /// A change was committed, but a failover may lose it, because the synchronous standby didn't confirm it; try
        /// again.
        public static let unconfirmed = Code("store_unconfirmed")
        /// The disk is full; nothing was changed.
        public static let full = Code("store_full")
        /// The store is read-only; nothing was changed.
        public static let readOnly = Code("store_read_only")
        /// This user isn't allowed to open the folder or file, or to use the database. It's also the code for a URL
        /// that contains a password where others can see it.
        public static let permission = Code("store_permission")
        /// The file is damaged or isn't a database, or a stored value is one that no version of this program writes.
        public static let corrupt = Code("store_corrupt")
        /// There is no store at that path, or the database isn't initialized for Tenure.
        public static let missing = Code("store_missing")
        /// The file or database belongs to another program, or the database isn't encoded in UTF-8; it was not changed.
        public static let foreign = Code("store_foreign")
        /// The file to be written already exists; it was not touched.
        public static let exists = Code("store_exists")
        /// The schema was created by a newer version of Tenure.
        public static let newerSchema = Code("store_newer_schema")
        /// Another row has the same values of a unique key, which ``StoreError/taken`` names; nothing was changed.
        public static let taken = Code("store_taken")
        /// Other rows refer to the row to be deleted; nothing was changed.
        public static let inUse = Code("in_use")
        /// The clock can't be trusted, so nothing with a date can be written; nothing was changed.
        public static let clockInDoubt = Code("clock_in_doubt")
        /// The database has returned to an older state, which must not be changed; another host may have the newer one.
        public static let rewound = Code("store_rewound")
        /// The store has been closed.
        public static let closed = Code("store_closed")
        /// Any other failure, such as an invalid URL, a failed read or write of the operating system, or a bug.
        public static let failed = Code("store_failed")
    }

    /// What went wrong; error handling should depend on nothing else.
    public let code: Code

    /// The error message, which names the fault and the remedy, for operators; it contains no key, secret or row data.
    public let message: String

    /// The engine's own error message, if there is one.
    public let cause: String?

    /// The full name of the key whose values another row has, such as `licenses.by_key`; `nil` for other failures.
    public let taken: String?

    /// The error code that the table declares for a conflict on this key; `nil` if it declares none.
    public let meaning: String?

    /// The location of the value that can't be read; `nil` for other failures.
    package private(set) var location: (row: String, column: String)?

    /// The wait for a synchronous standby that caused the error; `nil` for other failures.
    package var standby: StandbyWait?

    /// Whether repeating the call later may succeed without anyone's intervention.
    public var isTransient: Bool { [.busy, .unavailable, .unconfirmed, .clockInDoubt, .rewound].contains(code) }

    /// Creates an error from its parts.
    public init(_ code: Code, _ message: String, cause: String? = nil, taken: String? = nil, meaning: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.taken = taken
        self.meaning = meaning
    }

    /// The code, message and cause in one line.
    public var description: String {
        "\(code): \(message)" + (cause.map { " (\($0))" } ?? "")
    }
}

/// An error type that every error of a store can be converted to.
public protocol StoreFailure: Error {
    /// Converts an error of a store.
    init(_ error: StoreError)
}

extension StoreError: StoreFailure {
    /// Returns the error unchanged.
    public init(_ error: StoreError) { self = error }
}

extension StoreError {
    /// A stored value that no version of this program could have written.
    @usableFromInline package static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "The database holds \(what) that cannot be read; restore the latest backup.")
    }

    /// Adds the location of a value that can't be read: its row, and the column that was read last.
    func located(at position: Int, in table: TableShape, from start: RowCursor) -> StoreError {
        guard code == .corrupt, table.columns.indices.contains(position) else { return self }
        var error = self
        error.location = (table.name(ofRowAt: start), table.columns[position].name)
        return error
    }

    /// The store was used after it was closed.
    package static let closed = StoreError(.closed, "The store has been closed; the server is stopping.")

    /// The caller's deadline passed before the work was started.
    package static let late = StoreError(
        .busy, "The request's time was over before its turn came. Nothing was begun; try again in a moment.")

    /// Too many requests of one kind are already waiting.
    package static let crowded = StoreError(
        .busy, "Too many requests wait for the store. Nothing was begun; try again in a moment.")

    /// An error for a row with the same values of a key as another row.
    /// - Parameter key: The key's full name, such as `licenses.by_key`.
    package static func taken(_ key: String, of table: TableShape, cause: String? = nil) -> StoreError {
        StoreError(
            .taken, "A row with the same \(key) is stored already. Nothing was changed.", cause: cause, taken: key,
            meaning: table.uniques.first { key == "\(table.name).\($0.name)" }?.meaning)
    }
}
