import TenureCore
import TenureMarketplace
import Testing

@testable import TenureDevice

struct VariantChoiceTests {
    /// Two variants: one for iOS 17 and 17.4, one for iOS 18 and 26 on a newer phone.
    private static let old = "00000001-0000-4000-8000-000000000001"
    private static let new = "00000002-0000-4000-8000-000000000001"
    private static let manifest = """
        {"appleItemId":"6483539426","bundleId":"com.example.game","shortVersionString":"1.4","bundleVersion":"14",
         "appleVersionId":"863214182","platforms":["ios"],"minimumSystemVersions":{"ios":"17.0"},"variants":[
         {"publicId":"\(old)","assetPath":"variant/\(old).ipa","installTargets":[
           {"device":"iPhone16,1","os":"17"},{"device":"iPhone16,1","os":"17.4"},{"device":"iPhone12,8","os":"17"}],
          "variantDetails":{"compressedSize":1,"uncompressedSize":2}},
         {"publicId":"\(new)","assetPath":"variant/\(new).ipa","installTargets":[
           {"device":"iPhone16,1","os":"18"},{"device":"iPhone16,1","os":"26"},{"device":"iPhone17,1","os":"26"}],
          "variantDetails":{"compressedSize":1,"uncompressedSize":2}}]}
        """

    private func manifest() throws -> PackageManifest { try PackageManifest(parsing: Array(Self.manifest.utf8)) }

    @Test(arguments: [
        ("iPhone16,1", "17.0", old, "17"), ("iPhone16,1", "17.3.9", old, "17"),
        ("iPhone16,1", "17.4", old, "17.4"),
        ("iPhone16,1", "17.10", old, "17.4"), ("iPhone16,1", "18", new, "18"), ("iPhone16,1", "18.2", new, "18"),
        ("iPhone16,1", "26.0.1", new, "26"), ("iPhone16,1", "100", new, "26"), ("iPhone12,8", "26", old, "17"),
    ])
    func `the app variant with the highest system version not above the device's is chosen`(
        model: String, system: String, asset: String, bucket: String
    ) throws {
        let choice = try manifest().choose(model: model, systemVersion: system)
        #expect(choice.variant.id.text == asset)
        #expect(choice.bucket == bucket)
    }

    @Test(arguments: [
        ("iPhone16,1", "16.7", "17.0"), ("iPhone17,1", "18.2", "18.2"), ("iPad16,3-A", "18.2", "iPhone12,8"),
    ])
    func `the error about a package without a suitable variant names the system version or a supported model`(
        model: String, system: String, named: String
    ) throws {
        let error = try #require(throws: DeviceError.self) {
            try manifest().choose(model: model, systemVersion: system)
        }
        #expect(error.code == .noVariant)
        #expect(error.message.contains(named))
    }

    @Test(arguments: [("17", "17.0.0", false), ("17.4", "17.10", true), ("9", "10", true), ("18", "17.9", false)])
    func `system versions are compared part by part`(one: String, other: String, isLower: Bool) {
        #expect((SystemVersion(one) < SystemVersion(other)) == isLower)
    }
}
