import TenureCore
import TenureFormats
import TenureMarketplace
import Testing

@Suite struct PackageManifestTests {
    @Test func `a package's manifest is read with its variants and deltas`() throws {
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
        #expect(
            manifest.variants.map(\.id.text) == [
                "00000001-0000-4000-8000-000000000001", "00000002-0000-4000-8000-000000000001",
            ])
        #expect(manifest.variants[0].path == "variant/00000001-0000-4000-8000-000000000001.ipa")
        #expect(manifest.variants[0].targets.map(\.device) == ["iPhone14,8", "iPad16,3-A"])
        #expect(manifest.variants[0].targets.map(\.os) == ["17.4", "18"])
        #expect(manifest.variants[1].compressedSize == 2_759_000_000)
        #expect(manifest.deltas.map(\.id.text) == ["00000001-0000-4000-8000-000000000002"])
        #expect(manifest.deltas[0].sourceVersion.number == 867_945_472)
        #expect(manifest.deltas[0].result.text == "00000001-0000-4000-8000-000000000001")
    }

    @Test(arguments: [
        (#""appInstallDeterminants": []"#, #""appInstallDeterminants": ["marketplace"]"#),
        (#""appleItemId": "6483539426""#, #""appleItemId": 6483539426"#),
        (#""manifestSchemaVersion": "1.0","#, ""),
        (#""distributionPackageRevision": 2,"#, ""),
        (#""bundleVersion": "142""#, #""bundleVersion": "142", "invented": {"by": ["Apple"]}"#),
    ]) func `a manifest with unknown members, without optional ones or with a number as app id is read`(
        old: String, new: String
    ) throws {
        let text = try SampleManifest.text(replacing: old, with: new)
        #expect(throws: Never.self) { try PackageManifest(parsing: Array(text.utf8)) }
    }

    /// A text of the manifest, the faulty text that replaces it, and the path that the message must contain.
    @Test(arguments: [
        (#""appleItemId": "6483539426","#, "", "appleItemId"),
        (#""appleItemId": "6483539426""#, #""appleItemId": "0""#, "appleItemId"),
        (#""appleItemId": "6483539426""#, #""appleItemId": "9223372036854775808""#, "appleItemId"),
        (#""appleVersionId": "868184258""#, #""appleVersionId": "1.0""#, "appleVersionId"),
        (#""bundleId": "com.example.game""#, #""bundleId": """#, "bundleId"),
        (
            #""publicId": "00000002-0000-4000-8000-000000000001""#,
            #""publicId": "00000001-0000-4000-8000-000000000001""#, "variants/1/publicId"
        ),
        (
            #""publicId": "00000001-0000-4000-8000-000000000002""#,
            #""publicId": "00000001-0000-4000-8000-000000000001""#, "deltas/0/publicId"
        ),
        (#""publicId": "00000001-0000-4000-8000-000000000001""#, #""publicId": "../v""#, "variants/0/publicId"),
        (
            #""assetPath": "variant/00000001-0000-4000-8000-000000000001.ipa""#,
            #""assetPath": "../00000001-0000-4000-8000-000000000001.ipa""#, "variants/0/assetPath"
        ),
        (
            #""assetPath": "variant/00000001-0000-4000-8000-000000000001.ipa""#,
            #""assetPath": "/00000001-0000-4000-8000-000000000001.ipa""#, "variants/0/assetPath"
        ),
        (
            #""assetPath": "variant/00000001-0000-4000-8000-000000000001.ipa""#,
            #""assetPath": "variant//00000001-0000-4000-8000-000000000001.ipa""#, "variants/0/assetPath"
        ),
        (#""compressedSize": 2759000000"#, #""compressedSize": -1"#, "variants/1/variantDetails/compressedSize"),
        (#""device": "iPhone14,8""#, #""device": 14"#, "variants/0/installTargets/0/device"),
        (
            #""targetVariantAssetPath": "variant/00000001-0000-4000-8000-000000000001.ipa""#,
            #""targetVariantAssetPath": "variant/00000009-0000-4000-8000-000000000001.ipa""#,
            "deltas/0/targetVariantAssetPath"
        ),
        (#""appleVersionId": "867945472""#, #""appleVersionId": null"#, "deltas/0/sourceVariant/appleVersionId"),
        (#""variants": ["#, #""variants": [], "others": ["#, "variants"),
        (#""platforms": ["ios"]"#, #""platforms": "ios""#, "platforms"),
        (#""platforms": ["ios"]"#, #""platforms": ["tvos"]"#, "platforms"),
        (#""platforms": ["ios"],"#, "", "platforms"),
        (#""minimumSystemVersions": {"ios": "17.4"},"#, "", "minimumSystemVersions"),
        (#"{"ios": "17.4"}"#, #"{"ios": "x"}"#, "minimumSystemVersions/ios"),
        (#"{"ios": "17.4"}"#, #"{"tvos": "17.4"}"#, "minimumSystemVersions/ios"),
        (#"[{"device": "iPhone12,1", "os": "17.4"}]"#, "[]", "variants/1/installTargets"),
        (
            #""device": "iPhone12,1", "os": "17.4""#, #""device": "iPhone12,1", "os": "x""#,
            "variants/1/installTargets/0/os"
        ),
        (#""device": "iPhone12,1""#, #""device": "iPhone14,8""#, "variants/1/installTargets/0"),
        (
            #""device": "iPad16,3-A", "os": "18""#, #""device": "iPhone14,8", "os": "17.4""#,
            "variants/0/installTargets/1"
        ),
        (#""compressedSize": 2759000000"#, #""compressedSize": 0"#, "variants/1/variantDetails/compressedSize"),
        (#""uncompressedSize": 3134734848"#, #""uncompressedSize": 0"#, "variants/1/variantDetails/uncompressedSize"),
        (#""compressedSize": 179930407"#, #""compressedSize": 0"#, "deltas/0/deltaDetails/compressedSize"),
        (#""algorithm": "sha256""#, #""algorithm": "md5""#, "variants/0/variantDetails/hashes/0/algorithm"),
        (#""chunkSize": 1838060826"#, #""chunkSize": 0"#, "variants/0/variantDetails/hashes/0/chunkSize"),
        (
            #""encryptedChunkDigests": []"#, #""encryptedChunkDigests": ["00"]"#,
            "variants/0/variantDetails/hashes/0/encryptedChunkDigests/0"
        ),
        (
            #""chunkSize": 1838060826, "encryptedChunkDigests": []"#,
            #""chunkSize": 1838060825, "encryptedChunkDigests": ["00"]"#,
            "variants/0/variantDetails/hashes/0/encryptedChunkDigests"
        ),
        (#""appleVersionId": "868184258""#, #""appleVersionId": "0""#, "appleVersionId"),
        (#""appleVersionId": "867945472""#, #""appleVersionId": "868184258""#, "deltas/0/sourceVariant/appleVersionId"),
        (#""publicId": "00000001-0000-4000-8000-000000000001""#, #""publicId": "v-1""#, "variants/0/publicId"),
        (
            #""publicId": "00000001-0000-4000-8000-000000000001""#,
            #""publicId": "00000001-0000-4000-8000-00000000000g""#, "variants/0/publicId"
        ),
        (
            #""assetPath": "variant/00000001-0000-4000-8000-000000000001.ipa""#,
            #""assetPath": "delta/00000001-0000-4000-8000-000000000001.ipa""#, "variants/0/assetPath"
        ),
        (
            #""assetPath": "delta/00000001-0000-4000-8000-000000000002.ipa""#,
            #""assetPath": "delta/00000001-0000-4000-8000-000000000002.zip""#, "deltas/0/assetPath"
        ),
    ]) func `a fault of a manifest is reported with its location`(old: String, new: String, location: String) throws {
        let text = try SampleManifest.text(replacing: old, with: new)
        let error = #expect(throws: FormatError.self) { try PackageManifest(parsing: Array(text.utf8)) }
        #expect(error?.code == .badMember)
        #expect(error?.message.contains("\"/\(location)\"") == true)
    }

    @Test(arguments: ["", "[]", "<html>", "\u{FEFF}{}", #"{"appleItemId": "1", "appleItemId": "2"}"#])
    func `a manifest that isn't a JSON object with unique members is refused`(text: String) {
        let error = #expect(throws: FormatError.self) { try PackageManifest(parsing: Array(text.utf8)) }
        #expect(error?.code == .malformed)
    }

    @Test func `a manifest over the size limit is refused`() {
        let bytes = [UInt8](repeating: 0x20, count: PackageManifest.byteLimit + 1)
        let error = #expect(throws: FormatError.self) { try PackageManifest(parsing: bytes) }
        #expect(error?.code == .malformed)
    }

    @Test func `chunk digests are read in either letter case, and an asset with an empty digest list has no chunks`()
        throws
    {
        let digest = String(repeating: "aB", count: 32)
        let text = try SampleManifest.text(
            replacing: #""chunkSize": 1838060826, "encryptedChunkDigests": []"#,
            with: #""chunkSize": 1838060825, "encryptedChunkDigests": ["\#(digest)", "\#(digest)"]"#)
        let manifest = try PackageManifest(parsing: Array(text.utf8))
        let expected = try #require(Digest([UInt8](repeating: 0xAB, count: 32)))
        #expect(manifest.variants[0].chunks?.size == 1_838_060_825)
        #expect(manifest.variants[0].chunks?.digests == [expected, expected])
        #expect(manifest.variants[1].chunks == nil && manifest.deltas[0].chunks == nil)
        #expect(manifest.assets.map(\.size) == [1_838_060_826, 2_759_000_000, 179_930_407])
    }
}
