package import TenureCore

extension AppGrant {
    /// Returns this grant, restored from a backup, with the end that a later copy of it has; `nil` if nothing changes.
    ///
    /// The end is the time at which the operator ended the grant, or an earlier end of its term.
    package func takingBack(
        _ later: AppGrant, since changes: RecordChanges = .ofOldCopy
    ) -> (AppGrant, acts: [String])? {
        var (grant, acts) = (self, [String]())
        if endedAt == nil, let endedAt = later.endedAt, changes.include([.appGrantEnded]) {
            grant.endedAt = endedAt
            acts.append("ended")
        }
        if changes.decide([.appGranted]), let shorter = term.takingBack(later.term) {
            grant.term = shorter
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (grant, acts)
    }
}

extension AppLicense {
    /// Returns this license, restored from a backup, with a later copy's suspension, revocation or return.
    ///
    /// The result is `nil` if nothing changes.
    package func takingBack(
        _ later: AppLicense, since changes: RecordChanges = .ofOldCopy
    ) -> (AppLicense, acts: [String])? {
        guard changes.include([.appLicenseSuspended, .appLicenseRevoked, .appLicenseReturned]),
            later.recordedState.takesBack(recordedState)
        else { return nil }
        var license = self
        license.recordedState = later.recordedState
        license.stoppedAt = later.stoppedAt
        license.countsUntil = later.countsUntil
        return (license, [later.recordedState.rawValue])
    }
}

extension AppGrant {
    /// Descriptions of the permissions that a later state of this grant adds, such as a later end; empty if it adds no
    /// permission.
    ///
    /// The counterpart of this function is ``takingBack(_:since:)``.
    package func giving(_ later: AppGrant) -> [String] {
        var acts: [String] = []
        if endedAt != nil, later.endedAt == nil { acts.append("granted again") }
        if let end = term.end, later.term.end.map({ $0 > end }) ?? true {
            acts.append("ends \(later.term.end?.description ?? "never") instead of \(end)")
        }
        return acts
    }
}
