package import TenureCore

extension Device {
    /// The apps whose licenses the daily job asks to renew: those that expire within the next 24 hours (seed 001).
    ///
    /// A license that has expired already, or that the marketplace does not renew, is left to the person and the
    /// marketplace app.
    package func appsDue(at now: Timestamp) -> [InstalledApp] {
        apps.filter { app in
            guard app.ineligibleSince == nil, let end = app.license?.term.end else { return false }
            return DailyJob.isDue(end: end, at: now)
        }
    }
}

/// What the system does once a day.
package enum DailyJob {
    /// How far ahead it looks.
    static let windowSeconds: Int64 = 86_400

    /// Whether a license that ends then is asked for.
    package static func isDue(end: Timestamp, at now: Timestamp) -> Bool {
        now < end && end <= now.adding(seconds: windowSeconds)
    }
}
