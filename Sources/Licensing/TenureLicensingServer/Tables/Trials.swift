public import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

/// Identifies a trial by product and device.
public struct TrialName: Sendable, Hashable {
    /// The product that the trial is for.
    public let product: ProductRef
    /// The hash that identifies the device.
    public let device: Digest
}

extension Trial {
    /// The trial's product and device.
    public var name: TrialName { TrialName(product: product, device: device) }
}

extension Trial: Stored {
    /// The trials of devices: when they began, and how many days the vendor added.
    public static let table = Table<Trial>(
        "trials", key: ["tenant", "product", "device"],
        [
            Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("device") { $0.device }, Field("started_at") { $0.start },
            Field("recorded_at") { $0.recordedAt }, Field("extra_days") { $0.extraDays },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("by_start", "tenant", "product", "started_at", "device")]
    ) { row in
        Trial(
            product: try row.product(), device: try row.next(), start: try row.next(), recordedAt: try row.next(),
            extraDays: try row.next())
    }

    /// The trials of a product, ordered by device.
    public static let ofProduct = table.set("of_product", "tenant", "product")
    /// The trials of a product, ordered by start and device.
    public static let byStart = table.set("by_start", "tenant", "product", order: [.up("started_at")])

    /// Locks a device until the commit, so that trial starts on it run one after the other. Without the lock, two
    /// starts could both find no row.
    ///
    /// The query's parameters are device hashes; the lock's number is the first 64 bits of the hash.
    public static let turn = QueryLock(
        [.blob],
        postgres: """
            SELECT ('x' || encode(substring(device FOR 8), 'hex'))::bit(64)::bigint
            FROM unnest($1::bytea[]) AS w (device)
            """)
}
