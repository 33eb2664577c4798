/// A signed trial: first write wins on the server.
package struct TrialStart: Sendable, Hashable, Codable {
    /// When it started, by the server's clock.
    package let start: Moment
    /// How many days it lasts; 0 when the product has no trial.
    package let days: Int
    /// The server's time.
    package let serverTime: Moment

    package init(start: Moment, days: Int, serverTime: Moment) {
        self.start = start
        self.days = days
        self.serverTime = serverTime
    }
}
