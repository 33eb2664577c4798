public import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

/// The licenses that a text may name.
public struct LicenseLookUp: Sendable {
    /// The licenses, those with the lowest ids first.
    public let licenses: [License]
    /// Whether the text names its licenses and no others: a whole key or an id, or the masked key of exactly one.
    public let isCertain: Bool
    /// The former keys by which some of the licenses were found. Such a license is never certain to be the one that is
    /// meant.
    public var replacedKeys: [ReplacedKey] = []

    /// The most licenses that a look-up returns.
    public static let limit = 100
    /// The shortest beginning of a holder's name that is looked up, in characters.
    static let shortestBeginning = 3
}

extension RecordStore {
    /// Finds the licenses that a person may mean by a text.
    ///
    /// These readings are tried in turn, and the result is that of the first one that finds a license:
    ///
    /// 1. a license id, or a whole key in one of the readings of ``findLicenses(_:tenant:product:)``
    /// 2. a masked key, as commands and pages show it, or only its end after dots or asterisks
    /// 3. a whole key that a license had before, or its end as above; acting on that license isn't certain
    /// 4. the last four characters of a key, also in quotes or before a full stop, the reference of an order, and the
    ///    holder or the holder's address, or their beginning
    ///
    /// Holders, addresses and references are compared by their folds. Each tenant's licenses are looked up apart, so a
    /// look-up reads no others. The store holds no key's full text, so other parts of a key find nothing.
    public func lookUpLicenses(
        _ text: String, tenant: TenantID? = nil, product: ProductID? = nil
    ) async throws(Failure) -> LicenseLookUp {
        let exact = try await findLicenses(text, tenant: tenant, product: product)
        if !exact.isEmpty { return LicenseLookUp(exact, isCertain: true) }
        let reading = LookUpReading(text, product: product)
        let tenants = if let tenant { [tenant] } else { try await all(TenantRow.table.all).map(\.id) }
        let found = try await reading.lookUp(of: tenants, in: self)
        if found.isCertain { return found }
        return try await adding(replacedKeysFor: text, tenant, product, byEnding: true, to: found)
    }

    /// Finds the licenses whose full key is this text. If no license has it, finds those whose replaced key it was.
    func lookUpKey(_ text: String, tenant: TenantID) async throws(Failure) -> LicenseLookUp {
        let exact = LicenseLookUp(try await findLicenses(text, tenant: tenant), isCertain: true)
        guard exact.licenses.isEmpty else { return exact }
        return try await adding(replacedKeysFor: text, tenant, nil, byEnding: false, to: exact)
    }

    /// Adds the licenses that had this key before it was replaced; with `byEnding`, those that had a key with this end.
    private func adding(
        replacedKeysFor text: String, _ tenant: TenantID?, _ product: ProductID?, byEnding: Bool,
        to found: LicenseLookUp
    ) async throws(Failure) -> LicenseLookUp {
        let replaced = try await lookUpReplacedKeys(text, tenant: tenant, product: product, byEnding: byEnding)
        guard !replaced.keys.isEmpty else { return found }
        var all = LicenseLookUp(found.licenses + replaced.licenses, isCertain: false)
        all.replacedKeys = replaced.keys
        return all
    }
}

extension LicenseLookUp {
    fileprivate init(_ licenses: [License], isCertain: Bool) {
        var seen: Set<LicenseID> = []
        let distinct = licenses.filter { seen.insert($0.id).inserted }.sorted { $0.id < $1.id }
        self.init(licenses: Array(distinct.prefix(Self.limit)), isCertain: isCertain)
    }
}

/// The readings of a text that isn't a whole key or an id.
private struct LookUpReading: Sendable {
    let fold: FoldedText
    let product: ProductID?
    /// The text in the normal form of a key, which masked keys have too.
    let normal: String
    /// The normal form without quotes and without full stops at its end.
    let bare: String

    init(_ text: String, product: ProductID?) {
        fold = FoldedText(text)
        normal = LicenseKeyText(text)?.text ?? ""
        bare = LicenseKeyText(text)?.withoutQuotes ?? ""
        self.product = product
    }

    /// What a masked key contains in place of its hidden characters.
    private static let masks = ["*", "…", ".."]

    func lookUp<Records: RecordStore>(of tenants: [TenantID], in store: Records) async throws(Records.Failure)
        -> LicenseLookUp
    {
        // An order's reference may contain such characters too, so a text that finds no key is looked up as one.
        if Self.masks.contains(where: normal.contains), let found = try await masked(of: tenants, in: store) {
            return found
        }
        let ending = [normal, bare].first { $0.utf8.count == LicenseKey.endingLength }
        let orders = try await page(of: tenants, in: store) { (License.ofOrder, [.of($0), .of(fold)], nil) }
        return LicenseLookUp(
            try await withEnding(ending, of: tenants, in: store) + orders + ofHolder(of: tenants, in: store),
            isCertain: false)
    }

    /// The licenses whose key has the shown end; `nil` if no license has it.
    private func masked<Records: RecordStore>(of tenants: [TenantID], in store: Records) async throws(Records.Failure)
        -> LicenseLookUp?
    {
        let ending = bare.split { "*-….".contains($0) }.last.map(String.init)
        let found = try await withEnding(ending, of: tenants, in: store)
        if found.isEmpty { return nil }
        let masked = found.filter { $0.key.masked == normal || $0.key.masked == bare }
        return LicenseLookUp(
            masked.isEmpty ? found : masked, isCertain: masked.count == 1 && found.count < LicenseLookUp.limit)
    }

    private func withEnding<Records: RecordStore>(
        _ ending: String?, of tenants: [TenantID], in store: Records
    ) async throws(Records.Failure) -> [License] {
        guard let ending else { return [] }
        return try await page(of: tenants, in: store) { (License.ofKeyEnding, [.of($0), .of(ending)], nil) }
    }

    /// The licenses whose holder or address has exactly this fold, otherwise those where either begins with it.
    private func ofHolder<Records: RecordStore>(of tenants: [TenantID], in store: Records) async throws(Records.Failure)
        -> [License]
    {
        let exact =
            try await page(of: tenants, in: store) { (License.ofHolder, [.of($0), .of(fold)], nil) }
            + page(of: tenants, in: store) { (License.ofHolderEmail, [.of($0), .of(fold)], nil) }
        guard exact.isEmpty, fold.text.unicodeScalars.count >= LicenseLookUp.shortestBeginning else { return exact }
        return try await page(of: tenants, in: store) {
            (License.byHolder, [.of($0)], [beginnings(of: "holder_folded")])
        }
            + page(of: tenants, in: store) {
                (License.byHolderEmail, [.of($0)], [beginnings(of: "holder_email_folded")])
            }
    }

    /// The conditions under which a column's value begins with the fold.
    private func beginnings(of column: String) -> [Comparison] {
        [
            Comparison(column, .atLeast(.of(fold))), Comparison(column, .below(.of(fold.text + "\u{10FFFF}"))),
        ]
    }

    /// Queries tenant by tenant until there are as many licenses as a look-up returns.
    private func page<Records: RecordStore>(
        of tenants: [TenantID], in store: Records,
        _ section: (TenantID) -> (set: RowSet<License>, values: [StoredValue], alternatives: [[Comparison]]?)
    ) async throws(Records.Failure) -> [License] {
        var found: [License] = []
        for tenant in tenants where found.count < LicenseLookUp.limit {
            let (set, values, alternatives) = section(tenant)
            let rest = LicenseLookUp.limit - found.count
            let rows = try await store.list(
                Listing(
                    set, values, where: alternatives ?? [], limit: product == nil ? rest : BoundedPage<License>.stretch)
            )
            found += rows.filter { product == nil || $0.product.product == product }.prefix(rest)
        }
        return found
    }
}

extension RecordStore {
    /// Finds the licenses that a person may mean by a text.
    ///
    /// Reads the text as a license id if it has that form, otherwise as a key.
    ///
    /// The readings of a key are tried in turn: as typed, with look-alike characters replaced, and without characters
    /// that copying adds. Last, it's read without dashes, quotes and a full stop, if that gives a minted key. Returns
    /// several licenses if products share a key's text, and none if nothing matches.
    public func findLicenses(
        _ text: String, tenant: TenantID? = nil, product: ProductID? = nil
    ) async throws(Failure) -> [License] {
        if let id = LicenseID(text: text) {
            return try await licenses(matching: LicenseName(.id(id), tenant: tenant, product: product))
        }
        guard let key = PresentedKey(text) else { return [] }
        for hash in key.readings {
            let found = try await licenses(matching: LicenseName(.key(hash), tenant: tenant, product: product))
            if !found.isEmpty { return found }
        }
        return []
    }
}
