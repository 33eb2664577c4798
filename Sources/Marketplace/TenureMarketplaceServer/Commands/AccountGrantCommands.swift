import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The commands `tenure account grant` and `tenure account end`.
enum AccountGrantCommands {
    private static let item = Argument.required("item", "ITEM", "The app's appleItemID.", as: .item)
    private static let options = AppGrantField.all.map(\.option)
    private static let again = Argument.flag(
        "again", "Grant it anew, so that devices whose license was revoked may request a new one.")

    static func grant(_ installations: Installations) -> Command {
        Command(
            "grant", "Grants an account the use of an app.",
            discussion: """
                Devices of the account get licenses of the app at their next request. A grant that has ended is opened \
                again. Repeating the command changes nothing, except with --again.
                """,
            example: "tenure account grant ada --item 6483539426 --until 2027-01-31",
            arguments: [AccountReference.id, item] + options + [again, AccountReference.tenant, SharedOptions.json]
                + SharedOptions.installation,
            output: AppGrant.document.output()
        ) { arguments, console in
            try await perform(installations, arguments, console) { context, ref in
                try await context.grantApp(
                    arguments[item], to: ref, options.compactMap { arguments[$0] }, again: arguments[again],
                    by: .commandLine)
            }
        }
    }

    static func end(_ installations: Installations) -> Command {
        Command(
            "end", "Ends an account's grant of an app.",
            discussion: """
                No new licenses are issued and existing ones are not renewed. Each device stops when its license \
                expires, or earlier if it requests a renewal. Repeating the command changes nothing.
                """,
            example: "tenure account end ada --item 6483539426",
            arguments: [AccountReference.id, item, AccountReference.tenant, SharedOptions.json]
                + SharedOptions.installation,
            output: AppGrant.document.output()
        ) { arguments, console in
            try await perform(installations, arguments, console) { context, ref in
                try await context.endAppGrant(arguments[item], of: ref, by: .commandLine)
            }
        }
    }

    private static func perform(
        _ installations: Installations, _ arguments: Parsed, _ console: Console,
        _ act: (MarketplaceContext, AccountRef) async throws -> AppGrantOutcome
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let market = try await installation.marketplace()
        let ref = try AccountReference.read(arguments, in: market.catalog)
        let outcome = try await act(market, ref)
        if case .unknownAccount = outcome { throw try await AccountReference.missing(ref, in: installation.store) }
        await installation.store.close()
        switch outcome {
        case .done(let grant, let changed):
            if !changed { console.note("nothing changed: this was already done") }
            if let end = grant.term.end, end <= installation.clock.now(), grant.endedAt == nil {
                console.warn("the grant's end has passed, so no device gets a license; give a later --until")
            }
            let status =
                grant.endedAt.map { "ended on \($0.local)" } ?? grant.term.end.map { "granted until \($0.local)" }
                ?? "granted without an end"
            console.answer("\(ref) \(grant.item): \(status)", asJSON: arguments[SharedOptions.json]) {
                $0.appGrant(grant, at: installation.clock.now())
            }
            return .done
        case .refused(let refusal):
            console.answer(refusal: refusal, asJSON: arguments[SharedOptions.json])
            return .failed
        case .unknownAccount:
            throw AccountReference.unknown(ref)
        }
    }
}
