public import TenureCore
public import TenureServerKit
public import TenureStore

/// Finds the licenses that a person may mean by a text.
public struct FindLicense: Sendable {
    let store: any Store

    /// Searches a store.
    public init(store: any Store) { self.store = store }

    /// Reads the text as a license id if it looks like one, else as a key, look-alikes last.
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
        let found = try await look(LicenseName(.key(key.hash), tenant: tenant, product: product))
        guard found.isEmpty, let lookAlike = key.lookAlikeHash else { return found }
        return try await look(LicenseName(.key(lookAlike), tenant: tenant, product: product))
    }

    private func look(_ name: LicenseName) async throws(ServerError) -> [License] {
        return try await asking { () async throws(StoreError) in try await store.licenses(matching: name) }
    }
}
