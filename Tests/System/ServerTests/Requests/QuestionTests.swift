import TenureCore
import TenureServerKit
import TenureTesting
import Testing

/// Requests that change nothing make no write transaction, so they don't wait for other writes.
@Suite struct QuestionTests {
    @Test func `starting a trial takes one transaction, and requesting it again takes none`() async throws {
        let app = try await LeaseApp(try await Vendor())
        let begun = try await changes(of: app) { try await app.trial().yes != nil }
        #expect(begun == 1)
        let result = try await changes(of: app) { try await app.trial().yes != nil }
        #expect(result == 0)
    }

    @Test func `a refused trial takes no transaction`() async throws {
        let catalog = Vendor.catalog.replacing("\"trialDays\": 14", with: "\"trialDays\": 0")
        let app = try await LeaseApp(try await Vendor(catalog))
        let refused = try await changes(of: app) { try await app.trial().no == "403 trial_not_offered" }
        #expect(refused == 0)
    }

    @Test func `a release takes one transaction, whether or not its license key is known`() async throws {
        let app = try await LeaseApp(try await Vendor())
        let (_, activation) = try await app.activated("NOTE-PRO0-0000-0001")
        let other = try await changes(of: app) {
            try await app.release("NOTE-RENT-0000-0002", activation).yes != nil
        }
        #expect(other == 1)
        let unknown = try await changes(of: app) {
            try await app.release("NOTE-NONE-0000-0009", activation).no == "404 license_unknown"
        }
        #expect(unknown == 1)
    }

    /// Returns how many changes of the store the closure makes. The closure must return `true`.
    private func changes(of app: LeaseApp, _ isAnswered: () async throws -> Bool) async throws -> Int {
        let before = app.vendor.watched.changes
        let isRight = try await isAnswered()
        #expect(isRight)
        return app.vendor.watched.changes - before
    }
}
