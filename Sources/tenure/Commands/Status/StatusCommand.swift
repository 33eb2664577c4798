import TenureCommandLine
import TenureServer
import TenureStore

/// `tenure status`
enum StatusCommand {
    static let command = Command(
        "status", "Says what an installation holds, and which licenses are about to expire.",
        discussion: """
            A device tries about once to renew the license of an app, in its last day. Licenses that end soon and were \
            refused renewal stop an app: `tenure license list --apps` and `tenure license explain` say which and why.
            """,
        example: "tenure status --json",
        arguments: [SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let status = try await ReadStatus(store: installation.store, clock: installation.clock)()
        await installation.store.close()
        let page = StatusPage(
            status: status, version: Version.current, schema: MigrationID.allCases.last?.rawValue ?? "none",
            place: installation.folder.map { "sqlite, in \($0.path)" } ?? "postgres",
            hasVirtualClock: arguments[SharedOptions.clock] != nil)
        page.answer(asJSON: arguments[SharedOptions.json], on: console)
        return .done
    }
}
