package import TenureCore

/// Remembers that a foreign server did not find a license, until it has said so long enough (design §5).
///
/// A 404 without a code may be about a license key, or about a tenant or product that somebody is just moving. So it
/// counts when it is still there five minutes later, with no other answer in between.
package struct NotFoundOnce: Sendable, Hashable {
    /// How far apart two 404s are, in seconds, before they count.
    package static let apart: Int64 = 300

    /// The activation that was asked about.
    package let activation: String
    /// When it was not found for the first time.
    package let since: Timestamp

    /// Remembers one.
    package init(activation: String, since: Timestamp) {
        self.activation = activation
        self.since = since
    }

    /// Whether a 404 now counts, and what to remember of it. A clock that was set back begins anew.
    package static func seen(
        _ activation: String, at now: Timestamp, after earlier: NotFoundOnce?
    ) -> (counts: Bool, remembered: NotFoundOnce) {
        guard let earlier, earlier.activation == activation, earlier.since <= now else {
            return (false, NotFoundOnce(activation: activation, since: now))
        }
        return (earlier.since.seconds(until: now) >= apart, earlier)
    }
}
