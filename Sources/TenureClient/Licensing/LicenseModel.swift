public import Observation

/// The license of an app for views that observe; follows a ``LicenseManager``.
///
/// For systems that have observation: macOS 14, iOS 17, Linux. Before them, observe the manager itself.
@available(macOS 14, iOS 17, *)
@MainActor
@Observable
public final class LicenseModel {
    /// Where the app stands with its license.
    public private(set) var state: LicenseState
    /// Why.
    public private(set) var explanation: Explanation
    /// What the license gives now.
    public private(set) var entitlements: [LicenseEntitlement]
    /// The license that is kept here; nil without one.
    public private(set) var license: LicenseFacts?
    /// The manager, for everything that is done.
    @ObservationIgnored public let manager: LicenseManager

    /// Follows a manager for as long as it lives.
    public init(_ manager: LicenseManager) {
        self.manager = manager
        state = manager.state
        explanation = manager.explanation
        entitlements = manager.entitlements
        license = manager.license
        manager.follow { [weak self] manager in self?.take(manager) }
    }

    /// Whether paid features are open.
    public var isEntitled: Bool { state.isEntitled }

    private func take(_ manager: LicenseManager) {
        if state != manager.state { state = manager.state }
        if explanation != manager.explanation { explanation = manager.explanation }
        if entitlements != manager.entitlements { entitlements = manager.entitlements }
        if license != manager.license { license = manager.license }
    }
}
