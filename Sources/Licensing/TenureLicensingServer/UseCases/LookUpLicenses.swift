public import TenureCore
public import TenureLicensing
public import TenureServerKit
public import TenureStore

/// The licenses that a text may name.
public struct LicenseLookUp: Sendable {
    /// The licenses, those with the lowest ids first.
    public let licenses: [License]
    /// Whether the text names its licenses and no others: a whole key or an id, or the masked key of exactly one.
    public let isCertain: Bool

    /// The most licenses that a look-up returns.
    public static let limit = 100
}

extension Store {
    /// Finds the licenses that a person may mean by a text.
    ///
    /// These readings are tried in turn, and the first one that finds something counts:
    ///
    /// 1. a license id, or a whole key in one of the readings of ``findLicenses(_:tenant:product:)``
    /// 2. a masked key, as commands and pages show it, or only its end after dots or asterisks
    /// 3. the last four characters of a key, also in quotes or before a full stop, the reference of an order, and the holder or the beginning of its name
    ///
    /// The store holds no key's full text, so other parts of a key find nothing. Throws ``ServerError``.
    public func lookUpLicenses(
        _ text: String, tenant: TenantID? = nil, product: ProductID? = nil
    ) async throws(ServerError) -> LicenseLookUp {
        let exact = try await findLicenses(text, tenant: tenant, product: product)
        if !exact.isEmpty { return LicenseLookUp(licenses: exact, isCertain: true) }
        let reading = LookUpReading(text, tenant: tenant, product: product)
        return try await asking { () async throws(StoreError) in try await reading.lookUp(in: self) }
    }
}

/// The readings of a text that isn't a whole key or an id.
private struct LookUpReading: Sendable {
    let text: String
    let tenant: TenantID?
    let product: ProductID?
    /// The text in the normal form of a key, which masked keys have too.
    let normal: String
    /// The normal form without quotes and without full stops at its end.
    let bare: String

    init(_ text: String, tenant: TenantID?, product: ProductID?) {
        self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        normal = LicenseKeyText(text)?.text ?? ""
        bare = LicenseKeyText(text)?.withoutQuotes ?? ""
        self.tenant = tenant
        self.product = product
    }

    /// The characters in place of those that a text hides.
    private static let masks = ["*", "…", ".."]

    func lookUp(in store: any Store) async throws(StoreError) -> LicenseLookUp {
        // An order's reference may contain such characters too, so a text that finds no key is looked up as one.
        if Self.masks.contains(where: normal.contains), let found = try await masked(in: store) { return found }
        var found = try await withEnding(
            [normal, bare].first { $0.utf8.count == LicenseKey.endingLength }, in: store)
        found += try await page(License.ofOrder, [.of(text)], in: store)
        found += try await ofHolder(in: store)
        return LicenseLookUp(licenses: Self.distinct(found), isCertain: false)
    }

    /// The licenses whose key has the shown end; `nil` if no license has it.
    private func masked(in store: any Store) async throws(StoreError) -> LicenseLookUp? {
        let ending = bare.split { "*-….".contains($0) }.last.map(String.init)
        let found = try await withEnding(ending, in: store)
        if found.isEmpty { return nil }
        let masked = found.filter { $0.key.masked == normal || $0.key.masked == bare }
        return LicenseLookUp(
            licenses: masked.isEmpty ? found : masked, isCertain: masked.count == 1 && found.count < LicenseLookUp.limit
        )
    }

    private func withEnding(_ ending: String?, in store: any Store) async throws(StoreError) -> [License] {
        guard let ending else { return [] }
        return try await page(License.ofKeyEnding, [.of(ending)], in: store)
    }

    /// The licenses of a holder with exactly this name, otherwise those of holders whose names begin with it.
    ///
    /// If that finds nothing, the text is tried in lower case, in which most shops store e-mail addresses.
    private func ofHolder(in store: any Store) async throws(StoreError) -> [License] {
        let lower = text.lowercased()
        for name in lower == text ? [text] : [text, lower] {
            let exact = try await page(License.ofHolder, [.of(name)], in: store)
            if !exact.isEmpty { return exact }
            guard name.unicodeScalars.count >= Self.shortestBeginning else { continue }
            let range = [
                Comparison("holder", .atLeast(.of(name))), Comparison("holder", .below(.of(name + "\u{10FFFF}"))),
            ]
            let begun = try await page(License.byHolder, [], [range], in: store)
            if !begun.isEmpty { return begun }
        }
        return []
    }

    /// The shortest beginning of a holder's name that is looked up, in characters.
    private static let shortestBeginning = 3

    private func page(
        _ set: RowSet<License>, _ values: [StoredValue], _ alternatives: [[Comparison]]? = nil, in store: any Store
    ) async throws(StoreError) -> [License] {
        let named = [("tenant", tenant?.storedValue), ("product", product?.storedValue)]
        return try await store.list(
            Listing(set, values, where: set.filter(named, alternatives), limit: LicenseLookUp.limit))
    }

    private static func distinct(_ licenses: [License]) -> [License] {
        var seen: Set<LicenseID> = []
        return Array(
            licenses.filter { seen.insert($0.id).inserted }.sorted { $0.id < $1.id }.prefix(LicenseLookUp.limit))
    }
}
