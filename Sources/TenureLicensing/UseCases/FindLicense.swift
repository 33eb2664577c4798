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
        var readings = [key.hash, key.lookAlikeHash]
        if let pasted = key.asPasted { readings += [pasted.hash, pasted.lookAlikeHash] }
        for hash in readings.compactMap(\.self) {
            let found = try await look(LicenseName(.key(hash), tenant: tenant, product: product))
            if !found.isEmpty { return found }
        }
        return []
    }

    private func look(_ name: LicenseName) async throws(ServerError) -> [License] {
        return try await asking { () async throws(StoreError) in try await store.licenses(matching: name) }
    }
}
