public import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

extension RecordStore {
    /// Finds the licenses that a person may mean by a text.
    ///
    /// Reads the text as a license id if it has that form, otherwise as a key.
    ///
    /// The readings of a key are tried in turn: as typed, with look-alike characters replaced, without characters that
    /// copying adds, and without dashes, quotes and a full stop if that is a minted key. Returns several licenses if products share a key's text, and none if nothing matches.
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
