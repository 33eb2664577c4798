import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

/// Which licenses a response contains if the engine or an app's key fails.
@Suite struct AppLicenseWriterTests {
    static let brokenEngine = EngineError(.engineFailed, "broken")
    static let brokenKey = EngineError(.appKeyUnusable, "broken")

    @Test(arguments: [
        ([1, 1], [1: brokenKey], 2), ([1], [1: brokenKey], 1), ([1, 2, 2], [2: brokenKey], 2),
        ([1, 2], [1: brokenKey, 2: brokenKey], 2), ([1, 2, 3], [2: brokenEngine], 1),
        ([1, 2, 3], [2: brokenEngine, 3: brokenKey], 2),
    ])
    func `a response omits an app license if its key is unusable, or if writing it fails but another one is written`(
        apps: [UInt64], errors: [UInt64: EngineError], failed: Int
    ) async throws {
        let (unwritten, log) = try await write(apps, errors: errors)
        #expect(unwritten?.count == failed)
        #expect(unwritten?.allSatisfy { errors[$0.item.number] != nil } == true)
        #expect(log.lines.map(\.event) == errors.map { _ in "app_license_not_written" }, "one line for each asset")
    }

    @Test(arguments: [
        ([1], [1: brokenEngine]), ([1, 1], [1: brokenEngine]), ([1, 2], [1: brokenEngine, 2: brokenEngine]),
        ([1, 2], [1: brokenEngine, 2: brokenKey]),
    ]) func `a license request fails if writing fails for every app license with a usable key`(
        apps: [UInt64], errors: [UInt64: EngineError]
    ) async throws {
        let (unwritten, log) = try await write(apps, errors: errors)
        #expect(unwritten == nil && log.lines.isEmpty)
    }

    /// Adds a license for each app to a session with these errors. Returns the licenses that were left out, or `nil` if
    /// adding throws, and the log.
    private func write(
        _ apps: [UInt64], errors: [UInt64: EngineError]
    ) async throws -> ([AppLicenseWriter.Unwritten]?, RecordedLog) {
        let shop = try await LicenseRequestTests.shop(apps: 3)
        let assets = try await shop.vendor.store.all(AppAsset.ofTenant, [.of(GivenMart.tenant)]).map(\.ref)
        let log = RecordedLog()
        let writer = AppLicenseWriter(
            pool: try CryptoPool(threads: 1, limit: 10), keyBlobs: KeyBlobCache(store: ServerStore(shop.vendor.store)),
            log: log)
        let licenses = try apps.enumerated().map { index, item in
            AppLicense(
                id: try #require(LicenseID(number: Int64(index) + 1)), tenant: GivenMart.tenant,
                asset: try #require(assets.first { $0.item.number == item }), account: nil,
                device: .sha256(of: "phone"), request: 1, issuedAt: shop.now,
                term: try #require(Term(start: shop.now, end: shop.now.adding(days: 30))), termRequest: 1)
        }
        do throws(ServerError) {
            let session = FailingSession(errors: errors)
            return (try await writer.add(licenses, to: session, of: GivenMart.tenant, catalogVersion: 1), log)
        } catch {
            return (nil, log)
        }
    }
}

/// A session that throws the error that `errors` has for a license's app.
private struct FailingSession: AppLicenseSession {
    let errors: [UInt64: EngineError]
    var action: AppLicenseAction { .create }
    var deviceID: [UInt8] { [1] }
    var requestID: UInt64 { 1 }
    var requestTime: UInt64 { 1 }
    var requestVersion: UInt32 { 1 }
    var appleItemIDs: [UInt64] { [] }
    var licenseIDs: [UInt64] { [] }

    func add(_ license: AppLicenseAttributes) throws(EngineError) {
        for key in license.appKeys { if let error = errors[key.appleItemID] { throw error } }
    }

    func addStatic(licenseID: UInt64, appKey: AppLicenseAttributes.AppKey) throws(EngineError) {}
    func response() throws(EngineError) -> [UInt8] { [1] }
    func finish(_ response: [UInt8], signature: [UInt8]?) async throws(EngineError) -> [UInt8] { response }
}
