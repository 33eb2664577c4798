package import TenureCore

extension Trial {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString = "tenant, product, device, started_at, recorded_at"
    /// What becomes of a row that is there already: the first start counts.
    package static let onConflict: StaticString = "ON CONFLICT (tenant, product, device) DO NOTHING"

    package static func read(_ row: some StoredRow) throws(StoreError) -> Trial {
        guard let product = ProductID(row.text(1)) else { throw .unreadable("a product's name") }
        return Trial(
            product: ProductRef(tenant: try row.tenant(0), product: product), device: try row.digest(2),
            start: row.moment(3), recordedAt: row.moment(4))
    }

    package var storedValues: [StoredValue] {
        [
            .tenant(product.tenant), .text(product.product.text), .digest(device), .moment(start), .moment(recordedAt),
        ]
    }
}
