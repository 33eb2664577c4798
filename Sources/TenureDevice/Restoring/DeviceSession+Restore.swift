package import TenureCore
import TenureMarketplaceClient

/// What became of an icon that was asked for.
package struct RestoredApp: Sendable, Hashable {
    /// The icon, as it was.
    package let app: WaitingApp
    /// The app, or why it is not there yet.
    package let outcome: Outcome

    /// What became of it.
    package enum Outcome: Sendable, Hashable {
        /// It is there.
        case installed(FinishedInstall)
        /// The icon stays darkened.
        case waits(DeviceError, RestorePrompt?)
    }
}

extension DeviceSession {
    /// Asks for the apps behind darkened icons, each version as it was, and installs each by itself. What does not come
    /// now stays.
    ///
    /// - Parameter items: Those that were tapped; nil for all.
    package mutating func restore(
        _ items: Set<AppleItemID>? = nil, into files: DeviceFiles, at now: Timestamp,
        meter: () -> InstallMeter = { InstallMeter() }
    ) async -> [RestoredApp] {
        let wanted = device.waiting.filter { items?.contains($0.item) ?? true }
        var outcomes: [RestoredApp] = []
        for app in wanted {
            let outcome: RestoredApp.Outcome
            do throws(DeviceError) {
                outcome = .installed(try await restore(app, into: files, at: now, meter: meter()))
                device.waiting.removeAll { $0.item == app.item }
            } catch {
                outcome = .waits(error, RestorePrompt(error, isMarketplace: app.isMarketplace))
                if let place = device.waiting.firstIndex(where: { $0.item == app.item }) {
                    device.waiting[place].reason = error.message
                }
            }
            outcomes.append(RestoredApp(app: app, outcome: outcome))
        }
        return outcomes
    }

    private mutating func restore(
        _ app: WaitingApp, into files: DeviceFiles, at now: Timestamp, meter: InstallMeter
    ) async throws(DeviceError) -> FinishedInstall {
        let url = try await marketplace.configuration().places(for: app.item).restore
        let answer = try await marketplace.ask(
            "The question for the app", about: [AskedApp(item: app.item, version: app.version)], at: url,
            device: device, asker: asker)
        if let word = answer.gone[app.item] {
            throw DeviceError(
                .notAvailable, "The marketplace does not have \(app.name) any more.", as: .unknown, said: word)
        }
        let entry = answer.entries.entries.first { entry in
            entry.item.flatMap { AppleItemID(text: $0) } == app.item
                && entry.version.flatMap { AppleVersionID(text: $0) } == app.version
        }
        guard let entry, let package = entry.package else {
            throw DeviceError(
                .badAnswer, "The marketplace's answer says nothing of \(app.name).",
                as: .invalidAlternativeDistributionPackageURL)
        }
        guard let token = entry.token, !token.isEmpty else {
            throw DeviceError(
                .badAnswer, "The marketplace's answer holds no install token for \(app.name).",
                as: .missingInstallVerificationToken)
        }
        let wish = InstallWish(name: app.givenName, promised: (app.item, app.version))
        return try await install(.web(package), wish, into: files, at: now, meter: meter)
    }
}
