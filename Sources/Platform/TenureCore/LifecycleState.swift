/// The state of a product or app license.
///
/// Only operations, such as an activation or a suspension, and the passing of time change it; see
/// `Documentation/license-states.md`.
public enum LifecycleState: String, Sendable, Hashable, CaseIterable {
    /// Issued, but never activated.
    case issued
    /// Activated at least once.
    case active
    /// Suspended by the operator, or because of an order's refund or dispute; it can be reinstated.
    case suspended
    /// The term has ended; a renewal of the license ends this state.
    case expired
    /// Revoked for good by the operator, or because of an order's refund or dispute.
    case revoked
    /// Returned by its holder for good.
    case returned

    /// Whether no operation can leave the state: it's `revoked` or `returned`.
    public var isFinal: Bool { Self.chart.isFinal(self) }

    /// Whether the license is neither suspended, revoked nor returned.
    package var isOpen: Bool { Self.chart.isOpen(self) }

    /// The rules for state changes, with the reasons for refusals.
    package static let chart = StateChart<LifecycleState>(
        .final(.revoked, .licenseRevoked), .final(.returned, .licenseReturned),
        .reversible(.suspended, .licenseSuspended))

    /// Whether this later state stops use that the earlier state allowed, or makes the end of use final.
    package func takesBack(_ earlier: LifecycleState) -> Bool {
        isFinal ? !earlier.isFinal : !isOpen && earlier.isOpen
    }
}
