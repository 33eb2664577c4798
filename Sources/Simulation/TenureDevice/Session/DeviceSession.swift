import TenureCore

/// A simulated device at its marketplace. The session sends the device's requests and stores the responses in the
/// device.
///
/// The caller supplies the time and saves ``device`` afterwards.
struct DeviceSession: Sendable {
    /// The device in its current state.
    var device: Device

    let marketplace: ServedMarketplace
    /// The device with the current account, as the sender of requests.
    let currentRequester: RequestingDevice
    /// The senders of requests for other accounts whose apps are on the device, each with its own token.
    private let otherRequesters: [AccountID: RequestingDevice]

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - token: The account's token; `nil` if there are no accounts.
    ///   - signedIn: The account that signed in on the device, for use if `token` is `nil`.
    ///   - others: The tokens of other accounts.
    init(
        _ device: Device, at marketplace: ServedMarketplace, token: String?, signedIn: SignedIn? = nil,
        others: [AccountID: RequestingDevice] = [:]
    ) {
        otherRequesters = others
        self.device = device
        self.marketplace = marketplace
        currentRequester = RequestingDevice(deviceID: device.id, token: token, signedIn: signedIn)
    }

    /// Whether the session has a token for its requests.
    var hasAccount: Bool { currentRequester.access != nil }

    /// Returns the sender of requests about an app: the account that installed the app, or the current one.
    func requester(for account: AccountID?) -> RequestingDevice {
        account.flatMap { otherRequesters[$0] } ?? currentRequester
    }

    /// The result of a renewal: the apps that it concerned, by outcome.
    struct Renewal: Sendable, Hashable {
        /// The apps with new licenses, in their current state.
        let renewed: [InstalledApp]
        /// The apps whose licenses the marketplace doesn't renew.
        let ineligible: [InstalledApp]
        /// The apps that the response doesn't mention.
        let unanswered: [InstalledApp]
    }

    /// Runs the daily job: one POST for all licenses that expire within 24 hours, if there are any.
    ///
    /// - Throws: ``DeviceError``; the licenses stay unchanged, but the job counts as having run.
    mutating func runDailyJob(at now: Timestamp) async throws(DeviceError) -> Renewal {
        device.lastDailyJob = now
        return try await renew(device.appsDue(at: now), at: now)
    }

    /// Renews the licenses of apps, as `requestLicenseRenewal` does; apps without a license are skipped.
    ///
    /// - Throws: ``DeviceError``, such as `.notInstalled`; the licenses stay unchanged.
    mutating func renew(_ items: [AppleItemID], at now: Timestamp) async throws(DeviceError) -> Renewal {
        var apps: [InstalledApp] = []
        for item in items { apps.append(try app(item)) }
        return try await renew(apps, at: now)
    }

    /// Returns the result of a tap on an app's icon.
    ///
    /// If the marketplace can't be reached, its last known configuration is used.
    ///
    /// - Throws: `.notInstalled`.
    mutating func tap(_ item: AppleItemID, at now: Timestamp) async throws(DeviceError) -> Tap {
        let found = try app(item)
        if let configuration = try? await marketplace.configuration() { keepPlaces(of: configuration) }
        let app = device[item] ?? found
        return app.tap(at: now, resolutionURL: app.resolutionURL)
    }

    /// Opens the page that the Resolve button leads to.
    ///
    /// - Throws: `.unreachable`.
    func openPage(_ url: String) async throws(DeviceError) -> ResolutionPage {
        try await marketplace.openPage(url)
    }

    /// Returns the installed app with this Apple id.
    ///
    /// - Throws: `.notInstalled`; the message lists the installed apps.
    func app(_ item: AppleItemID) throws(DeviceError) -> InstalledApp {
        if let app = device[item] { return app }
        let others = device.apps.map { $0.item.description }.joined(separator: ", ")
        throw DeviceError(
            .notInstalled,
            "The device has no app \(item)"
                + (others.isEmpty ? "; `tenure device install` adds it." : ", only \(others)."))
    }

    /// Renews licenses with one request for each account and renewal endpoint.
    ///
    /// If the request of one account fails, the others' licenses are still renewed.
    private mutating func renew(_ apps: [InstalledApp], at now: Timestamp) async throws(DeviceError) -> Renewal {
        var licenses: [AppleItemID: UInt64] = [:]
        for app in apps { licenses[app.item] = app.license?.id }
        guard !licenses.isEmpty else { return Renewal(renewed: [], ineligible: [], unanswered: apps) }
        var answer = RenewalAnswer()
        var failure: DeviceError?
        var succeeded = false
        let groups = Dictionary(grouping: apps.filter { $0.license != nil }, by: \.account)
        for (account, own) in groups.sorted(by: { ($0.key?.text ?? "") < ($1.key?.text ?? "") }) {
            let named = licenses.filter { item, _ in own.contains { $0.item == item } }
            do throws(DeviceError) {
                let part = try await marketplace.renew(named, for: requester(for: account), at: now)
                answer.renewed.merge(part.renewed) { $1 }
                answer.ineligible.formUnion(part.ineligible)
                succeeded = true
            } catch {
                failure = failure ?? error
            }
        }
        if let failure, !succeeded { throw failure }
        device.certificates = marketplace.certificates
        keepPlaces(of: try await marketplace.configuration())
        device.take(answer, at: now)
        let after = apps.compactMap { device[$0.item] }
        let renewed = after.filter { answer.renewed[$0.item] != nil }
        let ineligible = after.filter { app in
            answer.renewed[app.item] == nil && licenses[app.item].map(answer.ineligible.contains) ?? false
        }
        let items = Set((renewed + ineligible).map(\.item))
        return Renewal(renewed: renewed, ineligible: ineligible, unanswered: after.filter { !items.contains($0.item) })
    }

    private mutating func keepPlaces(of configuration: ServedConfiguration) {
        for index in device.apps.indices {
            device.apps[index].resolutionURL = configuration.places(for: device.apps[index].item).licenseResolutionURL
        }
    }
}
