package import TenureCore
import TenureMarketplaceClient

/// What became of the question for updates.
package struct UpdateRound: Sendable, Hashable {
    /// When it may be asked again; nil where it was asked now.
    package var notBefore: Timestamp?
    /// The apps that were updated.
    package var updated: [FinishedInstall] = []
    /// The apps that were to be updated, and why they were not; the installed version is as it was.
    package var ended: [Ended] = []
    /// What the answer offered and the system is not given.
    package var dropped: [Dropped] = []

    /// An update that came to no good end.
    package struct Ended: Sendable, Hashable {
        /// The app, as it still is.
        package let app: InstalledApp
        /// Why.
        package let error: DeviceError
    }

    /// An entry that nothing is made of.
    package struct Dropped: Sendable, Hashable {
        /// The app's number, as it was written.
        package let item: String?
        /// Why.
        package let reason: String
    }
}

extension DeviceSession {
    /// Asks for new versions of what is installed, no oftener than the marketplace wants and once a day, and installs
    /// them: by a delta where one fits.
    ///
    /// - Throws: ``DeviceError`` when the marketplace could not be asked; it is asked again the next time.
    package mutating func update(
        into files: DeviceFiles, at now: Timestamp, meter: () -> InstallMeter = { InstallMeter() }
    ) async throws(DeviceError) -> UpdateRound {
        var round = UpdateRound()
        guard !device.apps.isEmpty else { return round }
        let known = device.pollingIntervalHours
        guard UpdatePoll.isDue(last: device.lastUpdateQuestion, pollingInterval: known, at: now) else {
            round.notBefore = device.lastUpdateQuestion?.adding(seconds: UpdatePoll.interval(pollingInterval: known))
            return round
        }
        let configuration = try await marketplace.configuration()
        let groups = Dictionary(grouping: device.apps) { configuration.places(for: $0.item).updates }
        var selections: [UpdateSelection] = []
        for (url, apps) in groups.sorted(by: { $0.key < $1.key }) {
            let answer = try await marketplace.ask(
                "The question for updates", about: apps.map { AskedApp(item: $0.item, version: $0.version) }, at: url,
                device: device, asker: asker)
            selections.append(
                UpdateSelection(answer.entries, for: device.accountOrNobody, installed: device.installedVersions))
        }
        device.lastUpdateQuestion = now
        device.pollingIntervalHours = Int(clamping: configuration.standard.pollingIntervalHours)
        for selection in selections {
            round.dropped += selection.dropped.map { .init(item: $0.item, reason: $0.reason.rawValue) }
            for update in selection.given {
                guard let app = device[update.item] else { continue }
                do throws(DeviceError) {
                    let wish = InstallWish(promised: (update.item, update.version))
                    round.updated.append(
                        try await install(.web(update.package), wish, into: files, at: now, meter: meter()))
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
                    account: app.account ?? accountOrNobody, version: app.version, shortVersion: app.versions?.short,
                    bundleVersion: app.versions?.bundle)
                return (app.item, version)
            }, uniquingKeysWith: { first, _ in first })
    }
}
