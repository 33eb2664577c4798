public import TenureCore
import TenureFormats

/// A catalog file (`Documentation/catalog.md`), read and validated as a whole before anything is changed.
public struct CatalogFile: Sendable {
    /// The tenants in the file, with their products and the other features' data.
    public let tenants: [Tenant]

    /// The entries, such as licenses, that are applied after the catalog; one list per feature.
    package private(set) var entries: [[any CatalogEntry]] = []

    private let gathered: [ObjectIdentifier: [any Sendable]]

    /// Reads a file and the files that it names.
    ///
    /// - Parameters:
    ///   - listings: The features' sections of the file.
    ///   - reservedProducts: The ids that no product can have.
    ///   - isOwnPath: Returns whether the server itself serves a path. It's also called with `/ID` for each tenant's
    ///     id.
    /// - Throws: One ``CatalogFileError`` with every problem found.
    package init(
        parsing bytes: [UInt8], files: any NearbyFiles, listings: [CatalogSection], reservedProducts: Set<String>,
        isOwnPath: @escaping @Sendable (String) -> Bool
    ) throws(CatalogFileError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw CatalogFileError(problems: [
                .init(pointer: "", message: "The file is not valid JSON: \(error)")
            ])
        }
        let object = Self.tenant(listings)
        var reader = CatalogReader(
            files: files, tenant: Self.sample.id, reservedProducts: reservedProducts, isOwnPath: isOwnPath)
        let root = reader.object(CatalogNode(value: value, pointer: ""), knowing: ["$schema", "tenants"])
        var tenants: [Tenant] = []
        for node in root["tenants"].map({ reader.list($0) }) ?? [] {
            let members = object.members(of: node, &reader)
            guard let id = reader.slug(members["id"], of: node, as: TenantID.self) else { continue }
            if isOwnPath("/\(id)") {
                reader.report(members["id"] ?? node, "\"\(id)\" is a path reserved by the server; choose another id")
            }
            if tenants.contains(where: { $0.id == id }) { reader.report(node, "the tenant \(id) is listed twice") }
            (reader.tenant, reader.placeOfTenant) = (id, node)
            var tenant = Tenant(id: id, name: id.text)
            object.fill(&tenant, from: members, of: node, &reader)
            tenants.append(tenant)
        }
        guard reader.problems.isEmpty else { throw CatalogFileError(problems: reader.problems) }
        self.tenants = tenants
        gathered = reader.gathered
        entries = listings.map { $0.entries(self) }
    }

    /// The values of one type that features added with ``CatalogReader/gather(_:)``, in file order.
    package func listed<Listed: Sendable>(_ type: Listed.Type) -> [Listed] {
        (gathered[ObjectIdentifier(type)] ?? []).compactMap { $0 as? Listed }
    }

    /// The JSON schema (draft 2020-12) of a catalog file, for editors and other tools.
    package static func schema(_ listings: [CatalogSection]) -> JSONTree {
        let file = Schema.object(
            [("$schema", .text()), ("tenants", .list(of: tenant(listings).schema))], required: [], isClosed: true)
        let head: [JSONTree.Member] = [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"), .init("title", "Tenure catalog"),
        ]
        return .object(head + file.keywords)
    }

    private static func tenant(_ listings: [CatalogSection]) -> CatalogObject<Tenant> {
        CatalogObject("One vendor.", sample: sample, own + listings.flatMap(\.members))
    }

    /// The members of a tenant that no feature adds.
    private static let own: [CatalogField<Tenant>] = [
        .id(), .text("name", \.name),
        CatalogField(
            "language",
            schema: { _ in
                Schema.choice(Language.allCases.map(\.rawValue)).described(
                    "The language for messages to customers who don't ask for another one.")
            }, text: { ($0.language ?? .english).rawValue }
        ) { node, tenant, reader in
            guard case .string(let text) = node.value, let language = Language(rawValue: text) else {
                let codes = Language.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                return reader.report(node, "must be one of \(codes)")
            }
            tenant.language = language
        },
        .text(
            "supportEmail", \.supportEmail, longest: 254, pattern: supportPattern,
            "The e-mail address of customer support.",
            fault: { text in
                let parts = text.split(atByte: "@", omittingEmptySubsequences: false)
                let isOne =
                    parts.count == 2 && !parts.contains("") && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                return isOne ? nil : "must be an e-mail address in visible ASCII characters"
            }),
        .webURL("supportURL", \.supportURL, "The page of customer support."), .brand, .mail,
    ]

    private static let supportPattern = #"^[!-?A-~]+@[!-?A-~]+$"#

    /// The changes of a tenant's own members, for the report of a plan.
    static func tenantEdits(from old: Tenant, to new: Tenant) -> [CatalogEdit] {
        own.flatMap { $0.edits(old, new) }
    }

    /// A tenant with all defaults.
    private static let sample = Tenant(id: .sample, name: "")
}

/// Every problem of a rejected catalog file, with its position.
public struct CatalogFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One problem in a catalog file.
    public struct Problem: Sendable, Hashable {
        /// The position in the file as a JSON pointer; empty for the whole file.
        public let pointer: String
        /// The problem and how to correct it.
        public let message: String

        package init(pointer: String, message: String) {
            self.pointer = pointer
            self.message = message
        }
    }

    /// The problems in the order in which they were found; never empty.
    public let problems: [Problem]

    package init(problems: [Problem]) { self.problems = problems }

    /// One line per problem: the pointer, then the message.
    public var description: String {
        problems.map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" }.joined(separator: "\n")
    }
}
