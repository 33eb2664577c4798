package import TenureCore
package import TenureStore

/// A row with the response to a request that its client may repeat.
///
/// Its key is ``RepeatableRequest/key``.
package protocol StoredResponse: Stored {
    /// A digest of the request, to detect a key that is used for another one.
    var fingerprint: Digest { get }
    /// When the response was first returned.
    var at: Timestamp { get }
    /// How long the response is repeated, in seconds.
    static var lifetime: Int64 { get }
    /// All responses, by `at`.
    static var byAge: RowSet<Self> { get }
}

extension StoredResponse {
    /// Whether the response may still be repeated.
    package func isCurrent(at now: Timestamp) -> Bool { at.seconds(until: now) < Self.lifetime }
}

extension RepeatableRequest {
    /// What a stored response with this request's key means for the request.
    package enum Repetition<Row: StoredResponse>: Sendable {
        /// The request was carried out before; return this response.
        case repeated(Row)
        /// The key was used for another request.
        case keyReused
    }

    /// Compares the request with the response stored under its key; `nil` if the request must be carried out.
    package func repetition<Row: StoredResponse>(of earlier: Row?, at now: Timestamp) -> Repetition<Row>? {
        guard let earlier, earlier.isCurrent(at: now) else { return nil }
        return earlier.fingerprint == fingerprint ? .repeated(earlier) : .keyReused
    }
}

extension RetentionRule {
    /// Deletes responses that are no longer repeated.
    package static func responses<Row: StoredResponse>(_: Row.Type) -> RetentionRule {
        RetentionRule(RetentionSweep(Row.byAge), by: "at", after: Row.lifetime) { response, limit in
            response.at < limit
        }
    }
}
