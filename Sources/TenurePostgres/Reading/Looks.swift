import TenureSQL
import TenureStore
import TenureThreads

/// The look lane: few rows by keys and sets, for which every request waits.
///
/// Its threads, each over a connection of its own, read nothing that may take longer: that is for a ``SessionLane``.
/// Looks of one form that wait go together, in one round trip.
final class Looks: Sendable {
    private let crew = Crew(LookQueue())

    /// Starts the threads; each connects when it first has something to read.
    init(_ address: Address, _ settings: SessionSettings, threads: Int) throws(StoreError) {
        do throws(ThreadError) {
            try crew.start(threads: threads) { [crew] in
                let session = Session(address, settings)
                while let group = crew.next({ queue in queue.next() }) { group.run(on: session) }
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Has a thread look, together with others that wait with the same form.
    func run(_ asked: Asked) async throws(StoreError) -> Seen {
        let deadline = Deadline.current
        return try await withCheckedContinuation { caller in
            let waiting = WaitingLook(asked: asked, deadline: deadline, caller: caller)
            if crew.add({ queue in queue.add(waiting) }) == nil { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Does what is queued, then ends the threads.
    func stop() async { await crew.stop() }
}

/// What waits for the threads of the look lane.
struct LookQueue {
    /// Looks that go together.
    private struct Line {
        let form: FormShape
        var waiting: [WaitingLook]
    }

    /// By form, in the order in which the first of each came.
    private var first: [Line] = []
    private var others: [Line] = []
    private var turnsOfFirst = 0

    mutating func add(_ look: WaitingLook) {
        if look.asked.form.goesFirst { Self.add(look, to: &first) } else { Self.add(look, to: &others) }
    }

    /// Takes the next looks off, all of one form; nil when there are none.
    ///
    /// Forms that go first do, validations above all, for devices ask nothing more often; the others at least every
    /// fourth turn. Within each the forms take turns. So none waits without end for a stream of another.
    mutating func next() -> LookGroup? {
        if !others.isEmpty, first.isEmpty || turnsOfFirst >= Self.patience {
            turnsOfFirst = 0
            return Self.take(from: &others)
        }
        if first.isEmpty { return nil }
        turnsOfFirst = others.isEmpty ? 0 : turnsOfFirst + 1
        return Self.take(from: &first)
    }

    private static func add(_ look: WaitingLook, to lines: inout [Line]) {
        if let place = lines.firstIndex(where: { $0.form === look.asked.form }) {
            lines[place].waiting.append(look)
        } else {
            lines.append(Line(form: look.asked.form, waiting: [look]))
        }
    }

    private static func take(from lines: inout [Line]) -> LookGroup {
        var line = lines.removeFirst()
        let group = Array(line.waiting.prefix(largestGroup))
        line.waiting.removeFirst(group.count)
        if !line.waiting.isEmpty { lines.append(line) }
        return LookGroup(waiting: group)
    }

    private static let largestGroup = 128
    private static let patience = 3
}
