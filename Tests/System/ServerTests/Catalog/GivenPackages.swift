import TenureServerKit

/// A package's files other than its assets.
struct PackageFiles {
    var manifest: [UInt8]
    var keyBlobs: [UInt8]?
}

/// Packages by the paths in a test's catalog.
struct GivenPackages: NearbyFiles {
    var files: [String: PackageFiles]

    /// Creates packages; by default `game-1` and `game-2`, two versions of one app without key blobs.
    init(_ files: [String: PackageFiles] = ["game-1": .game(version: 1), "game-2": .game(version: 2)]) {
        self.files = files
    }

    func isFolder(_ path: String) throws(CatalogReader.FileError) -> Bool {
        guard files[path] != nil else { throw CatalogReader.FileError("is not there") }
        return true
    }

    func bytes(of path: String, in folder: String?, limit: Int) throws(CatalogReader.FileError) -> [UInt8]? {
        let package = folder.flatMap { files[$0] }
        return path == "manifest.json" ? package?.manifest : package?.keyBlobs
    }
}

extension PackageFiles {
    /// Returns a package of an app, by default 6483539426, with assets of these ids.
    static func game(
        version: Int,
        variants: [String] = ["00000001-0000-4000-8000-000000000001", "00000002-0000-4000-8000-000000000001"],
        deltas: [String] = [], keyBlobs: String? = nil,
        item: String = "6483539426"
    ) -> PackageFiles {
        func targets(_ index: Int) -> String {
            #""installTargets": [{"device": "iPhone\#(14 + index),8", "os": "17.4"}]"#
        }
        let sizes = #""compressedSize": 10, "uncompressedSize": 20, "hashes": []"#
        let variantTexts = variants.enumerated().map { index, id in
            """
            {"publicId": "\(id)", "assetPath": "variant/\(id).ipa", \(targets(index)), "variantDetails": {\(sizes)}}
            """
        }
        let deltaTexts = deltas.map { id in
            """
            {"publicId": "\(id)", "assetPath": "delta/\(id).ipa",
             "sourceVariant": {\(targets(0)), "appleVersionId": "86000", "version": "0.9"},
             "targetVariantAssetPath": "variant/\(variants[0]).ipa", "deltaDetails": {\(sizes)}}
            """
        }
        let manifest = """
            {"appleItemId": "\(item)", "appleVersionId": "8600\(version)", "bundleId": "com.example.game",
             "shortVersionString": "1.\(version)", "bundleVersion": "10\(version)", "platforms": ["ios"],
             "minimumSystemVersions": {"ios": "17.0"}, "variants": [\(variantTexts.joined(separator: ","))], "deltas": [\(deltaTexts.joined(separator: ","))]}
            """
        return PackageFiles(manifest: Array(manifest.utf8), keyBlobs: keyBlobs.map { Array($0.utf8) })
    }
}
