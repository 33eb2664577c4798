import Testing

@testable import TenureMarketplaceServer

@Suite struct AppLicenseAttributesTests {
    static let limit = UInt64(Int64.max)

    static let table: [(id: UInt64, issued: UInt64, duration: UInt64, refused: EngineError.Code?)] = [
        (1, 1_795_251_039, 2_592_000, nil),
        (1, 0, 0, nil),
        ((1 << 53) - 1, 1, 1, nil), (1 << 53, 1, 1, nil), ((1 << 53) + 1, 1, 1, nil),
        (limit - 1, 1, 1, nil),
        (0, 1, 1, .licenseIDOutOfRange), (limit, 1, 1, .licenseIDOutOfRange), (limit + 1, 1, 1, .licenseIDOutOfRange),
        (.max, 1, 1, .licenseIDOutOfRange),
        (1, 0, limit - 1, nil), (1, 0, limit, .durationOutOfRange), (1, 0, .max, .durationOutOfRange),
        (1, limit - 1, 0, nil), (1, limit - 2, 1, nil), (1, limit - 1, 1, .endOutOfRange),
        (1, 1, limit - 1, .endOutOfRange), (1, limit - 1, limit - 1, .endOutOfRange),
        (1, limit, 0, .endOutOfRange), (1, .max, 1, .endOutOfRange), (1, .max, 0, .endOutOfRange),
    ]

    @Test(arguments: table)
    func `an app license id, duration or end outside the range that devices accept is refused`(
        id: UInt64, issued: UInt64, duration: UInt64, refused: EngineError.Code?
    ) throws {
        let key = try AppLicenseAttributes.AppKey(appleItemID: 7, keyBlob: [1])
        do throws(EngineError) {
            let created = try AppLicenseAttributes(
                licenseID: id, issuedTime: issued, duration: duration, appKeys: [key])
            #expect(refused == nil)
            #expect((created.licenseID, created.issuedTime, created.duration) == (id, issued, duration))
        } catch {
            #expect(error.code == refused)
        }
    }

    @Test func `an app license without an app key is refused unless it revokes an app`() throws {
        #expect(throws: EngineError(.appKeyMissing, "")) {
            try AppLicenseAttributes(licenseID: 1, issuedTime: 1, duration: 1, appKeys: [])
        }
        _ = try AppLicenseAttributes(licenseID: 1, issuedTime: 1, duration: 1, appKeys: [], revokedAppleItemIDs: [3])
    }

    @Test func `an app key without a blob is refused`() {
        #expect(throws: EngineError(.appKeyMissing, "")) {
            try AppLicenseAttributes.AppKey(appleItemID: 1, keyBlob: [])
        }
    }

    @Test func `the description of an app key doesn't contain its blob`() throws {
        #expect("\(try AppLicenseAttributes.AppKey(appleItemID: 7, keyBlob: [99, 99]))" == "AppKey(7)")
    }
}
