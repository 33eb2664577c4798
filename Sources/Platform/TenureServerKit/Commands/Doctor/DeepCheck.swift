import TenureCommandLine
import TenureStore

/// Reads every row of the store. Reports invalid rows and search texts that an earlier version folded differently.
enum DeepCheck {
    static func run(
        _ context: ConcernContext, _ file: MasterKeyFile, console: Console
    ) async -> [Finding] {
        do throws(StoreError) {
            let bar = Bar(console)
            let outcome = try await InspectStore(context.store, of: context.features).inspect(
                at: context.now, under: await master(file, of: context.store), report: bar.show)
            bar.finish()
            let faults = outcome.faults.map { fault in
                Finding.failure(
                    "damage", "\(fault.table), \(fault.row)\(fault.column.map { ": \($0)" } ?? ""): \(fault.sentence)",
                    cure: "")
            }
            let folds = staleFolds(outcome)
            guard !faults.isEmpty else {
                return folds + [.ok("rows", "read \(outcome.rows.of("row")); everything is consistent")]
            }
            let count = faults.count + outcome.further
            return faults + folds + [
                .failure(
                    "rows", "read \(outcome.rows.of("row")); found \(count.of("fault"))",
                    cure:
                        "A server never writes such rows. Find out whether the disk is faulty or another program has changed "
                        + "the store. Then restore a backup with `tenure restore FILE --replace`, which carries revocations "
                        + "over.")
            ]
        } catch {
            return [.failure("rows", error)]
        }
    }

    /// Warnings about rows that look-ups may miss, because an earlier version folded their texts differently.
    private static func staleFolds(_ outcome: InspectStore.Outcome) -> [Finding] {
        guard let last = outcome.staleFolds.last else { return [] }
        func sentence(_ row: String) -> String { "\(row): was folded by an earlier version, so a look-up may miss it" }
        return outcome.staleFolds.dropLast().map { .warning("fold", sentence($0), cure: "") } + [
            .warning("fold", sentence(last), cure: "`tenure apply FILE` folds such rows again, with any catalog file.")
        ]
    }

    /// Returns the master key; `nil` if its file can't be read, or if it belongs to another store.
    ///
    /// Without a master key, encrypted values aren't checked.
    private static func master(_ file: MasterKeyFile, of store: any Store) async -> MasterKey? {
        guard let key = try? file.read(), let state = try? await MasterKeyState.read(from: store),
            state.checkValue != nil
        else { return nil }
        return state.resolved(key)
    }

    /// A progress bar that appears once the number of rows is known.
    private final class Bar {
        private let console: Console
        private var progress: Progress?
        private var done = 0

        init(_ console: Console) { self.console = console }

        func show(_ done: Int, _ total: Int) {
            let progress = progress ?? console.progress("reading", total: total)
            progress.advance(by: done - self.done)
            (self.progress, self.done) = (progress, done)
        }

        func finish() { progress?.finish() }
    }
}
