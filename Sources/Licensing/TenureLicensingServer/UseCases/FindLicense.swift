public import TenureCore
public import TenureLicensing
public import TenureServerKit
public import TenureStore

extension Store {
    /// Finds the licenses that a person may mean by a text.
    ///
    /// Reads the text as a license id if it has that form, otherwise as a key.
    ///
    /// The readings of a key are tried in turn: as typed, with look-alike characters replaced, without characters that
    /// copying adds, and without dashes, quotes and a full stop if that is a minted key. Returns several licenses if products share a key's text, and none if nothing matches. Throws
    /// ``ServerError``.
    public func findLicenses(
        _ text: String, tenant: TenantID? = nil, product: ProductID? = nil
    ) async throws(ServerError) -> [License] {
        if let id = LicenseID(text: text) {
            return try await asking {
                try await licenses(matching: LicenseName(.id(id), tenant: tenant, product: product))
            }
        }
        guard let key = PresentedKey(text) else { return [] }
        for hash in key.readings {
            let found = try await asking {
                try await licenses(matching: LicenseName(.key(hash), tenant: tenant, product: product))
            }
            if !found.isEmpty { return found }
        }
        return []
    }
}

extension LicensingContext {
    /// Finds a license by a key that it had before and that is still in use.
    ///
    /// Returns the product's last license with that key; `nil` if no license had it.
    ///
    /// Called only when no license has the key now. Throws ``ServerError``, and what its reads throw.
    func findFormerKey(
        _ key: PresentedKey, of product: ProductRef, _ reads: inout StoreReads
    ) throws -> License? {
        let (results, queries) = try reads.fetch(Self.plan.bind(.init(product: product, key: key)))
        let (former, licenses) = (results[queries.former], results[queries.licenses])
        for hash in key.readings {
            guard let found = former.first(where: { $0.hash == hash }),
                let license = licenses.first(where: { $0.id == found.license })
            else { continue }
            return license
        }
        return nil
    }

    private struct Parameters: Sendable {
        let product: ProductRef
        let key: PresentedKey
    }

    private static let plan = CatalogQueryPlan(for: Parameters.self) { query in
        let former = query.each(FormerKey.table.key) { bound in
            bound.key.readings.flatMap { [.of(bound.product.tenant), .of(bound.product.product), .of($0)] }
        }
        return (former: former, licenses: query.each(License.table.key, .column("license_id", of: former)))
    }
}
