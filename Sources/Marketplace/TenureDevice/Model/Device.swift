package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureMarketplaceClient

/// A simulated iPhone: what its system knows about apps, licenses and one marketplace.
package struct Device: Sendable, Hashable {
    /// The device's permanent id in requests: 32 random bytes.
    package let id: [UInt8]

    /// The model, such as `iPhone15,5`.
    package var model: String

    /// The system's version, such as `18.2`.
    package var systemVersion: String

    /// Where to reach the marketplace.
    package var server: ServerAddress

    /// The marketplace's account id for the user; `nil` if there are no accounts.
    package var account: AccountID?

    /// The file that holds the account's token.
    package var tokenFile: String?

    /// The file that holds the virtual clock's offset.
    package var clockFile: String?

    /// The apps, ordered by number.
    package var apps: [InstalledApp] = []

    /// Apps from another device that aren't installed here yet, ordered by number.
    package internal(set) var waiting: [WaitingApp] = []

    /// The marketplace's name; `nil` if it's unknown.
    package var marketplaceName: String?

    /// When the marketplace last responded to an update check.
    package internal(set) var lastUpdateQuestion: Timestamp?

    /// The marketplace's last known interval between update checks, in hours.
    package internal(set) var pollingIntervalHours: Int?

    /// Where the marketplace app left off asking what to renew, by account.
    package internal(set) var watches: [AccountID: LicenseWatch] = [:]

    /// When the daily job last ran.
    package var lastDailyJob: Timestamp?

    /// The apps that were installed before; installing one again counts as a redownload.
    package internal(set) var memory: InstallMemory

    /// Fetched certificates as DER, by their URLs.
    package var certificates: [String: [UInt8]] = [:]

    /// Creates a new device without apps.
    package init(id: [UInt8] = SecureRandom.bytes(32), model: String, systemVersion: String, server: ServerAddress) {
        self.id = id
        self.model = model
        self.systemVersion = systemVersion
        self.server = server
        memory = InstallMemory(device: Base64.encode(id))
    }

    /// The account, or a placeholder id if there are no accounts.
    package var accountOrNobody: AccountID { account ?? Self.nobody }

    /// The marketplace's name in alerts.
    package var marketplaceTitle: String { marketplaceName ?? server.domain }

    static let nobody = AccountID("nobody")!

    /// The platform's name in requests.
    package var platform: String { model.hasPrefix("iPad") ? "iPadOS" : "iOS" }

    /// The installed app with this number, or `nil`.
    package subscript(item: AppleItemID) -> InstalledApp? { apps.first { $0.item == item } }

    /// Installs an app, replacing an older version of it.
    package mutating func install(_ app: InstalledApp) {
        apps.removeAll { $0.item == app.item }
        memory.didInstall(app.item)
        waiting.removeAll { $0.item == app.item }
        apps.append(app)
        apps.sort { $0.item < $1.item }
    }

    /// Stores the result of a renewal.
    package mutating func take(_ answer: RenewalAnswer, at now: Timestamp) {
        for place in apps.indices {
            if let license = answer.renewed[apps[place].item] {
                apps[place].license = license
                apps[place].ineligibleSince = nil
            } else if let id = apps[place].license?.id, answer.ineligible.contains(id) {
                apps[place].ineligibleSince = apps[place].ineligibleSince ?? now
            }
        }
    }
}
