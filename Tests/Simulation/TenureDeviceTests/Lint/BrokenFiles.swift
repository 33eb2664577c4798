import TenureCrypto

@testable import TenureDevice

/// Valid files, and changes that each make one of them invalid.
enum BrokenFiles {
    static let configuration = """
        {"restore": "https://api.example/restore",
         "updates": {"url": "https://api.example/updates", "pollingInterval": 24},
         "license": {"dynamicLicenseURL": "https://api.example/license", "licenseRenewalURL": "https://api.example/renew",
          "signingCertificateURL": "https://mart.example/signing.cer",
          "encryptionCertificateURL": "https://mart.example/encryption.cer",
          "licenseResolutionURL": "https://mart.example/resolve"}}
        """

    static let manifest = """
        {"appleItemId": "1", "appleVersionId": "2", "bundleId": "com.example.game", "shortVersionString": "1.0",
         "bundleVersion": "1", "platforms": ["ios"], "minimumSystemVersions": {"ios": "17.4"},
         "requiredDeviceCapabilities": ["arm64"], "variants": [
          {"publicId": "00000001-0000-4000-8000-0000000000ab",
           "assetPath": "variant/00000001-0000-4000-8000-0000000000ab.ipa",
           "installTargets": [{"device": "iPhone14,8", "os": "17.4"}],
           "variantDetails": {"compressedSize": 10, "uncompressedSize": 20, "hashes": [
            {"algorithm": "sha256", "chunkSize": 6, "encryptedChunkDigests": ["\(digest)", "\(digest)"]}]}}], "deltas": [
          {"publicId": "00000002-0000-4000-8000-0000000000cd",
           "assetPath": "delta/00000002-0000-4000-8000-0000000000cd.ipa",
           "sourceVariant": {"installTargets": [{"device": "iPhone14,8", "os": "17.4"}], "appleVersionId": "1"},
           "targetVariantAssetPath": "variant/00000001-0000-4000-8000-0000000000ab.ipa",
           "deltaDetails": {"compressedSize": 5, "uncompressedSize": 20, "hashes": []}}]}
        """

    static let oauth = """
        {"issuer": "https://mart.example", "authorization_endpoint": "https://mart.example/authorize",
         "token_endpoint": "https://mart.example/token", "code_challenge_methods_supported": ["S256"],
         "grant_types_supported": ["authorization_code"], "response_types_supported": ["code"]}
        """

    private static let digest = String(repeating: "0a", count: 32)

    /// A kind of file, a text and its replacement, and the only rule that the changed file breaks.
    struct Fault: Sendable, CustomStringConvertible {
        let kind: LintKind
        let text: String
        let by: String
        let rule: String

        var description: String { "\(rule): \(text) -> \(by)" }
    }

    static let all: [Fault] = config + manifests + metadata

    private static let config: [Fault] =
        [
            ("{\"restore\"", "\u{FEFF}{\"restore\"", "bom"), ("{\"restore\"", "{{\"restore\"", "json"),
            ("{\"restore\"", "[{\"restore\"", "json"),
            ("{\"restore\"", "{\"updates\": {}, \"restore\"", "duplicate_member"),
            ("\"restore\": \"https://api.example/restore\",", "", "missing"),
            ("\"url\": \"https://api.example/updates\", ", "", "missing"),
            (", \"pollingInterval\": 24", "", "missing"),
            ("\"dynamicLicenseURL\": \"https://api.example/license\", ", "", "missing"),
            ("\"https://api.example/restore\"", "[\"https://api.example/restore\"]", "type"),
            ("{\"url\": \"https://api.example/updates\", \"pollingInterval\": 24}", "\"https://api.example\"", "type"),
            ("\"https://api.example/restore\"", "\"/restore\"", "url"),
            ("\"https://api.example/restore\"", "\"//api.example/restore\"", "url"),
            ("\"https://api.example/restore\"", "\"https:///restore\"", "url"),
            ("\"https://api.example/restore\"", "\"https://api.example/re store\"", "url"),
            ("https://api.example/restore", "http://api.example/restore", "https"),
            ("https://api.example/restore", "https://me:pass@api.example/restore", "url_user"),
            ("https://api.example/restore", "https://api.example/restore#top", "url_fragment"),
            ("24", "24.5", "polling_number"), ("24", "\\\"24\\\"", "json"), ("24", "\"24\"", "polling_number"),
            ("24", "0", "polling_number"), ("24", "-1", "polling_number"), ("24", "43200", "polling_seconds"),
            ("24", "8761", "polling_seconds"), ("24", "8760", "polling_long"), ("24", "169", "polling_long"),
            ("{\"restore\"", "{\"overridesByAppleItemID\": {\"game\": \(configuration)}, \"restore\"", "override_name"),
            ("{\"restore\"", "{\"overridesByAppleItemID\": {\"0123\": \(configuration)}, \"restore\"", "override_name"),
            (
                "{\"restore\"",
                "{\"overridesByAppleItemID\": {\"1\": {\"restore\": \"https://a.example\"}}, \"restore\"",
                "override_partial"
            ),
            ("{\"restore\"", "{\"overridesByAppleItemID\": [], \"restore\"", "type"),
            ("{\"restore\"", "{\"restores\": \"https://api.example/restore\", \"restore\"", "unknown_member"),
            (",\n  \"licenseResolutionURL\": \"https://mart.example/resolve\"", "", "no_resolution"),
        ].map { Fault(kind: .configuration, text: $0.0, by: $0.1, rule: "config.\($0.2)") }

    private static let manifests: [Fault] =
        [
            ("{\"appleItemId\"", "\u{FEFF}{\"appleItemId\"", "bom"), ("\"deltas\": [", "\"deltas\": [,", "json"),
            ("\"bundleVersion\": \"1\"", "\"bundleVersion\": \"1\", \"bundleVersion\": \"1\"", "duplicate_member"),
            ("\"bundleId\": \"com.example.game\", ", "", "member"),
            ("\"com.example.game\"", "\"\"", "text"), ("\"appleItemId\": \"1\"", "\"appleItemId\": \"one\"", "id"),
            ("\"publicId\": \"00000001-0000-4000-8000-0000000000ab\"", "\"publicId\": \"variant-1\"", "uuid"),
            ("\"compressedSize\": 10", "\"compressedSize\": 1125899906842625", "size"),
            ("\"compressedSize\": 5", "\"compressedSize\": 0", "size"),
            ("\"variant/00000001", "\"variants/00000001", "path"), ("\"ios\": \"17.4\"", "\"ios\": \"new\"", "system"),
            ("[\"ios\"]", "[\"macos\"]", "platform"),
            ("[{\"device\": \"iPhone14,8\", \"os\": \"17.4\"}],\n   \"v", "[],\n   \"v", "count"),
            (
                "\"17.4\"}],\n   \"variantD",
                "\"17.4\"}, {\"device\": \"iPhone14,8\", \"os\": \"17.4\"}],\n   \"variantD", "target_twice"
            ),
            (
                "\"publicId\": \"00000002-0000-4000-8000-0000000000cd\"",
                "\"publicId\": \"00000001-0000-4000-8000-0000000000ab\"", "asset_twice"
            ),
            ("\"appleVersionId\": \"1\"", "\"appleVersionId\": \"2\"", "delta_loop"),
            (
                "\"targetVariantAssetPath\": \"variant/00000001", "\"targetVariantAssetPath\": \"variant/00000009",
                "delta_target"
            ),
            ("\"chunkSize\": 6", "\"chunkSize\": 3", "digests"), ("sha256", "md5", "digests"),
            ("[\"arm64\"]", "[64]", "capabilities"),
        ].map { Fault(kind: .manifest, text: $0.0, by: $0.1, rule: "manifest.\($0.2)") }

    private static let metadata: [Fault] =
        [
            ("{\"issuer\"", "\u{FEFF}{\"issuer\"", "bom"), ("\"S256\"]", "\"S256\"", "json"),
            ("{\"issuer\"", "{\"token_endpoint\": \"\", \"issuer\"", "duplicate_member"),
            ("\"issuer\": \"https://mart.example\", ", "", "missing"),
            (",\n \"grant_types_supported\"", ",\n \"grants\"", "missing"),
            ("\"https://mart.example/token\"", "7", "type"), ("[\"code\"]", "\"code\"", "type"),
            ("https://mart.example/token", "http://mart.example/token", "https"),
            ("https://mart.example/token", "/token", "https"), ("S256", "5256", "s256"),
            ("[\"S256\"]", "[\"S256\", \"plain\"]", "plain"), ("[\"code\"]", "[\"token\"]", "code_response"),
            ("[\"authorization_code\"]", "[\"password\"]", "code_grant"),
        ].map { Fault(kind: .oauth, text: $0.0, by: $0.1, rule: "oauth.\($0.2)") }

    static func right(_ kind: LintKind) -> String {
        switch kind {
        case .configuration: configuration
        case .manifest: manifest
        default: oauth
        }
    }
}
