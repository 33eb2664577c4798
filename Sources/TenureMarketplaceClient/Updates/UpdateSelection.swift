public import TenureCore

/// An app that the system has from this marketplace.
public struct InstalledVersion: Sendable, Hashable {
    /// Who installed it.
    public var account: AccountID
    /// Apple's name for the version; nil where the system does not tell one.
    public var version: AppleVersionID?
    /// The version that people read, where it is known.
    public var shortVersion: String?
    /// The build, where it is known.
    public var bundleVersion: String?

    /// Tells of an app.
    public init(
        account: AccountID, version: AppleVersionID?, shortVersion: String? = nil, bundleVersion: String? = nil
    ) {
        self.account = account
        self.version = version
        self.shortVersion = shortVersion
        self.bundleVersion = bundleVersion
    }
}

/// What the system is given of an answer about updates, and what not.
public struct UpdateSelection: Sendable, Hashable {
    /// What becomes an `AutomaticUpdate`, and with item and version an `AppVersion`; one for an app, in the answer's order.
    public private(set) var given: [Given] = []
    /// What the system is not given.
    public private(set) var dropped: [Dropped] = []

    /// One update.
    public struct Given: Sendable, Hashable {
        /// Which app.
        public let item: AppleItemID
        /// Which version of it.
        public let version: AppleVersionID
        /// Who installed the app.
        public let account: AccountID
        /// Where its package is.
        public let package: String
        /// What the system wants before it installs.
        public let token: String
        /// Where its page is; nil where there is none over https.
        public let shareURL: String?
    }

    /// An entry that the system is not given.
    public struct Dropped: Sendable, Hashable {
        /// `appleItemId` as the answer has it.
        public let item: String?
        /// Why.
        public let reason: Reason
    }

    /// Why an entry is dropped; the first that holds.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Its app or its version has no id.
        case noID
        /// The app is not installed from this marketplace.
        case notInstalled
        /// Another account installed it.
        case otherAccount
        /// The installed version is the same or newer.
        case notNewer
        /// It has no `installVerificationToken`.
        case noToken
        /// It has no `alternativeDistributionPackage` over https.
        case noPackage
        /// The answer had a usable entry for the app before.
        case twice
    }

    /// Sorts an answer.
    /// - Parameters:
    ///   - account: Whose answer it is: its tokens are good for that account's apps.
    public init(_ answer: UpdateAnswer, for account: AccountID, installed: [AppleItemID: InstalledVersion]) {
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
        _ entry: UpdateAnswer.Entry, _ account: AccountID, _ installed: [AppleItemID: InstalledVersion]
    ) -> Result<Given, Drop> {
        guard let item = entry.item.flatMap({ AppleItemID(text: $0) }),
            let version = entry.version.flatMap({ AppleVersionID(text: $0) })
        else { return .failure(Drop(reason: .noID)) }
        guard let present = installed[item] else { return .failure(Drop(reason: .notInstalled)) }
        guard present.account == account else { return .failure(Drop(reason: .otherAccount)) }
        guard isNewer(version, entry, than: present) else { return .failure(Drop(reason: .notNewer)) }
        guard let token = entry.token, !token.isEmpty else { return .failure(Drop(reason: .noToken)) }
        guard let package = entry.package, RequestHeaders.place(of: package) != nil else {
            return .failure(Drop(reason: .noPackage))
        }
        let shareURL = entry.shareURL.flatMap { RequestHeaders.place(of: $0) == nil ? nil : $0 }
        return .success(
            Given(item: item, version: version, account: account, package: package, token: token, shareURL: shareURL))
    }

    /// As the server orders them: by the version that people read, the build, then Apple's number, which alone counts
    /// where one of the texts is not known.
    private static func isNewer(
        _ version: AppleVersionID, _ entry: UpdateAnswer.Entry, than present: InstalledVersion
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

/// When to ask for updates.
public enum UpdatePoll {
    /// Seconds between two questions: `updates.pollingInterval`, which is hours, and never less than a day. One that is
    /// missing or not above zero is a day; above a week it is a week: whoever writes 43200 meant seconds.
    public static func interval(pollingInterval hours: Int?) -> Int64 {
        Int64(min(max(hours ?? 24, 24), 168)) * 3600
    }

    /// Whether it is time. A last question from ahead of the clock is none: the clock was set back.
    public static func isDue(last: Timestamp?, pollingInterval hours: Int?, at now: Timestamp) -> Bool {
        guard let last, last <= now else { return true }
        return last.seconds(until: now) >= interval(pollingInterval: hours)
    }
}
