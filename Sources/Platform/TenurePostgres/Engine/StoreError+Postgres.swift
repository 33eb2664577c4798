import TenureStore

extension StoreError.Code {
    /// A unique constraint failed; the code that saves the row replaces this with a more specific error.
    static let duplicate = StoreError.Code("store_duplicate")
    /// A foreign key constraint failed; the code that saves the row replaces this with a more specific error.
    static let reference = StoreError.Code("store_reference")
    /// Two transactions conflicted; the engine retries.
    static let conflict = StoreError.Code("store_conflict")
    /// A statement changed a different number of rows than it should have.
    static let miscount = StoreError.Code("store_miscount")
}

extension StoreError {
    /// Translates an SQLSTATE into an error for operators.
    static func from(state: String, words: String, at position: String) -> StoreError {
        let (code, message) = meaning(of: state, at: position)
        return StoreError(code, message, cause: words)
    }

    private static func meaning(of state: String, at position: String) -> (Code, String) {
        switch state {
        case "23505": (.duplicate, "A row with this key is already stored. This is a bug in Tenure; please report it.")
        case "23503", "23001":
            (.reference, "A row refers to one that is not stored. This is a bug in Tenure; please report it.")
        case "22012":
            (.miscount, "A statement changed an unexpected number of rows. This is a bug in Tenure; please report it.")
        case "40001", "40P01": (.conflict, "\(position) had two changes that conflicted.")
        case "57014": (.busy, "\(position) took too long to run a statement. Nothing was changed. Try again.")
        case "25P03":
            (
                .busy,
                "\(position) ended a transaction, because this program was stopped for over five seconds. Nothing was changed. "
                    + "Try again."
            )
        case "55P03":
            (
                .busy,
                "\(position) has rows that another server or session has locked for too long. Look for it in "
                    + "pg_stat_activity."
            )
        case "53300":
            (.unavailable, "\(position) \(ConnectionFault.slots.phrase). \(ConnectionFault.slots.cure)")
        case "57P01", "57P02", "57P03", "57P04", "57P05": (.unavailable, lost(position))
        case "53100":
            (.full, "\(position) has no disk space left. Nothing was changed. Free some space and try again.")
        case "53200", "53400":
            (.busy, "\(position) is out of memory or another resource. Nothing was changed. Try again later.")
        case "25006":
            (
                .readOnly,
                "\(position) is read-only: it is a standby, or has default_transaction_read_only set. Use the primary."
            )
        case "42P05", "26000": (.failed, transactionPooling(position).message)
        case "42501":
            (
                .permission,
                "\(position) denies this user a permission. Grant it, or make the user the schema's owner."
            )
        case "28000", "28P01":
            (.permission, "\(position) refuses this user. Check the user, PGPASSFILE and pg_hba.conf.")
        case "3F000":
            (
                .permission,
                "\(position) has no schema in which this user may create tables. Create one with CREATE SCHEMA AUTHORIZATION "
                    + "USER, or grant USAGE and CREATE on the schema public."
            )
        case "3D000", "42P01":
            (.missing, "\(position) or its Tenure tables do not exist. Run `tenure init` with the same store.")
        case "XX001", "XX002": (.corrupt, "\(position) is damaged. Stop the servers and restore the latest backup.")
        default:
            state.hasPrefix("08")
                ? (.unavailable, lost(position))
                : (.failed, "\(position) refused a statement. This is a bug in Tenure; please report it.")
        }
    }

    /// Translates a constraint violation by the purpose of the statement.
    /// - Parameter constraint: The database's name for the violated constraint, if it reported one.
    func meaning(for purpose: Outgoing.Purpose, constraint: String?) -> StoreError {
        switch (code, purpose) {
        case (.duplicate, .saving(let table)):
            .taken(table.key(named: constraint ?? ""), of: table, cause: cause)
        case (.miscount, .saving(let table)), (.miscount, .removing(let table)):
            .vanished(table)
        case (.reference, .removing(let table)):
            StoreError(.inUse, "Nothing was changed, because a row of \(table.name) is still in use.", cause: cause)
        default: self
        }
    }

    /// An error for a connection that was lost while nothing but repeatable work was running.
    static func unavailable(_ position: String, cause: String) -> StoreError {
        StoreError(.unavailable, lost(position), cause: cause)
    }

    /// An error for a commit whose durability PostgreSQL doesn't guarantee.
    ///
    /// Its wait for a synchronous standby was canceled, by an operator or by the statement's timeout.
    static func unconfirmed(_ position: String, cause: String) -> StoreError {
        StoreError(
            .unconfirmed,
            "\(position) did not confirm a commit, so the change may be lost in a failover. Check the synchronous standby. "
                + "Repeat the request only with its Idempotency-Key; otherwise check first.", cause: cause)
    }

    /// An error for a response whose results don't match the statements, as from a pooler that mixes sessions up.
    static func malformedResponse(_ position: String) -> StoreError {
        StoreError(
            .failed,
            "\(position) sent results that do not match the statements. If a connection pooler is in front of it, use "
                + "session pooling.")
    }

    /// An error for a connection that was lost after COMMIT was sent and before the response.
    static func outcomeUnknown(_ position: String, cause: String) -> StoreError {
        StoreError(
            .unavailable,
            "\(position) was lost during a commit, so the change may or may not have been made. Repeat the request only with "
                + "its Idempotency-Key; otherwise check first.", cause: cause)
    }

    /// This error, with a code of the store's contract in place of one that only the engine uses.
    var forCallers: StoreError {
        switch code {
        case .conflict: StoreError(.busy, "\(message) Several attempts failed. Try again.", cause: cause)
        case .duplicate, .reference, .miscount: StoreError(.failed, message, cause: cause)
        default: self
        }
    }

    /// Whether the cause is the environment, so that every other change of the group would fail as well.
    var concernsAll: Bool {
        [.busy, .unavailable, .unconfirmed, .full, .readOnly, .permission, .missing, .rewound].contains(code)
    }

    private static func lost(_ position: String) -> String {
        "\(position) ended the connection. Nothing was changed. Try again."
    }
}

extension TableShape {
    /// The declared key that a database index belongs to; PostgreSQL names the indexes of constraints itself.
    fileprivate func key(named index: String) -> String {
        let unique = uniques.first { unique in
            let columns = unique.columns.map { self.columns[$0].name }.joined(separator: "_")
            return index == "\(name)_\(unique.name)" || index == "\(name)_\(columns)_key"
        }
        return "\(name).\(unique?.name ?? "key")"
    }
}
