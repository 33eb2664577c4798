import TenureCore
import TenureMarketplaceClient

/// The result of restoring one app.
struct RestoredApp: Sendable, Hashable {
    /// The app as it was before the restore.
    let app: WaitingApp
    /// The installed app, or why it isn't installed yet.
    let outcome: Outcome

    /// How the try to restore the app ended.
    enum Outcome: Sendable, Hashable {
        case installed(FinishedInstall)
        /// The restore failed with this error, so the icon stays darkened. The prompt is `nil` if the system shows
        /// none.
        case waits(DeviceError, RestorePrompt?)
    }
}

extension DeviceSession {
    /// Restores apps behind darkened icons in their previous versions, one at a time.
    ///
    /// Apps that can't be restored now stay in ``Device/waiting``.
    ///
    /// - Parameter items: The tapped apps; `nil` for all.
    mutating func restore(
        _ items: Set<AppleItemID>? = nil, into files: DeviceFiles, at now: Timestamp,
        meter: () -> InstallMeter = { InstallMeter() }
    ) async -> [RestoredApp] {
        let waiting = device.waiting.filter { items?.contains($0.item) ?? true }
        var outcomes: [RestoredApp] = []
        for app in waiting {
            let outcome: RestoredApp.Outcome
            do throws(DeviceError) {
                outcome = .installed(try await restore(app, into: files, at: now, meter: meter()))
                device.waiting.removeAll { $0.item == app.item }
            } catch {
                outcome = .waits(error, RestorePrompt(error, isMarketplace: app.isMarketplace))
                if let index = device.waiting.firstIndex(where: { $0.item == app.item }) {
                    device.waiting[index].reason = error.message
                }
            }
            outcomes.append(RestoredApp(app: app, outcome: outcome))
        }
        return outcomes
    }

    private mutating func restore(
        _ app: WaitingApp, into files: DeviceFiles, at now: Timestamp, meter: InstallMeter
    ) async throws(DeviceError) -> FinishedInstall {
        let package = try await package(
            of: AskedApp(item: app.item, version: app.version), named: app.name, for: requester(for: app.account))
        let options = InstallOptions(name: app.givenName, promised: (app.item, app.version), account: app.account)
        return try await install(.web(package), options, into: files, at: now, meter: meter)
    }

    /// Requests the URL of an app's package from the restore endpoint, as the system does before it downloads an app.
    ///
    /// - Throws: `.notAvailable` if the marketplace lists the app as unavailable, `.badAnswer`, and the errors of any
    ///   request.
    func package(
        of app: AskedApp, named name: String, for requester: RequestingDevice
    ) async throws(DeviceError) -> String {
        let url = try await marketplace.configuration().places(for: app.item).restore
        let answer = try await marketplace.query(
            "The request for the app", about: [app], at: url, device: device, requester: requester)
        if let problem = answer.gone[app.item] {
            throw DeviceError(
                .notAvailable, "The marketplace no longer has \(name).", as: .unknown, problem: problem)
        }
        let entry = answer.entries.entries.first { entry in
            entry.item.flatMap { AppleItemID(text: $0) } == app.item
                && entry.version.flatMap { AppleVersionID(text: $0) } == app.version
        }
        guard let entry, let package = entry.package else {
            throw DeviceError(
                .badAnswer, "The marketplace's response doesn't mention \(name).",
                as: .invalidAlternativeDistributionPackageURL)
        }
        guard let token = entry.token, !token.isEmpty else {
            throw DeviceError(
                .badAnswer, "The marketplace's response has no install token for \(name).",
                as: .missingInstallVerificationToken)
        }
        return package
    }
}
