package import TenureCore
package import TenureStore

/// A row with the saved response to a request that its client may repeat.
///
/// Its key is ``RepeatableRequest/key``.
package protocol StoredResponse: Stored {
    /// The request's digest, to detect a key that is reused for another request.
    var fingerprint: Digest { get }
    /// When the response was first returned.
    var at: Timestamp { get }
    /// How long repeated requests get the response, in seconds.
    static var lifetime: Int64 { get }
    /// All responses, by `at`.
    static var byAge: RowSet<Self> { get }
}

extension StoredResponse {
    /// Whether repeated requests still get the response.
    package func isCurrent(at now: Timestamp) -> Bool { at.seconds(until: now) < Self.lifetime }
}

extension RepeatableRequest {
    /// What a stored response with this request's key means for the request.
    package enum Repetition<Row: StoredResponse>: Sendable {
        /// The request is a repetition; return this response.
        case repeated(Row)
        /// The key was used for another request.
        case keyReused
    }

    /// Compares the request with the row that has its key; `nil` if there's no current one, so the request must run.
    package func repetition<Row: StoredResponse>(of earlier: Row?, at now: Timestamp) -> Repetition<Row>? {
        guard let earlier, earlier.isCurrent(at: now) else { return nil }
        return earlier.fingerprint == fingerprint ? .repeated(earlier) : .keyReused
    }
}

extension RetentionRule {
    /// Deletes responses that repeated requests no longer get.
    package static func responses<Row: StoredResponse>(_: Row.Type) -> RetentionRule {
        RetentionRule(RetentionSweep(Row.byAge), by: "at", after: Row.lifetime) { response, limit in
            response.at < limit
        }
    }
}
