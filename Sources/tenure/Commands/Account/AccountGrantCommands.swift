import TenureLicensing
import TenureMarketplace
import TenureCommandLine
import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The commands `tenure account grant` and `tenure account end`.
enum AccountGrantCommands {
    private static let item = Argument.required("item", "ITEM", "The app's appleItemID.", as: .item)
    private static let until: Argument<TermEnd?> = .optional(
        "until", "DATE", "When the grant ends, or never; without it an open grant's end stays.", as: .end)
    private static let again = Argument.flag(
        "again", "Grant anew: devices whose license was revoked may ask for a new one.")

    static let grant = Command(
        "grant", "Gives an account the right to an app.",
        discussion: """
            Devices of the account get licenses of the app at their next request. A grant that was ended or is over is \
            opened again. Repeating it changes nothing, except with --again.
            """,
        example: "tenure account grant ada --item 6483539426 --until 2027-01-31",
        arguments: [AccountReference.id, item, until, again, AccountReference.tenant, SharedOptions.json]
            + SharedOptions.installation
    ) { arguments, console in
        try await perform(arguments, console) { grant, ref in
            try await grant(
                arguments[item], to: ref, until: arguments[until], again: arguments[again], by: .commandLine)
        }
    }

    static let end = Command(
        "end", "Ends an account's right to an app.",
        discussion: """
            No new licenses are issued, and its licenses are refused renewal: each device stops at the end of the license \
            that it has, or when it asks earlier. Repeating it changes nothing.
            """,
        example: "tenure account end ada --item 6483539426",
        arguments: [AccountReference.id, item, AccountReference.tenant, SharedOptions.json]
            + SharedOptions.installation
    ) { arguments, console in
        try await perform(arguments, console) { grant, ref in
            try await grant.end(arguments[item], of: ref, by: .commandLine)
        }
    }

    private static func perform(
        _ arguments: Parsed, _ console: Console, _ act: (GrantApp, AccountRef) async throws -> GrantApp.Outcome
    ) async throws -> ExitCode {
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog()
        let ref = try AccountReference.read(arguments, in: catalog)
        let outcome = try await act(GrantApp(catalog: catalog, clock: installation.clock), ref)
        await installation.store.close()
        switch outcome {
        case .done(let grant, let changed):
            if !changed { console.note("nothing changed: it was so already") }
            let standing =
                grant.endedAt.map { "ended on \($0)" } ?? "granted until \(grant.term.end?.description ?? "never")"
            console.answer("\(ref) \(grant.item): \(standing)", asJSON: arguments[SharedOptions.json]) {
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

extension ArgumentReading where Value == AppleItemID {
    /// Reads Apple's number of an app.
    static var item: ArgumentReading {
        ArgumentReading { text throws(UsageError) in
            guard let item = AppleItemID(text: text) else {
                throw UsageError("write the app's appleItemID, such as 6483539426")
            }
            return item
        }
    }
}
