/// Where an app stands with its license; every decision of its interface follows from it.
///
/// Not the state of a license on the server: a device that has none has a state too. The table that decides is
/// `Documentation/state-table.md`; it answers one of the six that follow ``notDetermined``.
public enum LicenseState: Equatable, Hashable, Sendable {
    /// Nobody has looked yet, which takes a few milliseconds: show neither the app nor an offer to buy it. No look ends
    /// with this, nothing stores it, and no act results in it.
    case notDetermined
    /// There is no license, and the trial runs; `daysLeft` counts the begun days, so it is at least 1 while it runs.
    case trial(daysLeft: Int)
    /// A license key is activated here, and a lease confirms it.
    case licensed
    /// The license of a paying holder expired, and the vendor leaves a reduced mode; never seen by who never paid.
    case limited
    /// There is no license, and the product has a free plan.
    case freeTier
    /// The trial is over or was not started, or the license expired, or its lease lapsed.
    case expired
    /// The clock was set back, the license cannot be verified, or the server refused it. The explanation has the cure.
    case invalid

    /// Whether paid features are open: licensed, or in a trial with days left.
    public var isEntitled: Bool {
        switch self {
        case .licensed: true
        case .trial(let daysLeft): daysLeft > 0
        case .notDetermined, .limited, .freeTier, .expired, .invalid: false
        }
    }

    /// The name of the case, such as `free_tier`; stable, for logs and JSON.
    public var name: String {
        switch self {
        case .notDetermined: "not_determined"
        case .trial: "trial"
        case .licensed: "licensed"
        case .limited: "limited"
        case .freeTier: "free_tier"
        case .expired: "expired"
        case .invalid: "invalid"
        }
    }
}

/// A state that followed another.
public struct LicenseTransition: Sendable, Hashable {
    /// The state before.
    public let from: LicenseState
    /// The state now.
    public let to: LicenseState
    /// Why it is so now.
    public let explanation: Explanation
}
