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
    /// left of the license (seed 001).
    package func launch(at now: Timestamp) -> LaunchDecision {
        guard let license else { return .blocked(.noLicense) }
        if let ineligibleSince { return .blocked(.ineligible(since: ineligibleSince)) }
        guard let end = license.term.end else { return .launches(until: nil) }
        return now < end ? .launches(until: end) : .blocked(.expired(at: end))
    }
}
