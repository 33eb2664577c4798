public import TenureCore
import TenureFormats

/// What a catalog file says (design §6, "Catalog file"), read and checked as a whole, before anything is changed.
public struct CatalogFile: Sendable {
    /// The tenants, products and policies it names.
    public let tenants: [Tenant]

    /// The licenses it names.
    public let licenses: [ListedLicense]

    /// A license as the file names it; what is nil is left as it is.
    public struct ListedLicense: Sendable {
        /// Its product.
        public let product: ProductRef
        /// Its key: what is kept of it.
        public let key: LicenseKey
        /// Its policy.
        public let policy: PolicyID
        /// Its holder.
        public let holder: String?
        /// The state it shall have at most.
        public let state: LicenseState?
        /// The end of its term.
        public let end: LicenseEdit.End?
    }

    /// Reads a file; throws everything that is wrong with it.
    public init(parsing bytes: [UInt8]) throws(CatalogFileError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw CatalogFileError(problems: [
                .init(pointer: "", message: "The file is not the JSON it should be: \(error)")
            ])
        }
        var reader = CatalogReader()
        let root = reader.object(CatalogNode(value: value, pointer: ""), knowing: ["$schema", "tenants"])
        var tenants: [Tenant] = []
        var licenses: [ListedLicense] = []
        for node in reader.list(root["tenants"]) {
            guard let (tenant, listed) = reader.tenant(node) else { continue }
            if tenants.contains(where: { $0.id == tenant.id }) {
                reader.report(node, "the tenant \(tenant.id) is named twice")
            }
            tenants.append(tenant)
            licenses += listed
        }
        guard reader.problems.isEmpty else { throw CatalogFileError(problems: reader.problems) }
        self.tenants = tenants
        self.licenses = licenses
    }
}
