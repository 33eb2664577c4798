extension LintRule {
    private static let assembled = "Apple, assembling an alternative distribution package"

    static let package: [LintRule] = [
        LintRule(
            "package.manifest", .error, "The folder has no readable manifest.",
            fix: "Put manifest.json next to the asset folders.", source: assembled),
        LintRule(
            "package.missing", .error, "A file is missing.", fix: "Fetch it. Devices refuse a package without it.",
            source: assembled),
        LintRule(
            "package.extra", .error, "A file is not listed in the manifest.",
            fix: "Remove it from the package.", source: assembled),
        LintRule(
            "package.other_case", .error, "A file name differs only in upper and lower case.",
            fix: "Rename the file.", source: assembled),
        LintRule(
            "package.kind", .error, "An entry is a link, a folder or not a regular file.",
            fix: "Replace it with a regular file.", source: assembled),
        LintRule(
            "package.size", .error, "A file is empty or doesn't have the size in the manifest.",
            fix: "Fetch it again.", source: assembled),
        LintRule(
            "package.chunk", .error, "The bytes of an asset don't match the digests in the manifest.",
            fix: "Fetch it again.", source: assembled),
        LintRule(
            "package.signature_unchecked", .note, "The signature was not checked.",
            fix: "Only devices can check it. Keep the signature file as fetched.", source: assembled),
    ]

    /// Returns the package rule with this name, such as `missing`; `nil` if it doesn't exist.
    static func package(_ name: String) -> LintRule? { package.first { $0.id == "package.\(name)" } }
}
