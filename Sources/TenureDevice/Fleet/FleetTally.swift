/// What happened to a fleet under one rule.
package struct FleetTally: Sendable, Hashable {
    /// Why a launch was refused.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The device was online on a day of its renewal window on which the server answered: this should not happen.
        case wrongly
        /// The device was offline through its whole renewal window.
        case offline
        /// The device was online in its renewal window only while the server did not answer.
        case outage
        /// The marketplace does not renew its license.
        case ineligible
    }

    /// Whether the marketplace app renewed ahead.
    package let renewsAhead: Bool
    /// Launches that people tried.
    package var launches = 0
    /// Those that were refused.
    package var refused: [Cause: Int] = [:]
    /// Licenses that were issued.
    package var issued = 0
    /// Licenses that were renewed.
    package var renewed = 0
    /// Renewals that were tried, day by day.
    package var attempts: [Int]
    /// Those that got no answer, day by day.
    package var failures: [Int]
    /// The first failure that was not a planned one; nil when there was none.
    package var firstError: String?
    /// How many there were.
    package var errors = 0

    /// Begins at nothing.
    package init(renewsAhead: Bool, days: Int) {
        self.renewsAhead = renewsAhead
        attempts = Array(repeating: 0, count: days)
        failures = attempts
    }

    /// All refused launches.
    package var refusedInAll: Int { refused.values.reduce(0, +) }

    /// Refused launches that should not have been.
    package var wronglyRefused: Int { refused[.wrongly] ?? 0 }
}
