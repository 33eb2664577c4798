/// The linter's page, `Documentation/lint.md`; its table is generated from the rules.
public enum LintPage {
    /// The page as Markdown.
    public static let text = """
        # Lint

        `tenure lint PATH...` says what is wrong with the files of a marketplace, anyone's: a configuration (`/.well-known/marketplace-kit`), a package's manifest, the metadata of an authorization server, an install token, or a folder as an assembled package. It sends nothing and changes nothing.

        ```sh
        tenure lint marketplace-kit.json manifest.json
        tenure lint ./package --strict
        tenure lint token.jwt --public-key distribution.pem --json
        ```

        A file's kind is recognized by its members, in broken JSON too, and otherwise by its name; `--kind` names it. Where the JSON is broken, line and column are reported. It ends with 0 where there is no error, with 1 where there is one (with `--strict`, also where there is a warning), with 2 where something cannot be read. `--json` answers `{"files": [{"path", "kind", "findings": [{"id", "severity", "pointer", "message", "fix", "source"}]}]}`; programs branch on `id`. `pointer` is a JSON pointer, in a package a path, in a token `/header/...`, `/payload/...` or `/signature`.

        A manifest is read by the server's own reader, which stops at the first thing that it refuses: mend that and look again. In a package the bytes of assets are compared with their digests; where a manifest has none, with their sizes. That Apple signed a package, and that the key of a token is the one that Apple knows, is not checked.

        This page is printed from the program: `TENURE_WRITE_COPIES=1 swift test --filter LintTests`.


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
