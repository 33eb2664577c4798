
/// The checker's page, `Documentation/conformance.md`; its tables are generated from the checks.
package enum ConformancePage {
    /// The page as Markdown.
    package static let text = """
        # Conformance

        `tenure conformance URL` says what a marketplace's server does wrong, anyone's: it asks as a device does, and as one that is broken, and holds each answer against what Apple's pages and the RFCs say.

        ```sh
        tenure conformance http://127.0.0.1:8080 --item 6483539426
        tenure conformance https://market.example --contact ops@shop.example --json
        tenure conformance https://market.example --mode full --i-run market.example --item 6483539426 --html report.html
        ```

        **Read mode** is for anybody's server, and the default for every one that is not on this machine: GET and HEAD alone, one a second and at most 120, a KiB of an asset, no redirect followed, no license, renewal or token asked for, `User-Agent: tenure-conformance/VERSION`, with what `--contact` says. `--ask-updates` adds one question for updates and one for a restore. **Full mode** asks everything below, broken envelopes, bad bearers and codes that were used among it; it wants the domain typed again (`--i-run`), except on this machine. There it does not wait between questions.

        What is given to it decides how far it gets; what it cannot ask is skipped with the cause.

        | option | without it |
        |---|---|
        | `--domain D` | the URL's host is the domain; addresses of the domain are asked of URL |
        | `--item I` | nothing is restored, updated or licensed but an app that nobody has |
        | `--version V` | the newest that `updates` offers to a device that has version 0; updates from the newest are asked for whatever V is |
        | `--package BASE_URL` | the package is where a restore says |
        | `--token-file F` | no bearer is shown; 401 is not asked for |
        | `--account A --password-file F` | nobody signs in: codes and refresh tokens are not looked at |
        | `--public-key FILE` | signatures of install tokens are not verified |

        A bearer goes to the domain and, over https, to hosts that the configuration names; addresses of a private network are not asked for a server elsewhere. In full mode licenses are granted to a device that does not exist, and renewed: they count against a limit of devices until they end. Runs use one device for each server and account, so that a second run takes no second place; the report names it under `left`, with what frees it where the server is Tenure: `tenure license return LICENSE`. Elsewhere it stays until its license ends. Full mode also takes an asset, at most 16 MiB of it, and compares its first and last chunk with the manifest's digests, and parts with the whole. What is inside requests and licenses is the [simulation](formats.md#simulated-license); where a server speaks Apple's own format, the checks end at the envelope, as skips.

        It ends with 0 where no error was found, with 1 where one was, with 2 for wrong usage or where nothing answers. `--json` answers `{"target", "mode", "checks": [{"id", "title", "severity", "result", "cause", "sent", "received", "expected", "source", "fix"}], "left": {"device", "licenses", "note"}, "summary": {"pass", "fail", "skip"}}`, without `left` where nothing was granted, `result` one of `pass`, `fail` and `skip`; programs branch on `id`. `sent` is a method and an address: bearers, codes and bodies are in no report. `--html FILE` writes one page, without scripts.

        This page is printed from the program: `TENURE_WRITE_COPIES=1 swift test --filter ConformanceRegisterTests`.


        """ + families

    private static var families: String {
        var text = ""
        for family in ConformanceCheck.families {
            text += "## \(family.title)\n\n| id | severity | what | expected | what to do | source |\n"
            text += "|---|---|---|---|---|---|\n"
            for check in ConformanceCheck.all where check.family == family.name {
                // For a linter rule, the expected behavior is the same text as the fix.
                let expected = check.expected == check.fix ? "" : check.expected
                text += "| `\(check.id)` | \(check.severity.rawValue) | \(check.title) | \(expected) | \(check.fix) "
                text += "| \(check.source) |\n"
            }
            text += "\n"
        }
        return String(text.dropLast())
    }
}
