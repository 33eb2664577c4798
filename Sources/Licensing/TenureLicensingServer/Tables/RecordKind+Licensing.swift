import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RecordKind {
    /// The licenses of products.
    static let licenses = RecordKind(
        field: "license", name: "license", column: "license_id", table: License.table.shape,
        number: { $0.license?.number }, named: { $0.license?.description }, option: .license
    ) { filter, tenant, store in
        guard let license = filter.license else { return false }
        return try await !store.licenses(matching: LicenseName(.id(license), tenant: tenant)).isEmpty
    }
}

extension EventOption {
    /// `--license`, for licenses of products and of apps.
    fileprivate static let license: EventOption = {
        let argument: Argument<LicenseID?> = .optional(
            "license", "ID", "Only events of this license, of a product or an app.",
            as: ArgumentReading { text in
                guard let id = LicenseID(text: text) ?? LicenseID(decimal: text) else {
                    throw UsageError("enter a license id such as lic_0123456789abc")
                }
                return id
            })
        return EventOption(argument) { filter, arguments, _, _ in
            filter.license = arguments[argument]
            return true
        }
    }()
}
