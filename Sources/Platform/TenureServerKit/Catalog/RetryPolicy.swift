/// The number of attempts that one request has left while concurrent requests change the data that it depends on.
///
/// One budget covers every reason to try again:
///
/// - The catalog is newer than the catalog that the attempt used.
/// - The decision differs from its prediction.
/// - Another request has taken the chosen name.
/// - The decision needs further rows.
///
/// Code that calls other retrying code passes its budget on, so that attempts don't multiply. The budget isn't for
/// errors: the database engines retry their own conflicts.
package struct RetryPolicy: Sendable {
    private var left = 8

    /// Creates the budget of one request.
    package init() {}

    /// Whether another attempt is allowed.
    package var isLeft: Bool { left > 0 }

    /// Uses up an attempt. Returns `false` if no attempt is left.
    package mutating func takeAttempt() -> Bool {
        guard isLeft else { return false }
        left -= 1
        return true
    }
}

extension ServerError {
    /// The error if the catalog changed during every attempt.
    package static let catalogBusy = ServerError(
        .init("catalog_busy"), "The catalog changed repeatedly while the request was processed. Try again.",
        isTransient: true)

    /// The error if other data that the decision depends on changed during every attempt.
    package static let decisionBusy = ServerError(
        .init("decision_busy"), "Other requests kept changing the same data. Try again.", isTransient: true)
}
