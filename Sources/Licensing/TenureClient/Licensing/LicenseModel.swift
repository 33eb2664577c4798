public import Observation

/// An observable copy of a ``LicenseManager``'s state, for views that use Observation.
///
/// It requires macOS 14, iOS 17 or Linux. On earlier systems, observe the manager itself.
@available(macOS 14, iOS 17, *)
@MainActor
@Observable
public final class LicenseModel {
    /// A copy of ``LicenseManager/state``, updated with each decision.
    public private(set) var state: LicenseState
    /// The reasons for the state, most specific first, and what to do about it.
    public private(set) var explanation: Explanation
    /// The license's current entitlements; empty unless the state is `.licensed`.
    public private(set) var entitlements: [LicenseEntitlement]
    /// The license stored on this device; `nil` if there isn't one.
    public private(set) var license: LicenseFacts?
    /// The manager, which performs all actions.
    @ObservationIgnored public let manager: LicenseManager

    /// Creates a model that follows a manager for as long as the model exists.
    public init(_ manager: LicenseManager) {
        self.manager = manager
        state = manager.state
        explanation = manager.explanation
        entitlements = manager.entitlements
        license = manager.license
        manager.follow { [weak self] manager in self?.take(manager) }
    }

    /// Whether paid features are available: the state is `.licensed`, or `.trial` with days left.
    public var isEntitled: Bool { state.isEntitled }

    private func take(_ manager: LicenseManager) {
        if state != manager.state { state = manager.state }
        if explanation != manager.explanation { explanation = manager.explanation }
        if entitlements != manager.entitlements { entitlements = manager.entitlements }
        if license != manager.license { license = manager.license }
    }
}
