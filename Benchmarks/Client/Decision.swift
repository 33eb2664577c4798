import TenureClient

/// Records when a manager first published a state.
@MainActor final class Decision {
    private(set) var moment: ContinuousClock.Instant?

    init(of manager: LicenseManager) {
        // The manager calls this before it continues.
        manager.follow { [weak self] manager in
            guard let self, moment == nil, manager.state != .notDetermined else { return }
            moment = .now
        }
    }
}
