public import TenureCore
public import TenureMarketplace
public import TenureServerKit
public import TenureStore

/// Finds an app license by text that a person entered.
public struct FindAppLicense: Sendable {
    let store: any Store

    /// Creates the use case for a store.
    public init(store: any Store) { self.store = store }

    /// Finds the license by the decimal number that devices use, or by its license id.
    ///
    /// Returns `nil` if the text is neither, or if the tenant has no such license.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func callAsFunction(
        _ text: String, tenant: TenantID? = nil
    ) async throws(ServerError) -> AppLicense? {
        guard let id = LicenseID(decimal: text) ?? LicenseID(text: text) else { return nil }
        let found = try await asking { try await store.appLicense(id) }
        return found.flatMap { tenant == nil || $0.tenant == tenant ? $0 : nil }
    }
}
