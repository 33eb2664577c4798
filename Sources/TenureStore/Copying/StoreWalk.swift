package import TenureCore

/// How far a store has been read: which part comes next, and after which of its rows.
package struct StoreWalk: Sendable {
    /// The part to read from next; nil when all has been read.
    package private(set) var part: StorePart? = StorePart.allCases.first

    /// The last app asset read, with its tenant.
    package private(set) var asset: (tenant: TenantID, ref: AssetRef)?
    /// The last account read.
    package private(set) var account: AccountRef?
    /// The hash of the last credential read.
    package private(set) var credential: Digest?
    /// The last app grant read, by account and app.
    package private(set) var grant: (account: AccountRef, item: AppleItemID)?
    /// The last app license read.
    package private(set) var appLicense: LicenseID?
    /// The last license read.
    package private(set) var license: LicenseID?
    /// The last activation read.
    package private(set) var activation: ActivationID?
    /// The hash of the last credential of a license's holder read.
    package private(set) var licenseCredential: Digest?
    /// The last trial read.
    package private(set) var trial: TrialName?
    /// The sequence number of the last event read; 0 before the first.
    package private(set) var event: Int64 = 0
    /// The key of the last answer read.
    package private(set) var answer: Digest?

    /// Rows to a page of the parts that grow; the others are read whole.
    package static let pageSize = 5_000

    private static let readWhole: Set<StorePart> = [.catalog, .settings, .signingKeys, .tokens, .marketplaceKeys]

    /// Begins at the beginning.
    package init() {}

    /// Moves behind a page that was read from ``part``.
    package mutating func advance(over page: StorePage) {
        switch page {
        case .catalog, .settings, .signingKeys, .tokens, .marketplaceKeys: break
        case .appAssets(let rows): asset = rows.last.map { ($0.tenant, $0.ref) } ?? asset
        case .accounts(let rows): account = rows.last?.ref ?? account
        case .credentials(let rows): credential = rows.last?.hash ?? credential
        case .appGrants(let rows): grant = rows.last.map { ($0.account, $0.item) } ?? grant
        case .appLicenses(let rows): appLicense = rows.last?.id ?? appLicense
        case .licenses(let rows): license = rows.last?.id
        case .activations(let rows): activation = rows.last?.id
        case .licenseCredentials(let rows): licenseCredential = rows.last?.hash ?? licenseCredential
        case .trials(let rows): trial = rows.last?.name ?? trial
        case .events(let rows): event = rows.last?.sequence ?? event
        case .answers(let rows): answer = rows.last?.key
        }
        let isPaged = !Self.readWhole.contains(page.part)
        if isPaged, page.count == Self.pageSize { return }
        let later = StorePart.allCases.drop { $0 != page.part }.dropFirst()
        part = later.first
    }
}
