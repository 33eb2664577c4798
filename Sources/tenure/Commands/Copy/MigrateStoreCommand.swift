import TenureCommandLine
import TenureServer
import TenureStore

/// `tenure migrate-store`
enum MigrateStoreCommand {
    private static let from = Argument.required("from", "STORE", "The store to copy.", as: .storeAddress)
    private static let to = Argument.required(
        "to", "STORE", "An empty store, or an interrupted copy.", as: .storeAddress)
    private static let whileServing = Argument.flag(
        "while-serving", "Copy although servers go on: what they do meanwhile is not in the copy.")

    static let command = Command(
        "migrate-store", "Copies a whole store into another one, of any engine, and compares the two.",
        discussion: """
            STORE is sqlite:PATH, where PATH is a data folder or a database file, or postgres://USER@HOST/NAME; a password \
            belongs in a PGPASSFILE. Stop all servers of the source before a move. The source is not changed. The target must be empty; after an interruption the same command finishes \
            the copy, and until then no server starts on it.

            Rows are counted and a SHA-256 digest of each part is computed while the source is read; then the target is \
            read and must come to the same. Exit code 1 when it does not. The master key is in neither store: the new \
            one needs the file of the old one.
            """,
        example: "tenure migrate-store --from sqlite:./tenure-data --to postgres://tenure@db.example/tenure",
        arguments: [from, to, whileServing, SharedOptions.json]
    ) { arguments, console in
        let (from, to) = (arguments[from], arguments[to])
        guard from != to else { throw UsageError("--from and --to name the same store") }
        let source = try await from.openSource(whileServing: arguments[whileServing])
        let target = try await to.openTarget()
        let bars = CopyBars(on: console)
        let outcome = try await CopyStore(from: source, to: target)(report: bars.show)
        bars.finish()
        await target.close()
        await source.close()
        return try tell(outcome, from, to, asJSON: arguments[SharedOptions.json], on: console)
    }

    private static func tell(
        _ outcome: CopyStore.Outcome, _ from: StoreAddress, _ to: StoreAddress, asJSON: Bool, on console: Console
    ) throws(CommandError) -> ExitCode {
        switch outcome {
        case .copied(let parts):
            console.answer(copied: parts, asJSON: asJSON)
            console.note("copied \(from) to \(to); both hold the same")
            console.note(
                "the master key is in neither store: give the new one the file of the old one, with --master-key-file FILE"
            )
        case .alreadyThere(let parts):
            console.answer(copied: parts, asJSON: asJSON)
            console.note("\(to) holds all of \(from) already; nothing was written")
        case .differs(let wanted, let kept):
            console.show(differences: wanted, kept)
            throw CommandError(
                "\(to) differs from \(from) after the copy, and no server will start on it. Make sure that nobody else "
                    + "writes to either, empty the target, and run this again.")
        case .sourceIsUnfinished:
            throw CommandError(
                "\(from) is itself a copy that was interrupted. Finish that one first, or name its source.")
        case .targetIsTaken:
            throw CommandError(
                "\(to) holds something else already, and was not touched. Name an empty store.")
        case .targetIsAnotherCopy:
            throw CommandError(
                "\(to) is an interrupted copy of another store, and was not touched. Finish that one, or name an empty store."
            )
        }
        return .done
    }
}
