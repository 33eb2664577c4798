package import TenureCore

/// Whether the system lets an app launch.
package enum LaunchDecision: Sendable, Hashable {
    /// It does, until the license expires; nil for never.
    case launches(until: Timestamp?)
    /// It does not, and why.
    case blocked(LaunchBlock)
}

/// Why an app does not launch; the first that holds is told.
package enum LaunchBlock: Sendable, Hashable {
    /// It has no license.
    case noLicense
    /// The marketplace said that its license is not renewed, and since when that is known.
    case ineligible(since: Timestamp)
    /// Its license has expired.
    case expired(at: Timestamp)

    /// The name in JSON.
    package var code: String {
        switch self {
        case .noLicense: "no_license"
        case .ineligible: "ineligible"
        case .expired: "expired"
        }
    }
}

extension InstalledApp {
    /// Decides whether the app launches at a moment.
    ///
    /// It launches up to the last second of its license. The marketplace's "ineligible" blocks it at once, whatever is
    /// left of the license.
    package func launch(at now: Timestamp) -> LaunchDecision {
        guard let license else { return .blocked(.noLicense) }
        if let ineligibleSince { return .blocked(.ineligible(since: ineligibleSince)) }
        guard let end = license.term.end else { return .launches(until: nil) }
        return now < end ? .launches(until: end) : .blocked(.expired(at: end))
    }
}

extension Device {
    /// The apps whose licenses the daily job asks to renew: those that expire within the next 24 hours.
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
