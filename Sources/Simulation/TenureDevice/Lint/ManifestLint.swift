import TenureCore
import TenureFormats
import TenureMarketplace

extension LintRule {
    private static let manifestPage = "Apple, the manifest of an alternative distribution package"

    private static func reader(_ rule: String, _ sentence: String, fix: String) -> LintRule {
        LintRule("manifest.\(rule)", .error, sentence, fix: fix, source: manifestPage)
    }

    static let manifest: [LintRule] =
        json("manifest") + [
            reader(
                "member", "A field is missing or has the wrong type.",
                fix: "Fetch the manifest again from App Store Connect."),
            reader(
                "text", "A string is empty, longer than 256 bytes, or contains control characters.", fix: "Correct it."),
            reader("id", "An id is not an Apple id.", fix: "Write it in digits."),
            reader("uuid", "The name of an asset is not a UUID.", fix: "Use the name from App Store Connect."),
            reader("size", "A size is not a number of bytes from 1 to 2^50.", fix: "Use the asset's size in bytes."),
            reader("path", "An asset is not where devices look for it.", fix: "Move it to the path in the message."),
            reader("system", "A system version is invalid.", fix: "Write it like 17.4."),
            reader("platform", "No iOS device can install it.", fix: "List \"ios\" under platforms."),
            reader("count", "A list is empty or too long.", fix: "Stay within the limit in the message."),
            reader(
                "target_twice", "Two variants are for the same device and system.",
                fix: "Keep each target in one variant only."),
            reader("asset_twice", "Two assets have the same name.", fix: "Give each asset a unique name."),
            reader("delta_loop", "A delta updates from the version itself.", fix: "Use the older version."),
            reader("delta_target", "A delta doesn't belong to a variant.", fix: "Use the path of a variant."),
            reader(
                "digests", "The digests don't fit the asset's chunks.",
                fix: "Compute them again, or remove all of them."),
            reader(
                "capabilities", "requiredDeviceCapabilities is not a list of strings.",
                fix: "List strings such as \"arm64\"."
            ),
        ]
}

/// Checks a package's manifest for all errors that the server's parser rejects, and for some mistakes that it accepts.
///
/// The parser stops at the first error, so only one of the parser's errors is reported at a time.
enum ManifestLint {
    static func findings(in text: [UInt8]) -> [LintFinding] {
        var findings: [LintFinding] = []
        do throws(FormatError) {
            _ = try PackageManifest(parsing: text)
        } catch {
            if let cause = error.cause { return [LintedFile.faulty(cause, "manifest", in: text)] }
            let rule = error.rule ?? (error.code == .malformed ? "json" : "member")
            findings.append(
                LintFinding(.named("manifest.\(rule)"), at: pointer(in: error.message), sentence(error.message)))
        }
        if let root = try? FlatObject(scanning: text) {
            switch root.strings("requiredDeviceCapabilities") {
            case .value, .absent, .null: break
            case .wrongType:
                findings.append(
                    LintFinding(.named("manifest.capabilities"), at: "/requiredDeviceCapabilities"))
            }
        }
        return findings
    }

    /// The JSON pointer that the parser's message contains in quotes.
    private static func pointer(in message: String) -> String {
        let parts = message.split(atByte: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "the field " else { return "" }
        return parts[1].hasPrefix("/") ? String(parts[1]) : "/\(parts[1])"
    }

    private static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + "."
    }
}
