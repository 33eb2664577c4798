/// How often one request is attempted while others change what it depends on.
///
/// One budget covers every reason to try again: a newer catalog, a wrong prediction, a name taken in the meantime, and
/// rows that must be read as well. Code that calls other retrying code passes its budget on, so budgets never multiply.
/// The engines retry their own conflicts; errors aren't retried here.
package struct RetryPolicy: Sendable {
    private var left = 8

    /// Creates the budget of one request.
    package init() {}

    /// Whether another attempt is allowed.
    package var isLeft: Bool { left > 0 }

    /// Takes an attempt; returns whether one was left.
    package mutating func takeAttempt() -> Bool {
        guard isLeft else { return false }
        left -= 1
        return true
    }
}

extension ServerError {
    /// The catalog changed during every attempt.
    package static let catalogBusy = ServerError(
        .init("catalog_busy"), "The catalog changed repeatedly while the request was processed. Try again.",
        isTransient: true)

    /// Other data that the decision depends on changed during every attempt.
    package static let decisionBusy = ServerError(
        .init("decision_busy"), "Other requests kept changing the same data. Try again.", isTransient: true)
}
