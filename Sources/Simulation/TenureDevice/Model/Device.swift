import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplaceClient

/// A simulated iPhone, with the data that its system stores about apps, licenses and one marketplace.
struct Device: Sendable, Hashable {
    /// The device's permanent id in license requests: 32 random bytes.
    let id: [UInt8]

    /// The model, such as `iPhone15,5`.
    var model: String

    /// The system's version, such as `18.2`.
    var systemVersion: String

    /// The marketplace's domain, and the address of its server.
    var server: ServerAddress

    /// The marketplace's account id for the user; `nil` if there are no accounts.
    var account: AccountID?

    /// The path of the file with the account's token; `nil` if there isn't one.
    var tokenFile: String?

    /// The paths of the files with the tokens of other accounts, whose apps are still installed.
    var otherTokenFiles: [AccountID: String] = [:]

    /// The path of the virtual clock's file; `nil` to use the system's clock.
    var clockFile: String?

    /// The installed apps, ordered by Apple id.
    var apps: [InstalledApp] = []

    /// Apps from another device that aren't installed here yet, ordered by Apple id.
    var waiting: [WaitingApp] = []

    /// The marketplace's name; `nil` if it's unknown.
    var marketplaceName: String?

    /// When the marketplace last responded to an update check; `nil` if it has never responded.
    var lastUpdateQuestion: Timestamp?

    /// The marketplace's last known interval between update checks, in hours; `nil` before the first check.
    var pollingIntervalHours: Int?

    /// The update checks of apps whose configuration has an interval of its own.
    var ownUpdateChecks: [AppleItemID: UpdateCheck] = [:]

    /// The marketplace app's progress in reading the list of licenses to renew, by account.
    var watches: [AccountID: LicenseWatch] = [:]

    /// When the daily job last ran; `nil` if the job has never run.
    var lastDailyJob: Timestamp?

    /// The apps that have ever been installed. Installing one of them again counts as a redownload.
    var memory: InstallMemory

    /// Fetched certificates as DER, by their URLs.
    var certificates: [String: [UInt8]] = [:]

    /// Creates a new device without apps.
    init(id: [UInt8] = SecureRandom.bytes(32), model: String, systemVersion: String, server: ServerAddress) {
        self.id = id
        self.model = model
        self.systemVersion = systemVersion
        self.server = server
        memory = InstallMemory(device: Base64.encode(id))
    }

    /// The account, or a placeholder id if there are no accounts.
    var accountOrPlaceholder: AccountID { account ?? Self.placeholderAccount }

    /// Makes an account the current one, without a token. The former account's apps keep their token.
    mutating func use(_ account: AccountID) {
        if let former = self.account, former != account, let tokenFile { otherTokenFiles[former] = tokenFile }
        otherTokenFiles[account] = nil
        tokenFile = nil
        self.account = account
    }

    /// The accounts of installed and waiting apps, other than the current one.
    var otherAccounts: [AccountID] {
        Set(apps.compactMap(\.account) + waiting.compactMap(\.account)).subtracting([account].compactMap(\.self))
            .sorted()
    }

    /// The marketplace's name in alerts; its domain if the name is unknown.
    var marketplaceTitle: String { marketplaceName ?? server.domain }

    static let placeholderAccount = AccountID("nobody")!

    /// The platform's name in requests.
    var platform: String { model.hasPrefix("iPad") ? "iPadOS" : "iOS" }

    /// The installed app with this Apple id; `nil` if there isn't one.
    subscript(item: AppleItemID) -> InstalledApp? { apps.first { $0.item == item } }

    /// Installs an app, replacing an older version of it.
    mutating func install(_ app: InstalledApp) {
        apps.removeAll { $0.item == app.item }
        memory.didInstall(app.item)
        waiting.removeAll { $0.item == app.item }
        apps.append(app)
        apps.sort { $0.item < $1.item }
    }

    /// Stores the new licenses, and when the marketplace first refused to renew a license.
    mutating func take(_ answer: RenewalAnswer, at now: Timestamp) {
        for index in apps.indices {
            if let license = answer.renewed[apps[index].item] {
                apps[index].license = license
                apps[index].ineligibleSince = nil
            } else if let id = apps[index].license?.id, answer.ineligible.contains(id) {
                apps[index].ineligibleSince = apps[index].ineligibleSince ?? now
            }
        }
    }
}
