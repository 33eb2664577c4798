import TenureCore
import TenureMarketplaceClient

/// The result of an update check.
struct UpdateRound: Sendable, Hashable {
    /// When the next check is allowed; `nil` if this check was made.
    var notBefore: Timestamp?
    /// The apps that now have a newer version.
    var updated: [FinishedInstall] = []
    /// The apps whose update or check failed, which keep their installed version.
    var ended: [Ended] = []
    /// The entries of the response that aren't passed on to the system.
    var dropped: [Dropped] = []

    /// An update, or a check for one, that failed.
    struct Ended: Sendable, Hashable {
        /// The app, whose installed version is unchanged.
        let app: InstalledApp
        /// Why the update or the check failed.
        let error: DeviceError
    }

    /// An entry of the response that wasn't passed on to the system.
    struct Dropped: Sendable, Hashable {
        /// The app's Apple id as received; `nil` if the entry has none.
        let item: String?
        /// Why the entry was dropped, as a short code such as `notNewer`.
        let reason: String
    }
}

/// The apps of one request: those of one account with the same endpoint.
private struct UpdateRequest: Hashable, Comparable {
    let url: String
    let account: AccountID?

    static func < (one: UpdateRequest, other: UpdateRequest) -> Bool {
        (one.url, one.account?.text ?? "") < (other.url, other.account?.text ?? "")
    }
}

extension DeviceSession {
    /// Checks for new versions of installed apps and installs them, by a delta if the package has one from the
    /// installed version to the chosen variant.
    ///
    /// Nothing is sent about an app that was checked less than a day ago. The marketplace's configuration for the app
    /// can make this time longer.
    ///
    /// - Throws: ``DeviceError`` if the marketplace responds to none of the requests; the next call tries again.
    mutating func update(
        into files: DeviceFiles, at now: Timestamp, meter: () -> InstallMeter = { InstallMeter() }
    ) async throws(DeviceError) -> UpdateRound {
        var round = UpdateRound()
        guard !device.apps.isEmpty else { return round }
        let due = device.apps.filter { device.isUpdateDue(of: $0.item, at: now) }
        guard !due.isEmpty else {
            round.notBefore = device.apps.compactMap { device.nextUpdateCheck(of: $0.item) }.min()
            return round
        }
        let configuration = try await marketplace.configuration()
        let groups = Dictionary(grouping: due) { app in
            UpdateRequest(url: configuration.places(for: app.item).updates, account: app.account)
        }
        var selections: [UpdateSelection] = []
        var checked: [AppleItemID] = []
        for (request, apps) in groups.sorted(by: { $0.key < $1.key }) {
            do throws(DeviceError) {
                let answer = try await marketplace.query(
                    "The request for updates", about: apps.map { AskedApp(item: $0.item, version: $0.version) },
                    at: request.url, device: device, requester: requester(for: request.account))
                selections.append(
                    UpdateSelection(
                        answer.entries, for: request.account ?? device.accountOrPlaceholder,
                        installed: device.installedVersions))
                checked += apps.map(\.item)
            } catch {
                round.ended += apps.map { .init(app: $0, error: error) }
            }
        }
        if let first = round.ended.first, selections.isEmpty { throw first.error }
        device.didCheckForUpdates(of: checked, under: configuration, isPartial: checked.count < due.count, at: now)
        for selection in selections {
            round.dropped += selection.dropped.map { .init(item: $0.item, reason: $0.reason.rawValue) }
            for update in selection.given {
                guard let app = device[update.item] else { continue }
                do throws(DeviceError) {
                    let options = InstallOptions(promised: (update.item, update.version), account: app.account)
                    round.updated.append(
                        try await install(.web(update.package), options, into: files, at: now, meter: meter()))
                } catch {
                    round.ended.append(.init(app: app, error: error))
                }
            }
        }
        return round
    }
}

extension Device {
    fileprivate var installedVersions: [AppleItemID: InstalledVersion] {
        Dictionary(
            apps.map { app in
                let version = InstalledVersion(
                    account: app.account ?? accountOrPlaceholder, version: app.version,
                    shortVersion: app.versions?.short,
                    bundleVersion: app.versions?.bundle)
                return (app.item, version)
            }, uniquingKeysWith: { first, _ in first })
    }
}
