import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureStore
import TenureTesting
import Testing

/// What a marketplace app learns about its account's licenses when they end.
@Suite struct LicenseNewsTests {
    /// Days after a license's end, the reported causes, and whether it must be renewed.
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

    /// Requests the license state. Returns each license's cause and whether any app must be renewed.
    private func ask(_ shop: Market, _ token: String, since cursor: String? = nil) async throws -> (
        causes: [String], cursor: String, isToRenew: Bool
    ) {
        let query = cursor.map { "?since=\($0)" } ?? ""
        let answer = await shop.vendor.get(
            "/marketplace/acme/licenses/state\(query)", headers: ["Authorization": "Bearer \(token)"])
        guard case .array(let licenses)? = answer.body["licenses"], case .array(let renew)? = answer.body["renew"],
            case .string(let cursor)? = answer.body["cursor"]
        else { throw Unexpected(answer: "\(answer)") }
        let causes = licenses.map { license in
            if case .object(let members) = license, case .string(let cause)? = members["cause"] {
                cause
            } else {
                "null"
            }
        }
        return (causes, cursor, !renew.isEmpty)
    }

    private struct Unexpected: Error { let answer: String }

    @Test(arguments: [0, 3600]) func `the first license after a grant is not renewed at the first poll`(
        seconds: Int64
    ) async throws {
        let shop = try await Market.withAccounts()
        let token = try await shop.account()
        shop.clock.advance(seconds: seconds)
        _ = try await Phone(shop, token: token).install()
        let first = try await ask(shop, token)
        #expect(first.causes == ["null"] && !first.isToRenew)
        // Another device's later license doesn't hide a grant from the first one.
        shop.clock.advance(seconds: 60)
        try await shop.changeGrant { $0.again(by: .operator("test"), at: shop.now) }
        shop.clock.advance(seconds: 60)
        _ = try await Phone(shop, id: 2, token: token).install()
        let second = try await ask(shop, token, since: first.cursor)
        #expect(second.causes.sorted() == ["changed", "null"] && second.isToRenew)
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
