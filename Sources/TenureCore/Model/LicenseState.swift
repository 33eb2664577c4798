/// Where a license stands. Only acts and time move it; see `Documentation/license-states.md`.
public enum LicenseState: String, Sendable, Hashable, CaseIterable {
    /// Granted, never activated.
    case issued
    /// Activated at least once.
    case active
    /// Stopped by the operator, reversibly.
    case suspended
    /// Its term has ended; a renewal brings it back.
    case expired
    /// Stopped by the operator, finally.
    case revoked
    /// Given back by its holder, finally.
    case returned

    /// Whether no act can bring the license back.
    public var isFinal: Bool { self == .revoked || self == .returned }
}

extension LicenseState {
    /// Whether nobody has stopped the license: only time stands between it and use.
    var isOpen: Bool {
        switch self {
        case .issued, .active, .expired: true
        case .suspended, .revoked, .returned: false
        }
    }
}
