/// The linter's page, `Documentation/lint.md`; its table is generated from the rules.
enum LintPage {
    /// The page as Markdown.
    static let text = """
        # Lint

        For anyone who runs a marketplace: `tenure lint PATH...` finds mistakes in its files. It checks a configuration (`/.well-known/marketplace-kit`), a package's manifest, the metadata of an authorization server, an install token, or a folder with an assembled package. It sends nothing and changes nothing.

        ```sh
        tenure lint marketplace-kit.json manifest.json
        tenure lint ./package --strict
        tenure lint token.jwt --public-key distribution.pem --json
        ```

        The kind of a file is detected from its fields, even in invalid JSON, and otherwise from its name; `--kind` sets it. For invalid JSON, the line and column are reported. The exit code is 0 if there is no error, 1 if there is one (with `--strict`, also for a warning) and 2 if something can't be read. `--json` prints `{"files": [{"path", "kind", "findings": [{"id", "severity", "pointer", "message", "fix", "source"}]}]}`; programs branch on `id`. `pointer` is a JSON pointer, for a package a path, and for a token `/header/...`, `/payload/...` or `/signature`.

        A manifest is parsed like on the server, which stops at the first error: correct it and run lint again. In a package, the bytes of assets are compared with their digests, or with their sizes if the manifest has no digests. Lint doesn't check that Apple signed a package, or that Apple knows the key of a token.

        This page is generated: `TENURE_WRITE_COPIES=1 swift test --filter LintTests`.


        """ + families

    private static var families: String {
        var text = ""
        for (family, rules) in Dictionary(grouping: LintRule.all, by: { $0.id.prefix { $0 != "." } }).sorted(by: {
            order($0.key) < order($1.key)
        }) {
            text += "## \(title(family))\n\n| id | severity | what | what to do | source |\n|---|---|---|---|---|\n"
            for rule in rules {
                text +=
                    "| `\(rule.id)` | \(rule.severity.rawValue) | \(rule.sentence) | \(rule.fix) | \(rule.source) |\n"
            }
            text += "\n"
        }
        return String(text.dropLast())
    }

    private static let titles = [
        ("config", "A configuration"), ("manifest", "A manifest"), ("oauth", "An authorization server"),
        ("token", "An install token"), ("package", "A package"),
    ]

    private static func order(_ family: Substring) -> Int { titles.firstIndex { $0.0 == family } ?? titles.count }
    private static func title(_ family: Substring) -> String { titles[order(family)].1 }
}
