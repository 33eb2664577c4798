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
        let parts = try outcome.parts(from: "\(from)", to: "\(to)", on: console)
        console.answer(copied: parts, asJSON: arguments[SharedOptions.json])
        if case .alreadyThere = outcome {
            console.note("\(to) holds all of \(from) already; nothing was written")
        } else {
            console.note("copied \(from) to \(to); both hold the same")
            console.note(
                "the master key is in neither store: give the new one the file of the old one, with --master-key-file FILE"
            )
        }
        return .done
    }
}
