package import TenureCore
import TenureServerKit
package import TenureStore

/// A device of a holder, with what people call it.
package struct ContentDevice: Sendable, Hashable {
    /// At which vendor.
    package let tenant: TenantID
    /// Whose device.
    package let holder: String
    /// Its digest.
    package let device: Digest
    /// What it is called; nil when nobody said.
    package var name: String?

    /// Names a device.
    package init(tenant: TenantID, holder: String, device: Digest, name: String? = nil) {
        self.tenant = tenant
        self.holder = holder
        self.device = device
        self.name = name
    }
}

extension ContentDevice: Stored {
    /// Devices of holders of contents.
    package static let table = Table<ContentDevice>(
        "content_devices", key: ["tenant", "holder", "device"],
        [
            Field("tenant") { $0.tenant }, Field("holder") { $0.holder }, Field("device") { $0.device },
            Field("name") { $0.name },
        ],
        parents: [TenantRow.table.shape]
    ) { row throws(StoreError) in
        ContentDevice(
            tenant: try row.next(), holder: try row.next(), device: try row.next(), name: try row.next())
    }

    /// A holder's.
    package static let ofHolder = table.set("of_holder", "tenant", "holder")
}

/// That a holder released a device by themselves: what the rule of a policy counts.
package struct DeviceRelease: Sendable, Hashable {
    /// At which vendor.
    package let tenant: TenantID
    /// Who released it.
    package let holder: String
    /// When.
    package let at: Timestamp
    /// Which device.
    package let device: Digest

    /// Puts it together.
    package init(tenant: TenantID, holder: String, at moment: Timestamp, device: Digest) {
        self.tenant = tenant
        self.holder = holder
        at = moment
        self.device = device
    }
}

extension DeviceRelease: Stored {
    /// Releases by holders.
    package static let table = Table<DeviceRelease>(
        "device_releases", key: ["tenant", "holder", "at", "device"],
        [
            Field("tenant") { $0.tenant }, Field("holder") { $0.holder }, Field("at") { $0.at },
            Field("device") { $0.device },
        ],
        parents: [TenantRow.table.shape]
    ) { row throws(StoreError) in
        DeviceRelease(tenant: try row.next(), holder: try row.next(), at: try row.next(), device: try row.next())
    }

    /// A holder's, the latest first.
    package static let ofHolder = table.set(
        "of_holder", "tenant", "holder", order: [.down("at"), .down("device")])
    /// All of them, the oldest first.
    package static let byAge = table.set("by_age", order: [.up("at")])
}
