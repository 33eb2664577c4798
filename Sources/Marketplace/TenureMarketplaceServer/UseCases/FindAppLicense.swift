package import TenureCore
package import TenureMarketplace
package import TenureServerKit
import TenureStore

extension FeatureContext {
    /// Finds an app license by text that a person entered: by the decimal number that devices use, or by its id.
    ///
    /// Returns `nil` if the text is neither, or if the tenant has no such license.
    package func findAppLicense(
        _ text: String, tenant: TenantID? = nil
    ) async throws(ServerError) -> AppLicense? {
        guard let id = LicenseID(decimal: text) ?? LicenseID(text: text) else { return nil }
        let found = try await store.appLicense(id)
        return found.flatMap { tenant == nil || $0.tenant == tenant ? $0 : nil }
    }
}
