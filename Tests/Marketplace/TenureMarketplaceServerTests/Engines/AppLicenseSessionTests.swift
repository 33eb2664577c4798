import Testing

@testable import TenureMarketplaceServer

@Suite struct AppLicenseSessionTests {
    /// An engine session that grants any request and returns the given bytes.
    struct Contrary: AppLicenseSession {
        let created: [UInt8]
        var action: AppLicenseAction { .unknown }
        var deviceID: [UInt8] { [1] }
        var requestID: UInt64 { 1 }
        var requestTime: UInt64 { 1 }
        var requestVersion: UInt32 { 1 }
        var appleItemIDs: [UInt64] { [] }
        var licenseIDs: [UInt64] { [] }
        func add(_ license: AppLicenseAttributes) throws(EngineError) {}
        func addStatic(licenseID: UInt64, appKey: AppLicenseAttributes.AppKey) throws(EngineError) {}
        func response() throws(EngineError) -> [UInt8] { [1, 2] }
        func finish(_ response: [UInt8], signature: [UInt8]?) async throws(EngineError) -> [UInt8] {
            #expect(response == [1, 2] && signature == nil)
            return created
        }
    }

    @Test func `an app license without bytes is reported as an error of the engine that created it`() async throws {
        await #expect(throws: EngineError(.emptyLicense, "")) { try await Contrary(created: []).license() }
        #expect(try await Contrary(created: [0]).license() == [0])
    }
}
