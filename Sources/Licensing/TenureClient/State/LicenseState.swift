/// The state of an app's license, from which its user interface follows.
///
/// It isn't the state of a license on the server: a device without a license has a state too. How it is decided is
/// described in `Documentation/state-table.md`.
public enum LicenseState: Equatable, Hashable, Sendable {
    /// The state hasn't been decided yet, which takes a few milliseconds after launch.
    ///
    /// Show neither the app's content nor an offer to buy. Once decided, the state never returns to this, and it is
    /// never stored.
    case notDetermined
    /// There is no license and the trial is running; `daysLeft` counts a started day as a whole, so it is at least 1.
    case trial(daysLeft: Int)
    /// A license is activated on this device and confirmed by a lease.
    case licensed
    /// A paid license has expired and the vendor offers a reduced mode.
    case limited
    /// There is no license, and the product has a free plan.
    case freeTier
    /// The trial has ended or wasn't started, the license has expired, or its lease has lapsed.
    case expired
    /// The clock was set back, the license can't be verified, or the server refused it; see the explanation.
    case invalid

    /// Whether paid features are available: the state is `.licensed`, or `.trial` with days left.
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

/// A change from one state to another.
public struct LicenseTransition: Sendable, Hashable {
    /// The state before the change.
    public let from: LicenseState
    /// The state after the change.
    public let to: LicenseState
    /// The reasons for the new state.
    public let explanation: Explanation

    /// Creates a transition, for previews and tests.
    public init(from: LicenseState, to: LicenseState, explanation: Explanation) {
        self.from = from
        self.to = to
        self.explanation = explanation
    }
}
