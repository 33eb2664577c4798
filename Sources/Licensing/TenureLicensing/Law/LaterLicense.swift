package import TenureCore

/// The state of a license in a store that continued after a backup was made.
package struct LaterLicense: Sendable {
    private let license: License
    private let events: [Event]
    private let others: [Event]

    /// - Parameters:
    ///   - events: The store's events about the license since the backup.
    ///   - others: The events about the license in other stores that continued after the backup.
    package init(_ license: License, events: [Event], others: [Event]) {
        self.license = license
        self.events = events
        self.others = others
    }

    /// Merges this license into its version in a restored store, to which the withdrawals of all later stores have been
    /// applied.
    ///
    /// The restored license's key stays, because it already comes from the last later store. A stopped license is
    /// reinstated only if this store reinstated it and no other store has stopped it.
    package func merged(into restored: License) -> License {
        var merged = license
        merged.key = restored.key
        (merged.keyRoot, merged.keyGeneration) = (restored.keyRoot, restored.keyGeneration)
        KeyReplacement.raiseGeneration(to: license.keyGeneration, of: &merged)
        let stops: Set<EventKind> = [.licenseSuspended, .licenseRevoked, .licenseReturned]
        let isReinstated =
            events.contains { $0.kind == .licenseReinstated } && !others.contains { stops.contains($0.kind) }
        if !restored.recordedState.isOpen, license.recordedState.isOpen, !isReinstated {
            merged.recordedState = restored.recordedState
        }
        return merged
    }

    /// Merges the values of two versions of a license that no event records, after their stores have diverged.
    ///
    /// The result has the earlier first activation of the two, and the later ``License/devicesCountUntil``. An issued
    /// license becomes active if either version has a first activation.
    package static func joined(_ license: License, with other: License) -> License {
        var joined = license
        joined.firstActivatedAt = [license.firstActivatedAt, other.firstActivatedAt].compactMap(\.self).min()
        joined.devicesCountUntil = [license.devicesCountUntil, other.devicesCountUntil].compactMap(\.self).max()
        if license.recordedState == .issued, joined.firstActivatedAt != nil { joined.recordedState = .active }
        return joined
    }
}
