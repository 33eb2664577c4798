import TenureCommandLine
import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

/// The command `tenure intake catch-up`.
enum CatchUpCommand {
    private static let source = Argument.positional(
        "SOURCE", "The source in the catalog, with an \"apiKeyFile\".", as: ArgumentReading<SourceID>.slug())
    private static let since = Argument.required(
        "since", "DATE", "The date or time of the oldest messages to fetch.", as: ArgumentReading<Timestamp>.start)

    static func command(_ installations: Installations) -> Command {
        Command(
            "catch-up", "Fetches the messages that a payment provider sent since a date.",
            discussion: """
                The server reads the provider's list of events, and acts on those that didn't arrive. It does so \
                regularly on its own; use this command after restoring an old backup, or for a source that got its API \
                key later. Messages that arrived already change nothing. Stripe lists the events of 30 days, Paddle those \
                of 90. If no server is running, the messages are fetched once one runs.
                """,
            example: "tenure intake catch-up stripe --tenant acme --since 2027-01-15",
            arguments: [source, IntakeCommands.tenant, since, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("source", .text()), ("since", .dateTime)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let (tenant, since) = (arguments[IntakeCommands.tenant], arguments[since])
            let snapshot = try await installation.catalog().current
            _ = try snapshot.catalog.named(tenant)
            guard let source = snapshot.paymentSource(arguments[source], of: tenant) else {
                throw CommandError("The tenant \(tenant) has no source \(arguments[source]) in its \"intake\".")
            }
            guard source.apiKey != nil else {
                throw CommandError(
                    "The source \(source.id) has no API key, with which the messages are fetched. Add its \"apiKeyFile\" "
                        + "to the catalog, and run `tenure apply`.")
            }
            let now = installation.clock.now()
            guard since <= now else { throw CommandError("\(since.local) is in the future. Name an earlier date.") }
            let first = max(since, now.adding(days: -source.provider.listedDays))
            try await installation.context.requestCatchUp(of: source, tenant, since: since)
            await installation.store.close()
            console.answer(
                "the messages of \(source.id) since \(first.local) are due now", asJSON: arguments[SharedOptions.json]
            ) { body in
                body.member("source", source.id.text)
                body.member("since", first.description)
            }
            if first > since {
                console.note(
                    "the provider doesn't list events before \(first.local) any more; send older ones again from its "
                        + "dashboard")
            }
            return .done
        }
    }
}
