import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The command group `tenure store`.
enum StoreCommands {
    private static let isSure = Argument.flag("yes", "Don't ask before the loss is settled.")
    private static let carryFrom: Argument<StoreAddress?> = .optional(
        "carry-from", "STORE", "Take over what was lost from this store, which has it and is only read.",
        as: .storeAddress)

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
                many there are.

                If the lost state still exists, such as the former primary's database, name it with --carry-from. From \
                the last event that both have, withdrawals and what was issued are taken over from it, as by `tenure \
                restore --carry-from STORE --carry-issued`, and listed. Servers may run meanwhile. What this store has \
                changed itself since stays and is listed as left behind; but what was revoked, suspended or released in \
                the lost state is so afterwards. STORE may be a standby and is only read: postgres://USER@HOST/NAME, or \
                sqlite:PATH. If the command is interrupted, repeat it.

                Without --carry-from, this command accepts the loss: licenses that were issued since are gone, and what \
                was revoked since is valid again. Compare your own records with the store first.

                Servers notice the settlement within seconds. With --yes, they also accept a database then that they \
                refused because its timeline is older than one that they have used, such as an image of the disk that \
                was put back on purpose.
                """,
            example: "tenure store recovered --carry-from postgres://tenure@old.example/tenure --store "
                + "postgres://tenure@db.example/tenure",
            arguments: [carryFrom, isSure, SharedOptions.json] + SharedOptions.installation,
            output: Recovery.output
        ) { arguments, console in
            let installation = try await installations.openEvenOlder(arguments, console: console)
            var recovery = Recovery(of: installation, isSure: arguments[isSure])
            if let source = arguments[carryFrom] {
                try await recovery.carry(from: source, by: installations.engines, console: console)
            } else {
                try await recovery.accept(console)
            }
            await installation.store.close()
            return recovery.report(asJSON: arguments[SharedOptions.json], on: console)
        }
    }
}
