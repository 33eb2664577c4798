import TenureCore
import TenureFormats
import Testing

@Suite struct PackageManifestTests {
    @Test func `a manifest is read with its variants and deltas`() throws {
        let manifest = try PackageManifest(parsing: Array(SampleManifest.text().utf8))
        #expect(manifest.item.number == 6_483_539_426)
        #expect(manifest.version.number == 868_184_258)
        #expect(manifest.bundleID == "com.example.game")
        #expect(manifest.shortVersion == "1.4.2")
        #expect(manifest.bundleVersion == "142")
        #expect(manifest.revision == 2)
        #expect(manifest.platforms == ["ios"])
        #expect(manifest.minimumSystemVersions == ["ios": "17.4"])
        #expect(!manifest.isMarketplace)
        #expect(manifest.variants.map(\.id.text) == ["v-1", "v-2"])
        #expect(manifest.variants[0].path == "variant/v-1.ipa")
        #expect(manifest.variants[0].targets.map(\.device) == ["iPhone14,8", "iPad16,3-A"])
        #expect(manifest.variants[0].targets.map(\.os) == ["17.4", "18"])
        #expect(manifest.variants[1].compressedSize == 2_759_000_000)
        #expect(manifest.deltas.map(\.id.text) == ["d-1"])
        #expect(manifest.deltas[0].sourceVersion.number == 867_945_472)
        #expect(manifest.deltas[0].result.text == "v-1")
    }

    @Test(arguments: [
        (#""appInstallDeterminants": []"#, #""appInstallDeterminants": ["marketplace"]"#),
        (#""appleItemId": "6483539426""#, #""appleItemId": 6483539426"#),
        (#""manifestSchemaVersion": "1.0","#, ""),
        (#""distributionPackageRevision": 2,"#, ""),
        (#""bundleVersion": "142""#, #""bundleVersion": "142", "invented": {"by": ["Apple"]}"#),
        (#""encryptedChunkDigests": []"#, #""encryptedChunkDigests": ["00"]"#),
    ]) func `what may differ does no harm`(old: String, new: String) throws {
        let text = try SampleManifest.text(replacing: old, with: new)
        #expect(throws: Never.self) { try PackageManifest(parsing: Array(text.utf8)) }
    }

    /// A mistake, and the place that the message must name.
    @Test(arguments: [
        (#""appleItemId": "6483539426","#, "", "appleItemId"),
        (#""appleItemId": "6483539426""#, #""appleItemId": "0""#, "appleItemId"),
        (#""appleItemId": "6483539426""#, #""appleItemId": "9223372036854775808""#, "appleItemId"),
        (#""appleVersionId": "868184258""#, #""appleVersionId": "1.0""#, "appleVersionId"),
        (#""bundleId": "com.example.game""#, #""bundleId": """#, "bundleId"),
        (#""publicId": "v-2""#, #""publicId": "v-1""#, "variants/1/publicId"),
        (#""publicId": "d-1""#, #""publicId": "v-1""#, "deltas/0/publicId"),
        (#""publicId": "v-1""#, #""publicId": "../v""#, "variants/0/publicId"),
        (#""assetPath": "variant/v-1.ipa""#, #""assetPath": "../v-1.ipa""#, "variants/0/assetPath"),
        (#""assetPath": "variant/v-1.ipa""#, #""assetPath": "/v-1.ipa""#, "variants/0/assetPath"),
        (#""assetPath": "variant/v-1.ipa""#, #""assetPath": "variant//v-1.ipa""#, "variants/0/assetPath"),
        (#""compressedSize": 2759000000"#, #""compressedSize": -1"#, "variants/1/variantDetails/compressedSize"),
        (#""device": "iPhone14,8""#, #""device": 14"#, "variants/0/installTargets/0/device"),
        (
            #""targetVariantAssetPath": "variant/v-1.ipa""#, #""targetVariantAssetPath": "variant/v-9.ipa""#,
            "deltas/0/targetVariantAssetPath"
        ),
        (#""appleVersionId": "867945472""#, #""appleVersionId": null"#, "deltas/0/sourceVariant/appleVersionId"),
        (#""variants": ["#, #""variants": [], "others": ["#, "variants"),
        (#""platforms": ["ios"]"#, #""platforms": "ios""#, "platforms"),
    ]) func `a mistake is told with its place`(old: String, new: String, place: String) throws {
        let text = try SampleManifest.text(replacing: old, with: new)
        let error = #expect(throws: FormatError.self) { try PackageManifest(parsing: Array(text.utf8)) }
        #expect(error?.code == .badMember)
        #expect(error?.message.contains("\"\(place)\"") == true)
    }

    @Test(arguments: ["", "[]", "<html>", "\u{FEFF}{}", #"{"appleItemId": "1", "appleItemId": "2"}"#])
    func `what is no JSON object is refused as a whole`(text: String) {
        let error = #expect(throws: FormatError.self) { try PackageManifest(parsing: Array(text.utf8)) }
        #expect(error?.code == .malformed)
    }

    @Test func `a manifest beyond the limit is not even scanned`() {
        let bytes = [UInt8](repeating: 0x20, count: PackageManifest.byteLimit + 1)
        let error = #expect(throws: FormatError.self) { try PackageManifest(parsing: bytes) }
        #expect(error?.code == .malformed)
    }
}
