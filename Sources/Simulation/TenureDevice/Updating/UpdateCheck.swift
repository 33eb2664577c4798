import TenureCore
import TenureMarketplaceClient

/// The last update check of an app whose interval differs from the marketplace's.
struct UpdateCheck: Sendable, Hashable {
    /// When the marketplace responded to the check.
    let at: Timestamp
    /// The interval until the next check, in hours, from the app's configuration.
    let pollingIntervalHours: Int
}

extension Device {
    /// Whether it's time to check for a new version of an app.
    func isUpdateDue(of item: AppleItemID, at now: Timestamp) -> Bool {
        let (last, hours) = lastUpdateCheck(of: item)
        return UpdatePoll.isDue(last: last, pollingInterval: hours, at: now)
    }

    /// When the next check for a new version of an app is allowed; `nil` if there was none yet.
    func nextUpdateCheck(of item: AppleItemID) -> Timestamp? {
        let (last, hours) = lastUpdateCheck(of: item)
        return last?.adding(seconds: UpdatePoll.interval(pollingInterval: hours))
    }

    /// Returns the last check that covered an app. An app without an interval of its own is checked with the other
    /// apps.
    private func lastUpdateCheck(of item: AppleItemID) -> (at: Timestamp?, pollingIntervalHours: Int?) {
        ownUpdateChecks[item].map { ($0.at, $0.pollingIntervalHours) } ?? (lastUpdateQuestion, pollingIntervalHours)
    }

    /// Records that the marketplace responded about apps, with the intervals of its configuration.
    ///
    /// - Parameter isPartial: Whether the marketplace gave no response about other apps, whose check is still due.
    mutating func didCheckForUpdates(
        of items: [AppleItemID], under configuration: ServedConfiguration, isPartial: Bool, at now: Timestamp
    ) {
        let standard = configuration.standard.pollingIntervalHours
        pollingIntervalHours = Int(clamping: standard)
        for item in items {
            let own = configuration.places(for: item).pollingIntervalHours
            // The common time applies to all apps, so it must not be set while apps are without a response.
            let isCommon = own == standard && !isPartial
            ownUpdateChecks[item] =
                isCommon ? nil : UpdateCheck(at: now, pollingIntervalHours: Int(clamping: own))
            if isCommon { lastUpdateQuestion = now }
        }
    }
}
