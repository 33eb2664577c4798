import TenureCore

extension ContentLicense {
    /// Carries over a suspension, a revocation or a return.
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
