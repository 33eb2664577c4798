package import TenureCore
import TenureServerKit
package import TenureStore

/// A device of a holder, with the display name that the vendor gave it.
package struct ContentDevice: Sendable, Hashable {
    package let tenant: TenantID
    package let holder: String
    /// The digest of the id that the device computed.
    package let device: Digest
    /// The display name; `nil` if none was set.
    package var name: String?

    package init(tenant: TenantID, holder: String, device: Digest, name: String? = nil) {
        self.tenant = tenant
        self.holder = holder
        self.device = device
        self.name = name
    }
}

extension ContentDevice: Stored {
    package static let table = Table<ContentDevice>(
        "content_devices", key: ["tenant", "holder", "device"],
        [
            Field("tenant") { $0.tenant }, Field("holder", namesPerson: true) { $0.holder },
            Field("device") { $0.device },
            Field("name", namesPerson: true) { $0.name },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)]
    ) { row in
        ContentDevice(
            tenant: try row.next(), holder: try row.next(), device: try row.next(), name: try row.next())
    }

    package static let ofHolder = table.set("of_holder", "tenant", "holder")
}

/// A device release by the holder, which counts against the policy's limit.
package struct DeviceRelease: Sendable, Hashable {
    package let tenant: TenantID
    package let holder: String
    package let at: Timestamp
    package let device: Digest

    package init(tenant: TenantID, holder: String, at time: Timestamp, device: Digest) {
        self.tenant = tenant
        self.holder = holder
        at = time
        self.device = device
    }
}

extension DeviceRelease: Stored {
    /// The releases of devices by their holders.
    package static let table = Table<DeviceRelease>(
        "device_releases", key: ["tenant", "holder", "at", "device"],
        [
            Field("tenant") { $0.tenant }, Field("holder", namesPerson: true) { $0.holder }, Field("at") { $0.at },
            Field("device") { $0.device },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("by_age", "at")]
    ) { row in
        DeviceRelease(tenant: try row.next(), holder: try row.next(), at: try row.next(), device: try row.next())
    }

    /// The releases of a holder, latest first.
    package static let ofHolder = table.set(
        "of_holder", "tenant", "holder", order: [.down("at"), .down("device")])
    /// All releases, oldest first.
    package static let byAge = table.set("by_age", order: [.up("at")])
}
