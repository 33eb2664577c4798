import Synchronization
import TenureCommandLine
import TenureCrypto
import TenureFormats
import TenureServer
import TenureStore

/// The command `tenure migrate-store`.
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

extension Console {
    /// Prints the number of rows and the digest of each part.
    func answer(copied parts: [PartDigest], asJSON: Bool) {
        guard asJSON else {
            var table = TextTable([.text("part"), .number("rows"), .text("sha-256")])
            for part in parts { table.add([part.part, part.rows.grouped, part.prefix]) }
            table.add(["all", parts.reduce(0) { $0 + $1.rows }.grouped])
            return answer(table)
        }
        for part in parts {
            answer { body in
                body.member("part", part.part)
                body.member("rows", part.rows)
                body.member("sha256", Hex.encode(part.digest))
            }
        }
    }
}

extension CopyStore.Outcome {
    /// Returns the parts that both stores contain; throws with a remedy if the stores differ.
    func parts(from: String, to: String, on console: Console) throws(CommandError) -> [PartDigest] {
        switch self {
        case .copied(let parts), .alreadyThere(let parts):
            return parts
        case .differs(let wanted, let kept):
            for (wanted, kept) in zip(wanted, kept) where wanted != kept {
                console.fail(
                    "\(wanted.part): \(wanted.rows.grouped) rows (\(wanted.prefix)) were copied, "
                        + "\(kept.rows.grouped) (\(kept.prefix)) are there")
            }
            throw CommandError(
                "\(to) differs from \(from) after the copy, and no server will start on it. Make sure that nobody else "
                    + "writes to either, empty the target, and run this again.")
        case .sourceIsUnfinished:
            throw CommandError(
                "\(from) is itself a copy that was interrupted. Finish that one first, or name its source.")
        case .targetIsTaken:
            throw CommandError("\(to) holds something else already, and was not touched. Name an empty store.")
        case .targetIsAnotherCopy:
            throw CommandError(
                "\(to) is an interrupted copy of another store, and was not touched. Finish that one, or name an empty store."
            )
        }
    }
}

extension PartDigest {
    /// The first digits of the digest, enough for a person to compare.
    fileprivate var prefix: String { String(Hex.encode(digest).prefix(12)) }
}

/// The progress bars of a copy: one for copying rows, one for comparing them.
final class CopyBars: Sendable {
    private struct Bar {
        let step: CopyStore.Step
        let progress: Progress
        var done = 0
    }

    private let console: Console
    private let bar = Mutex<Bar?>(nil)

    init(on console: Console) { self.console = console }

    /// Shows the progress of a step; a new step starts a new bar.
    @Sendable func show(_ step: CopyStore.Step, done: Int, total: Int) {
        bar.withLock { bar in
            if bar?.step != step {
                bar?.progress.finish()
                bar = Bar(step: step, progress: console.progress(step.label, total: total))
            }
            guard let shown = bar else { return }
            shown.progress.advance(by: done - shown.done)
            bar?.done = done
        }
    }

    /// Leaves the last bar on a line of its own.
    func finish() {
        bar.withLock { bar in
            bar?.progress.finish()
            bar = nil
        }
    }
}

extension CopyStore.Step {
    fileprivate var label: String {
        switch self {
        case .copying: "copying"
        case .comparing: "comparing"
        }
    }
}
