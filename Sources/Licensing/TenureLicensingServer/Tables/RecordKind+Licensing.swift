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
    ) { filter, tenant, store throws(ServerError) in
        guard let license = filter.license else { return false }
        return try await !store.licenses(matching: LicenseName(.id(license), tenant: tenant)).isEmpty
    }
}

extension EventOption {
    /// `--license`, for licenses of products and of apps.
    fileprivate static let license: EventOption = {
        let argument: Argument<String?> = .optional(
            "license", "LICENSE",
            "Only events of this license: its key, id or masked key, the last four characters of the key, an e-mail address, an order reference, or the number of an app license.",
            as: .text)
        return EventOption(argument, example: "tenure events --license ada@example.com") {
            filter, arguments, _, store in
            guard let text = arguments[argument] else { return true }
            if let id = LicenseID(text: text) ?? LicenseID(appNumber: text) {
                filter.license = id
                return true
            }
            let (tenant, product) = (arguments[SharedOptions.tenant], ProductID?.none)
            let found = try await store.lookUpLicenses(text, tenant: tenant).licenses
            guard let license = found.first else {
                throw CommandError(try await LicenseReference.nothing(text, tenant, product, in: store))
            }
            guard found.count == 1 else {
                let now = try Installation.clock(arguments).now()
                throw CommandError(LicenseReference.choice(found.map { .product($0) }, false, at: now))
            }
            filter.license = license.id
            return license.product.tenant == filter.tenant
        }
    }()
}

extension LicenseID {
    /// Reads the decimal number of an app license; `nil` for one so short that it may be the end of a key.
    fileprivate init?(appNumber text: String) {
        guard text.utf8.count > LicenseKey.endingLength else { return nil }
        self.init(decimal: text)
    }
}
