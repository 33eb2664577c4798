package import TenureCore

/// A device that is switched on: asks the marketplace what the decisions say, and keeps the answers.
///
/// Time is an argument; saving the device is the caller's.
package struct DeviceSession: Sendable {
    /// The device, as it is after what was done so far.
    package internal(set) var device: Device

    let marketplace: ServedMarketplace
    let asker: Asker

    /// Switches a device on.
    /// - Parameters:
    ///   - token: The account's token; nil where there are no accounts.
    ///   - signedIn: The account that signed in on the device, where there is no token that was handed to it.
    package init(_ device: Device, at marketplace: ServedMarketplace, token: String?, signedIn: SignedIn? = nil) {
        self.device = device
        self.marketplace = marketplace
        asker = Asker(deviceID: device.id, token: token, signedIn: signedIn)
    }

    /// Whether there is a token to ask with.
    package var hasAccount: Bool { asker.access != nil }

    /// What a renewal brought, app by app.
    package struct Renewal: Sendable, Hashable {
        /// The apps with new licenses, as they are now.
        package let renewed: [InstalledApp]
        /// The apps whose licenses the marketplace does not renew.
        package let ineligible: [InstalledApp]
        /// The apps for which it said neither.
        package let unanswered: [InstalledApp]
    }

    /// Runs the daily job: one POST for all licenses that expire within 24 hours, and none when there are none.
    ///
    /// - Throws: ``DeviceError``; the licenses are as they were, and the job counts as having run.
    package mutating func runDailyJob(at now: Timestamp) async throws(DeviceError) -> Renewal {
        device.lastDailyJob = now
        return try await renew(device.appsDue(at: now), at: now)
    }

    /// Renews the licenses of apps, as `requestLicenseRenewal` does; an app without a license is passed over.
    ///
    /// - Throws: ``DeviceError``, `.notInstalled` among them; the licenses are as they were.
    package mutating func renew(_ items: [AppleItemID], at now: Timestamp) async throws(DeviceError) -> Renewal {
        var apps: [InstalledApp] = []
        for item in items { apps.append(try app(item)) }
        return try await renew(apps, at: now)
    }

    /// Shows what a tap on an app's icon shows.
    ///
    /// A marketplace that cannot be reached is remembered as it last was.
    /// - Throws: `.notInstalled`.
    package mutating func tap(_ item: AppleItemID, at now: Timestamp) async throws(DeviceError) -> Tap {
        let known = try app(item)
        if let configuration = try? await marketplace.configuration() { keepPlaces(of: configuration) }
        let app = device[item] ?? known
        return app.tap(at: now, resolutionURL: app.resolutionURL)
    }

    /// Opens the page behind Resolve.
    ///
    /// - Throws: `.unreachable`.
    package func openPage(_ url: String) async throws(DeviceError) -> ResolutionPage {
        try await marketplace.openPage(url)
    }

    /// The app of that number.
    ///
    /// - Throws: `.notInstalled`, naming those that are.
    package func app(_ item: AppleItemID) throws(DeviceError) -> InstalledApp {
        if let app = device[item] { return app }
        let others = device.apps.map { $0.item.description }.joined(separator: ", ")
        throw DeviceError(
            .notInstalled,
            "The device has no app \(item)"
                + (others.isEmpty ? "; `tenure device install` adds it." : ", only \(others)."))
    }

    private mutating func renew(_ apps: [InstalledApp], at now: Timestamp) async throws(DeviceError) -> Renewal {
        var licenses: [AppleItemID: UInt64] = [:]
        for app in apps { licenses[app.item] = app.license?.id }
        guard !licenses.isEmpty else { return Renewal(renewed: [], ineligible: [], unanswered: apps) }
        let answer = try await marketplace.renew(licenses, for: asker, at: now)
        device.certificates = marketplace.certificates
        keepPlaces(of: try await marketplace.configuration())
        device.take(answer, at: now)
        let after = apps.compactMap { device[$0.item] }
        let renewed = after.filter { answer.renewed[$0.item] != nil }
        let ineligible = after.filter { app in
            answer.renewed[app.item] == nil && licenses[app.item].map(answer.ineligible.contains) ?? false
        }
        let told = Set((renewed + ineligible).map(\.item))
        return Renewal(renewed: renewed, ineligible: ineligible, unanswered: after.filter { !told.contains($0.item) })
    }

    private mutating func keepPlaces(of configuration: ServedConfiguration) {
        for place in device.apps.indices {
            device.apps[place].resolutionURL = configuration.places(for: device.apps[place].item).licenseResolutionURL
        }
    }
}
