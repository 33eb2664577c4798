extension LintRule {
    private static let assembled = "Apple, assembling an alternative distribution package"

    static let package: [LintRule] = [
        LintRule(
            "package.manifest", .error, "The folder has no manifest that can be read.",
            fix: "Put manifest.json beside the folders of assets.", source: assembled),
        LintRule(
            "package.missing", .error, "A file is missing.", fix: "Fetch it: devices refuse a package without it.",
            source: assembled),
        LintRule(
            "package.extra", .error, "A file is not named by the manifest.",
            fix: "Take it out: devices refuse a package with it.", source: assembled),
        LintRule(
            "package.other_case", .error, "A file's name differs in the case of its letters.",
            fix: "Rename it: case counts.", source: assembled),
        LintRule(
            "package.kind", .error, "Something is a link, a folder or no regular file.",
            fix: "Put a regular file in its place.", source: assembled),
        LintRule(
            "package.size", .error, "A file has another size than the manifest says, or none.",
            fix: "Fetch it again.", source: assembled),
        LintRule(
            "package.chunk", .error, "The bytes of an asset are not those that the manifest has digests of.",
            fix: "Fetch it again.", source: assembled),
        LintRule(
            "package.signature_unchecked", .note, "The signature was not checked.",
            fix: "Only devices can check it; leave its bytes as they were fetched.", source: assembled),
    ]

    /// The package rule with this name, such as `missing`; `nil` if it doesn't exist.
    public static func package(_ name: String) -> LintRule? { package.first { $0.id == "package.\(name)" } }
}
