/// The checker's page, `Documentation/conformance.md`; its tables are generated from the checks.
enum ConformancePage {
    /// The page as Markdown.
    static let text = """
        # Conformance

        For anyone who runs a marketplace server: `tenure conformance URL` finds out where it deviates from Apple's pages and the RFCs. It sends the requests of a device, and those of a broken device, and checks each response.

        ```sh
        tenure conformance http://127.0.0.1:8080 --item 6483539426
        tenure conformance https://market.example --contact ops@shop.example --json
        tenure conformance https://market.example --mode full --i-run market.example --item 6483539426 --html report.html
        ```

        **Read mode** works with any server, and is the default unless the server is on this machine. It sends only GET and HEAD, one request per second and at most 120. It reads one KiB of an asset, follows no redirects, and requests no license, renewal or token. It identifies itself as `User-Agent: tenure-conformance/VERSION`, with the value of `--contact`. `--ask-updates` adds one request for updates and one for a restore. **Full mode** runs all checks below, including invalid envelopes, invalid tokens and used codes. It needs the domain again as confirmation (`--i-run`), except on this machine, where it doesn't wait between requests.

        The options decide which checks can run; a check that can't run is skipped with the cause.

        | option | without it |
        |---|---|
        | `--domain D` | the URL's host is the domain; URLs of the domain are requested from URL |
        | `--item I` | only an unknown app is restored, updated or licensed |
        | `--version V` | the newest that `updates` offers to a device with version 0; updates from the newest version are requested in any case |
        | `--package BASE_URL` | the package URL is taken from a restore |
        | `--token-file F` | no token is sent; 401 isn't checked |
        | `--account A --password-file F` | no sign-in; codes and refresh tokens aren't checked |
        | `--public-key FILE` | signatures of install tokens aren't verified |

        A token is sent to the domain and, over https, to hosts in the configuration. For a remote server, no request goes to addresses of private networks. In full mode, licenses are granted to a device that doesn't exist, and renewed; they count against a device limit until they expire. Runs use one device for each server and account, so a second run doesn't add a second device. The report lists it under `left` with all licenses that it got, for a Tenure server with the commands that release it: `tenure license return LICENSE`. On other servers it stays until its license expires. Full mode also downloads an asset, at most 16 MiB of it, and compares its first and last chunk with the manifest's digests, and ranges with the whole file. The content of requests and licenses is the [simulation](formats.md#simulated-license); if a server uses Apple's own format, checks beyond the envelope are skipped.

        The exit code is 0 if no error was found, 1 if one was found, and 2 for invalid usage or if nothing responds. `--json` prints `{"target", "mode", "checks": [{"id", "title", "severity", "result", "cause", "sent", "received", "expected", "source", "fix"}], "left": {"device", "licenses", "note"}, "summary": {"pass", "fail", "skip"}}`, without `left` if nothing was granted. `result` is `pass`, `fail` or `skip`; programs branch on `id`. `sent` is a method and a URL; a report never contains tokens, codes or bodies. `--html FILE` writes a single page without scripts.

        This page is generated: `TENURE_WRITE_COPIES=1 swift test --filter ConformanceRegisterTests`.


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
