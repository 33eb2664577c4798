/// A state that followed another.
public struct LicenseTransition: Sendable, Hashable {
    /// The state before.
    public let from: LicenseState
    /// The state now.
    public let to: LicenseState
    /// Why it is so now.
    public let explanation: Explanation
}
