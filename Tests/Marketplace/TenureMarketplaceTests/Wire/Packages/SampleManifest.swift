import Foundation
import Testing

/// A small manifest in the format of real ones, with two variants and a delta.
enum SampleManifest {
    /// Returns the manifest, with the first occurrence of `old` replaced by `new`. Throws if `old` doesn't occur.
    static func text(replacing old: String = "", with new: String = "") throws -> String {
        guard !old.isEmpty else { return whole }
        let location = try #require(whole.firstRange(of: old))
        return whole.replacingCharacters(in: location, with: new)
    }

    private static let whole = """
        {"manifestSchemaVersion": "1.0", "distributionPackageRevision": 2, "appleItemId": "6483539426",
         "bundleId": "com.example.game", "shortVersionString": "1.4.2", "bundleVersion": "142",
         "appleVersionId": "868184258", "platforms": ["ios"], "minimumSystemVersions": {"ios": "17.4"},
         "requiredDeviceCapabilities": ["arm64"], "appInstallDeterminants": [], "hasMessagesExtension": false,
         "isLaunchProhibited": false,
         "variants": [
          {"publicId": "00000001-0000-4000-8000-000000000001", "assetPath": "variant/00000001-0000-4000-8000-000000000001.ipa",
           "installTargets": [{"device": "iPhone14,8", "os": "17.4"}, {"device": "iPad16,3-A", "os": "18"}],
           "variantDetails": {"compressedSize": 1838060826, "uncompressedSize": 2134734848, "hashes": [
            {"algorithm": "sha256", "chunkSize": 1838060826, "encryptedChunkDigests": []}]}},
          {"publicId": "00000002-0000-4000-8000-000000000001", "assetPath": "variant/00000002-0000-4000-8000-000000000001.ipa",
           "installTargets": [{"device": "iPhone12,1", "os": "17.4"}],
           "variantDetails": {"compressedSize": 2759000000, "uncompressedSize": 3134734848, "hashes": []}}],
         "deltas": [
          {"publicId": "00000001-0000-4000-8000-000000000002", "assetPath": "delta/00000001-0000-4000-8000-000000000002.ipa",
           "sourceVariant": {"installTargets": [{"device": "iPhone14,8", "os": "17.4"}],
                             "appleVersionId": "867945472", "version": "1.4.1"},
           "targetVariantAssetPath": "variant/00000001-0000-4000-8000-000000000001.ipa",
           "deltaDetails": {"compressedSize": 179930407, "uncompressedSize": 248893440, "hashes": []}}]}
        """
}
