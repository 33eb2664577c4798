import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The command group `tenure store`.
enum StoreCommands {
    private static let isSure = Argument.flag("yes", "Don't ask before the loss is settled.")

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "store", "Settles that the database returned to an older state.",
            example: "tenure store recovered --yes", commands: [recovered(installations)])
    }

    private static func recovered(_ installations: Installations) -> Command {
        Command(
            "recovered", "Settles that the database returned to an older state.",
            discussion: """
                After a failover without synchronous replication, or a recovery to a point in time, the database lacks \
                the last changes. Servers notice that by the events that are missing, and `tenure doctor` says how \
                many there are. This command accepts the loss: licenses that were issued since are gone, and what was \
                revoked since is valid again. Compare your own records with the store first.

                Servers notice the settlement within seconds. They also accept a database then that they refused because \
                its timeline is older than one that they have used, such as an image of the disk that was put back on \
                purpose.
                """,
            example: "tenure store recovered --yes --store postgres://tenure@db.example/tenure",
            arguments: [isSure, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("noticedAt", .momentOrNull), ("missingEvents", .integer())])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let store = installation.store
            let rewound = try await SettleRewound.record(in: store)
            if !arguments[isSure] {
                let message = rewound?.message ?? "No server has recorded that this store returned to an older state."
                try console.confirm(
                    "\(message) What was issued since is lost, and what was revoked since is valid again.",
                    orElse: "Nothing was settled.")
            }
            let missing = rewound?.missing ?? 0
            try await SettleRewound.settle(store)
            await store.close()
            console.answer(
                "settled; \(missing) missing \(missing == 1 ? "event is" : "events are") accepted as lost",
                asJSON: arguments[SharedOptions.json]
            ) { body in
                body.member("noticedAt", rewound?.noticedAt.description)
                body.member("missingEvents", missing)
            }
            return .done
        }
    }
}
