import TenureMarketplace
import TenureFormats

extension LintRule {
    private static let manifestPage = "Apple, the manifest of an alternative distribution package"

    private static func reader(_ rule: String, _ sentence: String, fix: String) -> LintRule {
        LintRule("manifest.\(rule)", .error, sentence, fix: fix, source: manifestPage)
    }

    static let manifest: [LintRule] =
        json("manifest") + [
            reader(
                "member", "A member is missing or of another type.",
                fix: "Fetch the manifest again from App Store Connect."),
            reader("text", "A text is empty, longer than 256 bytes, or has control characters.", fix: "Correct it."),
            reader("id", "An id is no number of Apple's.", fix: "Write it in digits."),
            reader("uuid", "The name of an asset is no UUID.", fix: "Name it as App Store Connect does."),
            reader("size", "A size is no number of bytes from 1 to 2^50.", fix: "Write the bytes of the asset."),
            reader("path", "An asset lies elsewhere than devices look for it.", fix: "Put it where the message says."),
            reader("system", "A system's version cannot be read.", fix: "Write it like 17.4."),
            reader("platform", "No iOS device could install it.", fix: "List \"ios\" under platforms."),
            reader("count", "There are none, or too many of something.", fix: "Keep to the count that is told."),
            reader(
                "target_twice", "Two variants are for one device and system.", fix: "Leave each target in one variant."),
            reader("asset_twice", "Two assets have one name.", fix: "Give each a name of its own."),
            reader("delta_loop", "A delta leads from the version itself.", fix: "Name the older version."),
            reader("delta_target", "A delta leads to no variant.", fix: "Name the path of a variant."),
            reader(
                "digests", "The digests cannot be those of the asset's chunks.",
                fix: "Make them anew, or leave all out."),
            reader(
                "capabilities", "requiredDeviceCapabilities are no list of texts.", fix: "List texts such as \"arm64\"."
            ),
        ]
}

/// Checks a package's manifest: everything that the server's own parser rejects, and some things it ignores.
///
/// The parser stops at the first error, so only one of its errors is reported at a time.
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
        let parts = message.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "the member " else { return "" }
        return parts[1].hasPrefix("/") ? String(parts[1]) : "/\(parts[1])"
    }

    private static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + "."
    }
}
