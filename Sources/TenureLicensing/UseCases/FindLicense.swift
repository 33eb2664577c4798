public import TenureCore
public import TenureServerKit
public import TenureStore

/// Finds the licenses that a person may mean by a text.
public struct FindLicense: Sendable {
    let store: any Store

    /// Searches a store.
    public init(store: any Store) { self.store = store }

    /// Reads the text as a license id if it looks like one, else as a key: as it was typed, then with look-alikes
    /// read as what they resemble, then without what copying puts into a text.
    ///
    /// Several answers are possible when products share a key's text; none when nothing goes by that name.
    /// Throws ``ServerError``.
    public func callAsFunction(
        _ text: String, tenant: TenantID? = nil, product: ProductID? = nil
    ) async throws(ServerError) -> [License] {
        if let id = LicenseID(text: text) {
            return try await look(LicenseName(.id(id), tenant: tenant, product: product))
        }
        guard let key = PresentedKey(text) else { return [] }
        for hash in key.readings {
            let found = try await look(LicenseName(.key(hash), tenant: tenant, product: product))
            if !found.isEmpty { return found }
        }
        return []
    }

    private func look(_ name: LicenseName) async throws(ServerError) -> [License] {
        return try await asking { () async throws(StoreError) in try await store.licenses(matching: name) }
    }
}

/// Finds the license that had a key before, which somebody still uses.
struct FindFormerKey: Sendable {
    let catalog: CatalogCache

    /// The license of the product that had the key last, beside the catalog of that moment; nil when none had it.
    ///
    /// Asked only when no license has the key. Throws ``ServerError``.
    func callAsFunction(
        _ key: PresentedKey, of product: ProductRef
    ) async throws(ServerError) -> (License, CatalogSnapshot)? {
        let keys = key.readings.flatMap { [StoredValue.of(product.tenant), .of(product.product), .of($0)] }
        let (seen, looks, snapshot) = try await catalog.look(Self.form.asked(lists: [keys]))
        let (former, licenses) = (seen[looks.former], seen[looks.licenses])
        for hash in key.readings {
            guard let found = former.first(where: { $0.hash == hash }),
                let license = licenses.first(where: { $0.id == found.license })
            else { continue }
            return (license, snapshot)
        }
        return nil
    }

    private static let form = CatalogForm { ask in
        let former = ask.each(FormerKey.table.key)
        return (former: former, licenses: ask.each(License.table.key, .column("license_id", of: former)))
    }
}
