package import TenureCore
package import TenureStore

/// A row with the saved response to a request that its client may repeat.
///
/// The row's key is ``RepeatableRequest/key``.
package protocol StoredResponse: Stored {
    /// The request's digest, to detect a key that is reused for another request.
    var fingerprint: Digest { get }
    /// The time at which the response was first returned.
    var at: Timestamp { get }
    /// How long a request with the same key counts as a repetition, in seconds.
    static var lifetime: Int64 { get }
    /// All responses, ordered by ``at``.
    static var byAge: RowSet<Self> { get }
}

extension StoredResponse {
    /// Whether a request with the same key still counts as a repetition.
    package func isCurrent(at now: Timestamp) -> Bool { at.seconds(until: now) < Self.lifetime }
}

extension RepeatableRequest {
    /// The relation between a request and a stored response that has the same key.
    package enum Repetition<Row: StoredResponse>: Sendable {
        /// The request repeats the request for which the row was stored.
        case repeated(Row)
        /// The key was used for another request.
        case keyReused
    }

    /// Compares the request with the stored row of its key; `nil` if there is no row, or if it's older than its
    /// ``StoredResponse/lifetime``, so that the request must be carried out.
    package func repetition<Row: StoredResponse>(of earlier: Row?, at now: Timestamp) -> Repetition<Row>? {
        guard let earlier, earlier.isCurrent(at: now) else { return nil }
        return earlier.fingerprint == fingerprint ? .repeated(earlier) : .keyReused
    }
}

extension RetentionRule {
    /// Deletes the responses in rows after ``IdempotentResponse/responseLifetime``, but keeps the rows. A later
    /// repetition of the request gets the records in their present state.
    package static let idempotentResponses = RetentionRule(
        RetentionSweep(IdempotentResponse.withResponse) { row in
            var rest = row
            rest.sealed = nil
            return .put(rest, over: row)
        }, by: "at", after: IdempotentResponse.responseLifetime
    ) { row, limit in row.at < limit && row.sealed != nil }

    /// Deletes the rows of requests whose keys no longer count as used.
    package static func responses<Row: StoredResponse>(_: Row.Type) -> RetentionRule {
        RetentionRule(RetentionSweep(Row.byAge), by: "at", after: Row.lifetime) { response, limit in
            response.at < limit
        }
    }
}
