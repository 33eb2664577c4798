import TenureCore

/// Whether the system lets an app launch.
enum LaunchDecision: Sendable, Hashable {
    /// The app launches until the license expires, at the given time; `nil` if the license never expires.
    case launches(until: Timestamp?)
    /// The app doesn't launch, for this reason.
    case blocked(LaunchBlock)
}

/// Why an app doesn't launch; if several reasons apply, the first of them in this order is reported.
enum LaunchBlock: Sendable, Hashable {
    /// The app was copied to the device without a license.
    case noLicense
    /// The marketplace refused to renew the license, at the given time.
    case ineligible(since: Timestamp)
    /// The license has expired, at the given time.
    case expired(at: Timestamp)

    /// The reason's name in JSON.
    var code: String {
        switch self {
        case .noLicense: "no_license"
        case .ineligible: "ineligible"
        case .expired: "expired"
        }
    }
}

extension InstalledApp {
    /// Decides whether the app launches at a given time.
    ///
    /// The app launches up to the last second of its license. An "ineligible" response of the marketplace blocks the
    /// app at once, even if the license hasn't expired.
    func launch(at now: Timestamp) -> LaunchDecision {
        guard let license else { return .blocked(.noLicense) }
        if let ineligibleSince { return .blocked(.ineligible(since: ineligibleSince)) }
        guard let end = license.term.end else { return .launches(until: nil) }
        return now < end ? .launches(until: end) : .blocked(.expired(at: end))
    }
}

extension Device {
    /// The apps whose licenses the daily job renews: those that expire within the next 24 hours.
    ///
    /// Licenses that have already expired, or that the marketplace doesn't renew, aren't included: the user or the
    /// marketplace app must act.
    func appsDue(at now: Timestamp) -> [InstalledApp] {
        apps.filter { app in
            guard app.ineligibleSince == nil, let end = app.license?.term.end else { return false }
            return DailyJob.isDue(end: end, at: now)
        }
    }
}

/// The renewal job that the system runs once a day.
enum DailyJob {
    /// How long before its expiry the job renews a license, in seconds.
    static let windowSeconds: Int64 = 86_400

    /// Whether the job renews a license that expires at `end`.
    static func isDue(end: Timestamp, at now: Timestamp) -> Bool {
        now < end && end <= now.adding(seconds: windowSeconds)
    }
}
