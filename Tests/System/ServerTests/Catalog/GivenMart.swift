import TenureCore
import TenureLicensing
import TenureMarketplace
import TenureServerKit

/// A tenant's marketplace as described in a catalog file.
enum GivenMart {
    static let tenant = TenantID("acme")!
    static let item = AppleItemID(text: "6483539426")!
    static let ada = AccountRef(tenant: tenant, account: AccountID("ada")!)

    /// Returns a file with one marketplace, one app and one account by default.
    static func catalog(
        members: String = #""access": "token""#,
        apps: String? = nil, package: String = "game-1", license: String = "",
        accounts: String = #"{"id": "ada", "apps": ["6483539426"]}"#
    ) -> String {
        let app = #"{"appleItemID": "6483539426", "package": "\#(package)", "license": {\#(license)}}"#
        return """
            {"tenants": [{"id": "acme", "name": "Acme", "marketplace": {"domain": "mart.example", \(members),
              "apps": [\(apps ?? app)], "accounts": [\(accounts)]}}]}
            """
    }

    /// Returns the account's license for the app on a device, for version 86001 by default.
    static func license(
        _ number: Int64, version: UInt64 = 86001, device: UInt8 = 1, account: AccountID? = ada.account,
        from start: Timestamp, days: Int = 30, state: License.State = .active
    ) -> AppLicense {
        AppLicense(
            id: LicenseID(number: number)!, tenant: tenant,
            asset: AssetRef(
                item: item, version: AppleVersionID(number: version)!,
                asset: AssetID("00000001-0000-4000-8000-000000000001")!),
            account: account, device: Digest([UInt8](repeating: device, count: 32))!, request: UInt64(number),
            issuedAt: start, term: Term(start: start, end: start.adding(days: days))!, termRequest: UInt64(number),
            recordedState: state, stoppedAt: state == .active ? nil : start)
    }
}
