import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RecordKind {
    /// The licenses of products.
    static let licenses = RecordKind(
        field: "license", name: "license", column: "license_id", table: License.table.shape,
        number: { $0.license?.number }, named: { $0.license?.description }
    ) { filter, tenant, store in
        guard let license = filter.license else { return false }
        return try await !store.licenses(matching: LicenseName(.id(license), tenant: tenant)).isEmpty
    }
}
