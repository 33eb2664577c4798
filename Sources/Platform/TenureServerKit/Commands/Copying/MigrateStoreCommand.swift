import Synchronization
import TenureCommandLine
import TenureCrypto
import TenureFormats
import TenureStore

/// The command `tenure migrate-store`.
enum MigrateStoreCommand {
    private static let from = Argument.required("from", "STORE", "The store to copy.", as: .storeAddress)
    private static let to = Argument.required(
        "to", "STORE", "An empty store, or an interrupted copy of the same source.", as: .storeAddress)
    private static let whileServing = Argument.flag(
        "while-serving", "Copy while servers are running; changes they make meanwhile are not copied.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "migrate-store", "Copies a whole store to another one, on either engine, and compares the two.",
            discussion: """
                STORE is sqlite:PATH, where PATH is a data folder or a database file, or postgres://USER@HOST/NAME. Put \
                a password in a PGPASSFILE. To move a store, stop all servers of the source first. The source is not \
                changed. The target must be empty. After an interruption, run the same command again to finish the \
                copy; no server starts on the target until then.

                Rows are counted and a SHA-256 digest of each part is computed while the source is read. Then the \
                target is read and must match; otherwise the command exits with 1. Neither store contains the master \
                key, so the new store needs the old one's key file.
                """,
            example: "tenure migrate-store --from sqlite:./tenure-data --to postgres://tenure@db.example/tenure",
            arguments: [from, to, whileServing, SharedOptions.json],
            output: Schema.output([("part", .text()), ("rows", .integer()), ("sha256", .text())])
        ) { arguments, console in
            let (from, to) = (arguments[from], arguments[to])
            guard from != to else { throw UsageError("--from and --to name the same store") }
            let source = try await installations.engines.openSource(from, whileServing: arguments[whileServing])
            let target = try await installations.engines.openTarget(to)
            let bars = CopyBars(on: console)
            let outcome = try await CopyStore(from: source, to: target, tables: installations.engines.schema.tables)
                .copy(report: bars.show)
            bars.finish()
            await target.close()
            await source.close()
            let parts = try outcome.parts(from: "\(from)", to: "\(to)", on: console)
            console.answer(copied: parts, asJSON: arguments[SharedOptions.json])
            if case .alreadyThere = outcome {
                console.note("\(to) already contains all of \(from); nothing was written")
            } else {
                console.note("copied \(from) to \(to); both have the same content")
                console.note(
                    "neither store contains the master key: use the old store's key file with the new one (--master-key-file FILE)"
                )
            }
            return .done
        }
    }
}

extension Console {
    /// Prints the number of rows and the digest of each part of a copied store.
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
                body.member("sha256", hex: part.digest)
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
                    "\(wanted.part): copied \(wanted.rows.grouped) \(wanted.rows.plural("row")) (\(wanted.prefix)), "
                        + "found \(kept.rows.grouped) (\(kept.prefix))")
            }
            throw CommandError(
                "\(to) differs from \(from) after the copy, so no server will start on it. Make sure that nothing else "
                    + "writes to either store, empty the target, and run the command again.")
        case .sourceIsUnfinished:
            throw CommandError(
                "\(from) is itself an interrupted copy. Finish that copy first, or copy from its source.")
        case .targetIsTaken:
            throw CommandError("\(to) already contains other data and was not changed. Choose an empty store.")
        case .targetIsAnotherCopy:
            throw CommandError(
                "\(to) is an interrupted copy of another store and was not changed. Finish that copy, or choose an empty store."
            )
        }
    }
}

extension PartDigest {
    /// The first digits of the digest, enough for a person to compare.
    fileprivate var prefix: String { String(Hex.encode(digest).prefix(12)) }
}

/// The progress bars of a copy, one for each step.
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

    /// Finishes the last bar, so that further output begins on a new line.
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
