package import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
package import TenureStore

/// A license of an order's line.
package struct OrderLicenseRow: Sendable, Hashable {
    package let order: OrderID
    package let tenant: TenantID
    /// The line's position in the order, from 0.
    package let line: Int
    /// The license's position in the line, from 0.
    package let number: Int
    package let license: LicenseID

    package init(order: OrderID, tenant: TenantID, line: Int, number: Int, license: LicenseID) {
        self.order = order
        self.tenant = tenant
        self.line = line
        self.number = number
        self.license = license
    }
}

extension OrderLicenseRow: Stored {
    package static let table = Table<OrderLicenseRow>(
        "order_licenses", key: ["order_id", "line", "number"],
        [
            Field("order_id") { $0.order }, Field("tenant") { $0.tenant }, Field("line") { $0.line },
            Field("number") { $0.number }, Field("license_id") { $0.license },
        ],
        foreignKeys: [ForeignKey("order_id", to: OrderRow.self), ForeignKey("license_id", to: License.self)],
        indexes: [TableIndex("by_license", "license_id", "order_id")]
    ) { row in
        OrderLicenseRow(
            order: try row.next(), tenant: try row.next(), line: try row.next(), number: try row.next(),
            license: try row.next())
    }

    package static let ofOrder = table.set("of_order", "order_id")
    /// The order's row for a license; a license has at most one.
    package static let ofLicense = table.set("of_license", "license_id")
}
