package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureMarketplaceClient

/// A simulated iPhone: what the system on it knows of apps, licenses and one marketplace.
package struct Device: Sendable, Hashable {
    /// Names the device in requests, the same as long as it exists: 32 random bytes.
    package let id: [UInt8]

    /// The model, such as `iPhone15,5`.
    package var model: String

    /// The system's version, such as `18.2`.
    package var systemVersion: String

    /// Where the marketplace is reached.
    package var server: ServerAddress

    /// The marketplace's name for the person who uses the device; nil where there are no accounts.
    package var account: AccountID?

    /// The file that holds the account's token.
    package var tokenFile: String?

    /// The file that holds the virtual clock's offset.
    package var clockFile: String?

    /// The apps, in the order of their numbers.
    package var apps: [InstalledApp] = []

    /// Icons that came from another device and whose apps are not here yet, in the order of their numbers.
    package internal(set) var waiting: [WaitingApp] = []

    /// What the marketplace calls itself; its domain where nobody told.
    package var marketplaceName: String?

    /// When the marketplace last answered which updates there are.
    package internal(set) var lastUpdateQuestion: Timestamp?

    /// How often it wants to be asked, as it last told.
    package internal(set) var pollingIntervalHours: Int?

    /// Where the marketplace app left off asking what to renew, by account.
    package internal(set) var watches: [AccountID: LicenseWatch] = [:]

    /// When the daily job last ran.
    package var lastDailyJob: Timestamp?

    /// Which apps it has had: one that comes again is no new download.
    package internal(set) var memory: InstallMemory

    /// Certificates that were fetched, as DER, by their URLs.
    package var certificates: [String: [UInt8]] = [:]

    /// Makes a device as it comes out of its box.
    package init(id: [UInt8] = SecureRandom.bytes(32), model: String, systemVersion: String, server: ServerAddress) {
        self.id = id
        self.model = model
        self.systemVersion = systemVersion
        self.server = server
        memory = InstallMemory(device: Base64.encode(id))
    }

    /// The account, or a name that stands for none where there are no accounts.
    package var accountOrNobody: AccountID { account ?? Self.nobody }

    /// What alerts call the marketplace.
    package var marketplaceTitle: String { marketplaceName ?? server.domain }

    static let nobody = AccountID("nobody")!

    /// The platform, as a request names it.
    package var platform: String { model.hasPrefix("iPad") ? "iPadOS" : "iOS" }

    /// The app of that number, nil when it is not installed.
    package subscript(item: AppleItemID) -> InstalledApp? { apps.first { $0.item == item } }

    /// Installs an app, in place of an older version of it.
    package mutating func install(_ app: InstalledApp) {
        apps.removeAll { $0.item == app.item }
        memory.didInstall(app.item)
        waiting.removeAll { $0.item == app.item }
        apps.append(app)
        apps.sort { $0.item < $1.item }
    }

    /// Keeps what the marketplace answered to a renewal.
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
