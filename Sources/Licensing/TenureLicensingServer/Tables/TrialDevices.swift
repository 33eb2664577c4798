import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

extension Trial.Device: Stored {
    /// The names and systems of devices on trial, until some time after the trial's end.
    public static let table = Table<Trial.Device>(
        "trial_devices", key: ["tenant", "product", "device"],
        [
            Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("device") { $0.device }, Field("name", namesPerson: true) { $0.name },
            Field("system") { $0.system?.name },
            Field("system_version") { $0.system?.version }, Field("reported_at") { $0.reportedAt },
            Field("kept_until") { $0.retainedUntil },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("by_removal", "kept_until")]
    ) { row in
        Trial.Device(
            product: try row.product(), device: try row.next(), name: try row.next(),
            system: DeviceSystem(name: try row.next(), version: try row.next()), reportedAt: try row.next(),
            retainedUntil: try row.next())
    }

    /// All rows, in the order in which they are removed.
    public static let byRemoval = table.set("by_removal", order: [.up("kept_until")])
}

extension RetentionRule {
    /// The names of devices are removed some time after their trials have ended.
    static let trialDevices = RetentionRule(RetentionSweep(Trial.Device.byRemoval), by: "kept_until", after: 0) {
        $0.retainedUntil < $1
    }
}
