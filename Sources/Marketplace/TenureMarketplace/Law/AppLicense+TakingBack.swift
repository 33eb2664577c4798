import TenureCore

extension AppGrant {
    /// Carries over the end of the grant and an earlier end of its term.
    package func takingBack(_ later: AppGrant) -> (AppGrant, acts: [String])? {
        var (grant, acts) = (self, [String]())
        if endedAt == nil, let endedAt = later.endedAt {
            grant.endedAt = endedAt
            acts.append("ended")
        }
        if let shorter = term.takingBack(later.term) {
            grant.term = shorter
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (grant, acts)
    }
}

extension AppLicense {
    /// Carries over a suspension, a revocation or a return.
    package func takingBack(_ later: AppLicense) -> (AppLicense, acts: [String])? {
        guard later.recordedState.takesBack(recordedState) else { return nil }
        var license = self
        license.recordedState = later.recordedState
        license.stoppedAt = later.stoppedAt
        license.countsUntil = later.countsUntil
        return (license, [later.recordedState.rawValue])
    }
}
