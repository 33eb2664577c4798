import TenureClient

/// Records when a manager first published a state.
@MainActor final class Decision {
    private(set) var instant: ContinuousClock.Instant?

    init(of manager: LicenseManager) {
        // The manager calls the closure before it continues.
        manager.follow { [weak self] manager in
            guard let self, instant == nil, manager.state != .notDetermined else { return }
            instant = .now
        }
    }
}
