package import TenureCore

/// The state of a license in a store that continued after a backup was made.
package struct LaterLicense: Sendable {
    private let license: License
    private let events: [Event]
    private let others: [Event]

    /// - Parameters:
    ///   - events: The store's events about the license since the backup.
    ///   - others: The events about it in other stores that continued after the backup.
    package init(_ license: License, events: [Event], others: [Event]) {
        self.license = license
        self.events = events
        self.others = others
    }

    /// Returns the license for a restored store to which the withdrawals of all later stores have been applied.
    ///
    /// The key stays that of the restored license, because the last later store's counts. A restored license that is
    /// stopped starts again only if this store reinstated it and no other store has stopped it.
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

    /// Returns a license with what another state of the store knows of its devices.
    ///
    /// No event of the license records these: when it was first activated, and until when its released devices count.
    package static func joined(_ license: License, with other: License) -> License {
        var joined = license
        joined.firstActivatedAt = [license.firstActivatedAt, other.firstActivatedAt].compactMap(\.self).min()
        joined.devicesCountUntil = [license.devicesCountUntil, other.devicesCountUntil].compactMap(\.self).max()
        if license.recordedState == .issued, joined.firstActivatedAt != nil { joined.recordedState = .active }
        return joined
    }
}
