public import TenureCore
import TenureFormats

/// What a catalog file says (design §6, "Catalog file"), read and checked as a whole, before anything is changed.
public struct CatalogFile: Sendable {
    /// The tenants, products, policies, marketplaces and apps it names; an app has the one version of its package.
    public let tenants: [Tenant]

    /// The licenses it names.
    public let licenses: [ListedLicense]

    /// What the packages say that it names.
    public let packages: [ListedPackage]

    /// The accounts it names.
    public let accounts: [ListedAccount]

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
        public let state: License.State?
        /// The end of its term.
        public let end: LicenseEdit.End?
    }

    /// Reads a file and the packages that it names; throws everything that is wrong with them.
    public init(
        parsing bytes: [UInt8], packages: any PackageReader = NoPackages()
    ) throws(CatalogFileError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw CatalogFileError(problems: [
                .init(pointer: "", message: "The file is not the JSON it should be: \(error)")
            ])
        }
        var reader = CatalogReader(packages: packages)
        let root = reader.object(CatalogNode(value: value, pointer: ""), knowing: ["$schema", "tenants"])
        var listed: [CatalogReader.ListedTenant] = []
        var domains: [String: TenantID] = [:]
        for node in reader.list(root["tenants"]) {
            guard let tenant = reader.tenant(node) else { continue }
            let id = tenant.tenant.id
            if listed.contains(where: { $0.tenant.id == id }) { reader.report(node, "the tenant \(id) is named twice") }
            if let domain = tenant.tenant.marketplace?.domain, let other = domains.updateValue(id, forKey: domain) {
                reader.report(node, "the domain \(domain) is the marketplace of \(other)'s already")
            }
            listed.append(tenant)
        }
        guard reader.problems.isEmpty else { throw CatalogFileError(problems: reader.problems) }
        tenants = listed.map(\.tenant)
        licenses = listed.flatMap(\.licenses)
        self.packages = listed.flatMap(\.packages)
        accounts = listed.flatMap(\.accounts)
    }
}

/// Why a catalog file was refused: everything that is wrong with it, each with its place.
public struct CatalogFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong.
    public struct Problem: Sendable, Hashable {
        /// Where it stands, as a JSON pointer; empty for the whole file.
        public let pointer: String
        /// What is wrong and what would be right.
        public let message: String
    }

    /// What is wrong, in the order it was found; never empty.
    public let problems: [Problem]

    /// One line per problem: the pointer, then the message.
    public var description: String {
        problems.map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" }.joined(separator: "\n")
    }
}
