import TenureMarketplace
import Testing

@testable import TenurePackages

@Suite struct PackageLayoutTests {
    static let variant = "variant/00000001-0000-4000-8000-0000000000ab.ipa"
    static let delta = "delta/00000002-0000-4000-8000-0000000000cd.ipa"

    static let manifest = """
        {"appleItemId": "1", "appleVersionId": "2", "bundleId": "com.example.game", "shortVersionString": "1.0",
         "bundleVersion": "1", "platforms": ["ios"], "minimumSystemVersions": {"ios": "17.4"}, "variants": [
          {"publicId": "00000001-0000-4000-8000-0000000000ab", "assetPath": "\(variant)",
           "installTargets": [{"device": "iPhone14,8", "os": "17.4"}],
           "variantDetails": {"compressedSize": 10, "uncompressedSize": 20, "hashes": []}}], "deltas": [
          {"publicId": "00000002-0000-4000-8000-0000000000cd", "assetPath": "\(delta)",
           "sourceVariant": {"installTargets": [{"device": "iPhone14,8", "os": "17.4"}], "appleVersionId": "1"},
           "targetVariantAssetPath": "\(variant)",
           "deltaDetails": {"compressedSize": 5, "uncompressedSize": 20, "hashes": []}}]}
        """

    static let whole: [String: Int64] = ["manifest.json": 900, "signature": 100, variant: 10, delta: 5]

    func faults(_ files: [String: Int64], beside others: [SourceEntry] = []) throws -> [String] {
        let manifest = try PackageManifest(parsing: Array(Self.manifest.utf8))
        let entries = files.map { SourceEntry(path: $0, kind: .file(size: $1)) }
        return PackageLayout.faults(of: entries + others, against: manifest).map(\.description)
    }

    @Test func `a complete package has no fault, with or without its key blobs`() throws {
        #expect(try faults(Self.whole) == [])
        #expect(try faults(Self.whole.merging(["keyblobs.json": 0]) { $1 }) == [])
    }

    @Test(arguments: Array(whole.keys).sorted()) func `a missing file of a package is reported by its path`(
        path: String
    ) throws {
        #expect(try faults(Self.whole.filter { $0.key != path }) == ["\(path) is missing"])
    }

    @Test(
        arguments: [
            (".DS_Store", 1, ".DS_Store is not listed in the manifest, so devices refuse the package"),
            ("variant/x.ipa", 1, "variant/x.ipa is not listed in the manifest, so devices refuse the package"),
            ("../x", 1, "../x is not listed in the manifest, so devices refuse the package"),
            ("a\u{1B}[1mb", 1, "a?[1mb is not listed in the manifest, so devices refuse the package"),
            (variant, 11, "\(variant) has 11 bytes, but the manifest says 10"),
            (variant, 9, "\(variant) has 9 bytes, but the manifest says 10"),
            ("signature", 0, "signature is empty"),
        ] as [(String, Int64, String)]) func `an unlisted file or one of a wrong size is reported by its path`(
            path: String, size: Int64, expected: String
        ) throws
    {
        #expect(try faults(Self.whole.merging([path: size]) { $1 }) == [expected])
    }

    @Test(arguments: [
        ("Manifest.json", "manifest.json"), ("Signature", "signature"), ("Variant/\(variant.dropFirst(8))", variant),
        ("variant/00000001-0000-4000-8000-0000000000AB.ipa", variant),
    ]) func `a file name in another letter case is reported as one fault`(path: String, right: String) throws {
        var files = Self.whole
        files[path] = files.removeValue(forKey: right)
        #expect(try faults(files) == ["\(path) must be named \(right); upper and lower case differ"])
    }

    @Test func `a link and a duplicate in a package are reported by their paths`() throws {
        let others = [
            SourceEntry(path: "variant/link", kind: .refused("is a link or not a regular file")),
            SourceEntry(path: "signature", kind: .file(size: 100)),
        ]
        #expect(
            try faults(Self.whole, beside: others) == [
                "signature is contained twice", "variant/link is a link or not a regular file",
            ])
    }
}
