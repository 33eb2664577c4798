import TenureCore
import TenureFormats
import TenureHTTP
import TenureStore
import Testing

/// What a marketplace app is told of its account's licenses as they end.
@Suite struct LicenseNewsTests {
    /// Days after the end of a license, what is said of it, and whether it is to be renewed.
    @Test(
        arguments: [
            (-8, ["null"], false), (-7, ["due"], true), (0, ["due"], true), (13, ["due"], true),
            (14, ["expired"], false), (89, ["expired"], false), (90, [], false),
        ] as [(Int, [String], Bool)])
    func `a license that nobody renews is due for a fortnight, expired until it would not be renewed, then forgotten`(
        days: Int, causes: [String], isToRenew: Bool
    ) async throws {
        try await expect(causes, isToRenew, days, rules: "")
    }

    @Test(
        arguments: [
            (#""renewAfterExpiryDays": 20"#, 19, ["expired"], false), (#""renewAfterExpiryDays": 20"#, 20, [], false),
            (#""renewAfterExpiryDays": 5"#, 4, ["due"], true), (#""renewAfterExpiryDays": 5"#, 5, [], false),
            (#""renewAfterExpiryDays": null"#, 89, ["expired"], false),
            (#""renewAfterExpiryDays": null"#, 90, [], false),
        ] as [(String, Int, [String], Bool)])
    func `how long it is listed follows the app's rules`(
        rules: String, days: Int, causes: [String], isToRenew: Bool
    ) async throws {
        try await expect(causes, isToRenew, days, rules: rules)
    }

    private func expect(_ causes: [String], _ isToRenew: Bool, _ days: Int, rules: String) async throws {
        let shop = try await Market.withAccounts(rules)
        let token = try await shop.account()
        let start = shop.now.adding(days: -30 - days)
        try await shop.vendor.save([.insert(GivenMart.license(1, from: start, days: 30))])
        let bearer: Headers = ["Authorization": "Bearer \(token)"]
        let granted = await shop.vendor.get("/marketplace/acme/licenses/state", headers: bearer)
        guard case .string(let cursor)? = granted.body["cursor"] else { return #expect(Bool(false), "\(granted)") }
        let answer = await shop.vendor.get("/marketplace/acme/licenses/state?since=\(cursor)", headers: bearer)
        guard case .array(let licenses)? = answer.body["licenses"], case .array(let renew)? = answer.body["renew"]
        else {
            return #expect(Bool(false), "\(answer)")
        }
        let told = licenses.map { license in
            if case .object(let members) = license, case .string(let cause)? = members["cause"] {
                cause
            } else {
                "null"
            }
        }
        #expect(told == causes)
        #expect(!renew.isEmpty == isToRenew)
    }
}
