import TenureCore

extension ContentLicense {
    /// Returns this license, restored from a backup, with a later copy's final or stopping state; `nil` if nothing
    /// changes.
    ///
    /// A revocation or return is carried over unless this license is already final. Any other stop is carried over only
    /// to an active license.
    package func takingBack(_ later: ContentLicense) -> (ContentLicense, acts: [String])? {
        let isFinal = state == .revoked || state == .returned
        let isLaterFinal = later.state == .revoked || later.state == .returned
        guard !isFinal, isLaterFinal || state == .active && later.state != .active else { return nil }
        var license = self
        license.state = later.state
        license.stoppedAt = later.stoppedAt
        license.isReleased = later.isReleased
        return (license, [later.state.rawValue])
    }
}
