public import TenureCore
import TenureMarketplace

/// The version of an app that is installed from this marketplace, and who installed it.
public struct InstalledVersion: Sendable, Hashable {
    /// The account that installed the app.
    public var account: AccountID
    /// Apple's id of the version; `nil` if the system doesn't report one.
    public var version: VersionID?
    /// The version number shown to users; `nil` if unknown.
    public var shortVersion: String?
    /// The build number; `nil` if unknown.
    public var bundleVersion: String?

    /// Creates a value from its parts.
    public init(
        account: AccountID, version: VersionID?, shortVersion: String? = nil, bundleVersion: String? = nil
    ) {
        self.account = account
        self.version = version
        self.shortVersion = shortVersion
        self.bundleVersion = bundleVersion
    }
}

/// Splits an update response into entries to pass to the system and entries to drop.
public struct UpdateSelection: Sendable, Hashable {
    /// The entries to pass to the system, in the order of the response; at most one per app.
    ///
    /// Make an `AutomaticUpdate` of each, or an `AppVersion` of its `item` and `version`.
    public private(set) var given: [Given] = []
    /// The entries that must not be passed to the system.
    public private(set) var dropped: [Dropped] = []

    /// An update to pass to the system.
    public struct Given: Sendable, Hashable {
        /// Apple's id of the app.
        public let item: ItemID
        /// Apple's id of the version.
        public let version: VersionID
        /// The account that installed the app.
        public let account: AccountID
        /// The https URL of the package.
        public let package: String
        /// The install verification token, which the system requires.
        public let token: String
        /// The URL of the app's page; `nil` if the response has no https URL.
        public let shareURL: String?
    }

    /// An entry that was dropped.
    public struct Dropped: Sendable, Hashable {
        /// The app's id as received; `nil` if the entry has none.
        public let item: String?
        /// Why the entry was dropped.
        public let reason: Reason
    }

    /// Why an entry is dropped. If several reasons apply, ``UpdateSelection/Dropped/reason`` is the first of them in
    /// this order.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The app's id or the version's id is missing or invalid.
        case noID
        /// The app isn't installed from this marketplace.
        case notInstalled
        /// Another account installed the app.
        case otherAccount
        /// The installed version is the same or newer.
        case notNewer
        /// `installVerificationToken` is missing.
        case noToken
        /// `alternativeDistributionPackage` is missing or isn't an https URL.
        case noPackage
        /// An earlier entry for the same app was accepted.
        case twice
    }

    /// Evaluates the entries of a response.
    /// - Parameters:
    ///   - account: The account whose request got the response. The response's tokens work only for apps that this
    ///     account installed.
    public init(_ answer: UpdateAnswer, for account: AccountID, installed: [ItemID: InstalledVersion]) {
        for entry in answer.entries {
            switch Self.judged(entry, account, installed) {
            case .success(let update) where given.contains { $0.item == update.item }:
                dropped.append(Dropped(item: entry.item, reason: .twice))
            case .success(let update): given.append(update)
            case .failure(let drop): dropped.append(Dropped(item: entry.item, reason: drop.reason))
            }
        }
    }

    private struct Drop: Error { let reason: Reason }

    private static func judged(
        _ entry: UpdateAnswer.Entry, _ account: AccountID, _ installed: [ItemID: InstalledVersion]
    ) -> Result<Given, Drop> {
        guard let item = entry.item.flatMap({ ItemID(text: $0) }),
            let version = entry.version.flatMap({ VersionID(text: $0) })
        else { return .failure(Drop(reason: .noID)) }
        guard let present = installed[item] else { return .failure(Drop(reason: .notInstalled)) }
        guard present.account == account else { return .failure(Drop(reason: .otherAccount)) }
        guard isNewer(version, entry, than: present) else { return .failure(Drop(reason: .notNewer)) }
        guard let token = entry.token, !token.isEmpty else { return .failure(Drop(reason: .noToken)) }
        guard let package = entry.package, RequestHeaders.path(of: package) != nil else {
            return .failure(Drop(reason: .noPackage))
        }
        let shareURL = entry.shareURL.flatMap { RequestHeaders.path(of: $0) == nil ? nil : $0 }
        return .success(
            Given(item: item, version: version, account: account, package: package, token: token, shareURL: shareURL))
    }

    /// Compares versions as the server does: by version number, build number, then Apple's id.
    ///
    /// If one of the numbers is unknown, only Apple's ids are compared.
    private static func isNewer(
        _ version: VersionID, _ entry: UpdateAnswer.Entry, than present: InstalledVersion
    ) -> Bool {
        guard let installed = present.version else { return true }
        guard version != installed else { return false }
        guard let short = entry.shortVersion, let build = entry.bundleVersion, let oldShort = present.shortVersion,
            let oldBuild = present.bundleVersion
        else { return version > installed }
        return AppVersion(id: version, shortVersion: short, bundleVersion: build)
            .isNewer(than: AppVersion(id: installed, shortVersion: oldShort, bundleVersion: oldBuild))
    }
}

/// The rules for when a device checks for updates.
public enum UpdatePoll {
    /// The interval between two checks in seconds, from `updates.pollingInterval`, which is in hours.
    ///
    /// The result is at least a day. A missing or non-positive value gives a day. A value of more than a year gives a
    /// week, because it was probably given in seconds, such as 43200.
    public static func interval(pollingInterval hours: Int?) -> Int64 {
        let hours = max(hours ?? 24, 24)
        return Int64(hours > longestInterval ? 168 : hours) * 3600
    }

    /// The longest interval that a marketplace can set, in hours.
    package static let longestInterval = 8_760

    /// Whether a device should check for updates now.
    ///
    /// That is also the case if `last` is in the future, because the clock was set back since the last check.
    public static func isDue(last: Timestamp?, pollingInterval hours: Int?, at now: Timestamp) -> Bool {
        guard let last, last <= now else { return true }
        return last.seconds(until: now) >= interval(pollingInterval: hours)
    }
}
