import Synchronization
import TenureCommandLine

/// A stream that records the text written to it.
final class Transcript: TextSink {
    let isTerminal: Bool
    let columns: Int
    let problem: String?
    private let pieces = Mutex<[String]>([])

    init(isTerminal: Bool = false, columns: Int = 80, problem: String? = nil) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.problem = problem
    }

    /// The text of each write, in order.
    var writes: [String] { pieces.withLock(\.self) }

    var text: String { writes.joined() }

    func write(_ text: String) { pieces.withLock { $0.append(text) } }
}

/// A clock that moves only when a test moves it.
final class HandClock: Sendable {
    private let now = Mutex(Duration.zero)

    var elapsed: Duration { now.withLock(\.self) }

    func advance(by step: Duration) { now.withLock { $0 += step } }
}

extension Console {
    /// Creates a console that writes to transcripts and reads from a list of lines.
    static func recorded(
        answers: Transcript = Transcript(), notes: Transcript = Transcript(), isColoured: Bool = true,
        input: [String] = [], clock: HandClock = HandClock()
    ) -> Console {
        let lines = Lines(input)
        return Console(
            answers: answers, notes: notes, isColoured: isColoured, input: { lines.next() },
            elapsed: { clock.elapsed })
    }
}

private final class Lines: Sendable {
    private let rest: Mutex<ArraySlice<String>>

    init(_ lines: [String]) { rest = Mutex(lines[...]) }

    func next() -> String? { rest.withLock { $0.popFirst() } }
}
