public import TenureCore
import TenureServerKit
public import TenureStore

/// Names a trial: one device's, of one product.
public struct TrialName: Sendable, Hashable {
    /// What is tried.
    public let product: ProductRef
    /// The device, by its hash.
    public let device: Digest

    /// Names a trial.
    public init(product: ProductRef, device: Digest) {
        self.product = product
        self.device = device
    }
}

extension Trial {
    /// Its name.
    public var name: TrialName { TrialName(product: product, device: device) }
}

extension Trial: Stored {
    /// When devices began to try products.
    public static let table = Table<Trial>(
        "trials", key: ["tenant", "product", "device"],
        [
            Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("device") { $0.device }, Field("started_at") { $0.start },
            Field("recorded_at") { $0.recordedAt },
        ],
        parents: [TenantRow.table.shape]
    ) { row throws(StoreError) in
        Trial(
            product: try row.product(), device: try row.next(), start: try row.next(), recordedAt: try row.next())
    }

    /// Keeps beginnings of trials on one device apart until the commit: one that is not there yet has no row to lock.
    ///
    /// Its list holds devices. The number of a lock is the beginning of the device's hash.
    public static let turn = Guard(
        [.blob],
        postgres: """
            SELECT ('x' || encode(substring(device FOR 8), 'hex'))::bit(64)::bigint
            FROM unnest($1::bytea[]) AS w (device)
            """)
}
