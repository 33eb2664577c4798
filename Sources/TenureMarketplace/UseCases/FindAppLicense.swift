public import TenureCore
public import TenureServerKit
public import TenureStore

/// Finds the app license that a person may mean by a text.
public struct FindAppLicense: Sendable {
    let store: any Store

    /// Searches a store.
    public init(store: any Store) { self.store = store }

    /// Reads the text as the decimal number that devices know a license by, or as a license id; nil when it is neither,
    /// or names none of the tenant's.
    ///
    /// Throws ``ServerError``.
    public func callAsFunction(
        _ text: String, tenant: TenantID? = nil
    ) async throws(ServerError) -> AppLicense? {
        guard let id = LicenseID(decimal: text) ?? LicenseID(text: text) else { return nil }
        let found = try await asking { () async throws(StoreError) in try await store.appLicense(id) }
        return found.flatMap { tenant == nil || $0.tenant == tenant ? $0 : nil }
    }
}

extension LicenseID {
    /// Reads an app license's id as Apple writes it: decimal digits.
    public init?(decimal text: some StringProtocol) {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text)
        else { return nil }
        self.init(number: number)
    }
}
