import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// An account with the facts that support needs: its grants, its devices and its last refusals.
struct AccountRecord: Sendable {
    let account: Account
    /// The account's grants, including ended ones, sorted by app.
    let grants: [AppGrant]
    /// The account's devices, ordered by the issue time of their newest license, latest first.
    let devices: [Device]
    /// The refused licenses and renewals among the account's last ``mostEvents`` events, newest first; at most
    /// ``mostRefusals``.
    let refusals: [EventRecord]
    /// When the account was read.
    let now: Timestamp

    /// A device with licenses of the account.
    struct Device: Sendable {
        let device: Digest
        /// The device's license of each app; of several, the one whose term started last.
        let licenses: [AppLicense]
    }

    /// The maximum numbers of an account's licenses and events to read.
    private static let mostLicenses = 1_000
    private static let mostEvents = 1_000
    /// The maximum number of refusals to report.
    private static let mostRefusals = 50

    /// Reads an account; `nil` if it doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    static func read(
        _ ref: AccountRef, in store: ServerStore, at now: Timestamp
    ) async throws(ServerError) -> AccountRecord? {
        let account = try await store.account(ref)
        guard let account else { return nil }
        let grants = try await store.appGrants(of: ref)
        let filter = AppLicenseFilter(tenant: ref.tenant, account: ref.account, now: now)
        let licenses = try await store.appLicenses(filter, after: nil, limit: mostLicenses)
        let events = try await store.newestEvents(of: ref, limit: mostEvents)
        let refusals = events.filter { [.appLicenseRefused, .appLicenseIneligible].contains($0.event.kind) }
        let devices = Dictionary(grouping: licenses.currentOfEachDevice, by: \.device).map(Device.init)
        return AccountRecord(
            account: account, grants: grants, devices: devices.sorted { $1.order < $0.order },
            refusals: Array(refusals.prefix(mostRefusals)), now: now)
    }
}

extension AccountRecord.Device {
    /// The sort key: the latest issue time of the licenses, then the device's public id.
    fileprivate var order: (Timestamp, String) {
        (licenses.map(\.issuedAt).max() ?? Timestamp(seconds: 0), device.shortText)
    }
}

extension AccountRecord {
    static let document = Document<AccountRecord>(
        "AccountRecord",
        Account.document.members { $0.account } + [
            .list("grants", of: AppGrant.document, "The app grants of the account, including ended ones.") { record in
                record.grants.map { AsOf($0, at: record.now) }
            },
            .list("devices", of: deviceDocument, "The devices, most recently licensed first.") { record in
                record.devices.map { AsOf($0, at: record.now) }
            },
            .list(
                "refusals", of: refusalDocument, "The refusals among the account's latest 1,000 events, newest first."
            ) {
                $0.refusals
            },
        ])

    private static let deviceDocument = Document<AsOf<Device>>(
        "AccountDevice",
        [
            .text("device", "The device's public id, as in refusals and events.") { $0.value.device.shortText },
            .list("licenses", of: AppLicense.document, "The licenses of the device, without replaced ones.") { device in
                device.value.licenses.map { AsOf($0, at: device.now) }
            },
        ])

    private static let refusalDocument = Document<EventRecord>(
        "AccountRefusal",
        [
            .integer("sequence", "The sequence number of the event.") { $0.sequence },
            .text("kind", "`app_license.refused`, or `app_license.ineligible` for a renewal.") { $0.event.kind.text },
            .dateTime("at") { $0.event.at },
            .textOrNull("appleItemID", "The app's Apple item id.") { $0.event.subject.app?.description },
            .textOrNull("license", "The license, for a renewal.") { $0.event.subject.license?.description },
            .facts("detail", "The facts of the event, including `reason`.") { $0.event.facts },
        ])
}

extension FieldType where Value == AppleItemID {
    static var appleItem: FieldType<AppleItemID> {
        .text("an Apple item id", like: "6497405838", schema: .text(pattern: "^[1-9][0-9]{0,17}$")) {
            AppleItemID(text: $0)
        }
    }
}

extension FieldType where Value == String {
    static var email: FieldType {
        .text(
            "an e-mail address without spaces or invisible characters", like: "ada@example.com",
            schema: .text(length: 3...254, pattern: EmailAddress.pattern)
        ) { EmailAddress.isOne($0) ? $0 : nil }
    }
}
