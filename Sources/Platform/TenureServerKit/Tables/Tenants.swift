public import TenureCore
public import TenureStore

/// A tenant's row. The tenant's products and marketplace are in other tables.
public struct TenantRow: Sendable, Hashable {
    /// The tenant's id on this server.
    public let id: TenantID
    /// The tenant's name for people.
    public var name: String
    /// The language of messages to customers who haven't chosen another language.
    public var language: Language
    /// The email address of the tenant's support; `nil` if the tenant has set none.
    public var supportEmail: String?
    /// The `https` address of the tenant's support page; `nil` if the tenant has set none.
    public var supportURL: String?
    /// The brand of the tenant's pages; `nil` for the standard brand.
    package var brand: Brand?
    /// The tenant's settings for sending letters; `nil` if the tenant sends no letters.
    package var mail: Tenant.MailSettings?

    /// Creates the row of a tenant with the standard brand that sends no letters.
    public init(
        id: TenantID, name: String, language: Language = .english, supportEmail: String? = nil,
        supportURL: String? = nil
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.supportEmail = supportEmail
        self.supportURL = supportURL
    }
}

extension Language: StorableCode {}

extension TenantRow {
    init(_ tenant: Tenant) {
        self.init(
            id: tenant.id, name: tenant.name, language: tenant.language ?? .english, supportEmail: tenant.supportEmail,
            supportURL: tenant.supportURL)
        brand = tenant.brand
        mail = tenant.mail
    }

    /// Creates the row of a tenant from a catalog file. If the file lacks the language, support addresses, brand or
    /// settings for letters, the stored tenant's values stay.
    init(_ tenant: Tenant, over existing: Tenant?) {
        self.init(
            id: tenant.id, name: tenant.name, language: tenant.language ?? existing?.language ?? .english,
            supportEmail: tenant.supportEmail ?? existing?.supportEmail,
            supportURL: tenant.supportURL ?? existing?.supportURL)
        let newBrand = tenant.brand ?? existing?.brand
        brand = newBrand == Brand() ? nil : newBrand
        let newMail = tenant.mail ?? existing?.mail
        mail = newMail?.from == "" ? nil : newMail
    }

    /// The tenant with the values of this row, without products and other data.
    var tenant: Tenant {
        var tenant = Tenant(
            id: id, name: name, language: language, supportEmail: supportEmail, supportURL: supportURL)
        tenant.brand = brand
        tenant.mail = mail
        return tenant
    }
}

extension TenantRow: Stored {
    /// The tenants' rows, by id.
    public static let table = Table<TenantRow>(
        "tenants", key: ["tenant"],
        [
            Field("tenant") { $0.id }, Field("name") { $0.name }, Field("language") { $0.language },
            Field("support_email") { $0.supportEmail }, Field("support_url") { $0.supportURL },
            Field("brand_name") { $0.brand?.name }, Field("brand_accent") { $0.brand?.accent?.description },
            Field("brand_accent_dark") { $0.brand?.accentDark?.description },
            Field("brand_homepage") { $0.brand?.homepage }, Field("brand_logo") { $0.brand?.logo?.bytes },
            Field("mail_from") { $0.mail?.from }, Field("mail_reply_to") { $0.mail?.replyTo },
            Field("mail_bounces") { $0.mail?.bounces }, Field("mail_base_url") { $0.mail?.baseURL },
        ],
        changesAlone: true, part: "catalog"
    ) { row in
        var tenant = TenantRow(
            id: try row.next(), name: try row.next(), language: try row.next(), supportEmail: try row.next(),
            supportURL: try row.next())
        var brand = Brand()
        brand.name = try row.next()
        brand.accent = try color(row.next())
        brand.accentDark = try color(row.next())
        brand.homepage = try row.next()
        let logo: [UInt8]? = try row.next()
        brand.logo = logo.map { Brand.Logo($0, digest: .sha256(of: $0)) }
        // A brand without any setting is the standard brand.
        tenant.brand = brand == Brand() ? nil : brand
        let sender: String? = try row.next()
        let (replyTo, bounces, baseURL): (String?, String?, String?) = (
            try row.next(), try row.next(), try row.next()
        )
        tenant.mail = sender.map { Tenant.MailSettings(from: $0, replyTo: replyTo, bounces: bounces, baseURL: baseURL) }
        return tenant
    }
}

extension TenantRow {
    private static func color(_ text: String?) throws(StoreError) -> RGBColor? {
        guard let text else { return nil }
        guard let color = RGBColor(text) else { throw .unreadable("a tenant's accent color") }
        return color
    }
}

/// The version of the catalog and the keys, which servers compare with the version in their cache.
public struct CatalogVersion: Sendable, Hashable {
    /// A number that increases with each change of the catalog or of a signing key.
    public var version: Int64

    /// Creates a version.
    public init(version: Int64) { self.version = version }
}

extension CatalogVersion: Stored {
    /// The single row with the catalog's version.
    public static let table = Table<CatalogVersion>(
        "catalog_version", key: [], [Field("version") { $0.version }], changesAlone: true, part: "catalog"
    ) { row in
        CatalogVersion(version: try row.next())
    }
}

/// The version of one tenant's catalog and keys.
public struct TenantVersion: Sendable, Hashable {
    /// The tenant whose changes are counted.
    public let tenant: TenantID
    /// A number that increases with each change of the tenant's catalog or signing keys.
    public var version: Int64

    /// Creates the version of a tenant.
    public init(tenant: TenantID, version: Int64) {
        self.tenant = tenant
        self.version = version
    }
}

extension TenantVersion: Stored {
    /// The versions by tenant.
    public static let table = Table<TenantVersion>(
        "tenant_versions", key: ["tenant"], [Field("tenant") { $0.tenant }, Field("version") { $0.version }],
        changesAlone: true, part: "catalog"
    ) { row in
        TenantVersion(tenant: try row.next(), version: try row.next())
    }
}

/// Reads the catalog's version and the versions of the tenants that a transaction changes, and increments them.
package struct TenantMarks: Sendable {
    private let whole: RowQuery<CatalogVersion>
    private let tenants: RowsQuery<TenantVersion>

    /// Adds the queries to a plan whose parameters are the tenants.
    package init(_ query: inout QueryBuilder<[TenantID]>) {
        whole = query.row(CatalogVersion.table.key)
        tenants = query.each(TenantVersion.table.key) { $0.map(\.storedValue) }
    }

    /// Returns the row writes that increment the versions, so that every server reloads the given tenants.
    package func raised(for concerned: some Sequence<TenantID>, in results: QueryResult) -> [RowWrite] {
        let before = results[whole] ?? CatalogVersion(version: 0)
        let existing = results[tenants]
        return [.replace(before, by: CatalogVersion(version: before.version + 1))]
            + Set(concerned).sorted().map { tenant in
                let old = existing.first { $0.tenant == tenant }
                return .put(TenantVersion(tenant: tenant, version: (old?.version ?? 0) + 1), over: old)
            }
    }
}
