import Glibc

/// What a command talks through: answers on one stream, everything else on the other.
package struct Console: Sendable {
    private let answers: any TextSink
    private let notes: any TextSink
    private let isColoured: Bool
    private let input: @Sendable () -> String?
    private let elapsed: @Sendable () -> Duration

    /// Puts a console together.
    ///
    /// - Parameters:
    ///   - isColoured: Whether colour is wanted; it shows on a terminal only.
    ///   - input: The next line of standard input without its line break; nil at the end.
    ///   - elapsed: A clock that never goes back, from any starting point.
    package init(
        answers: any TextSink, notes: any TextSink, isColoured: Bool, input: @escaping @Sendable () -> String?,
        elapsed: @escaping @Sendable () -> Duration
    ) {
        self.answers = answers
        self.notes = notes
        self.isColoured = isColoured
        self.input = input
        self.elapsed = elapsed
    }

    /// The console of this process, to be made once, first thing.
    ///
    /// From here on SIGPIPE is ignored: a reader that goes away ends a command only when it was reading answers.
    package static func standard() -> Console {
        signal(SIGPIPE, SIG_IGN)
        let start = ContinuousClock.now
        return Console(
            answers: StreamSink(STDOUT_FILENO, endsWhenClosed: true),
            notes: StreamSink(STDERR_FILENO, endsWhenClosed: false),
            isColoured: (variable("NO_COLOR") ?? "").isEmpty,
            input: { readLine() },
            elapsed: { start.duration(to: .now) })
    }

    /// Whether a person watches the error output.
    package var isWatched: Bool { notes.isTerminal }

    /// Why answers were lost; nil when none were.
    package var answerProblem: String? { answers.problem }

    /// Writes a line, or several, of the answer.
    package func answer(_ text: String) { answers.write(text + "\n") }

    /// Writes many lines of the answer in few writes; control characters in them are spelled out.
    package func answer(lines: some Sequence<String>) { write(lines: lines.lazy.map(\.printable)) }

    private func write(lines: some Sequence<String>) {
        var chunk = ""
        for line in lines {
            chunk += line
            chunk += "\n"
            if chunk.utf8.count >= 65_536 {
                answers.write(chunk)
                chunk = ""
            }
        }
        if !chunk.isEmpty { answers.write(chunk) }
    }

    /// Writes a table of the answer; an empty one writes its headings. Rows may have a colour each, on a terminal.
    package func answer(_ table: TextTable, colours: [Emphasis?] = []) {
        guard isColoured && answers.isTerminal else { return write(lines: table.lines()) }
        let lines = table.lines { Emphasis.bold.applied(to: $0) }
        write(
            lines: lines.enumerated().map { index, line in
                guard index > 0, index <= colours.count, let colour = colours[index - 1] else { return line }
                return colour.applied(to: line)
            })
    }

    /// The same console for a program whose error output is a log's: notes, warnings and failures go there as plain
    /// texts, and no progress is drawn.
    package func noting(_ take: @escaping @Sendable (String) -> Void) -> Console {
        Console(answers: answers, notes: NoteSink(take), isColoured: false, input: input, elapsed: elapsed)
    }

    /// Writes a line for the person, not for a program.
    package func note(_ text: String) { notes.write(text + "\n") }

    /// Writes a line about something that deserves attention.
    package func warn(_ text: String) { note(painted(text, .yellow)) }

    /// Writes a line about a refusal or a failure.
    package func fail(_ text: String) { note(painted(text, .red)) }

    /// Colours a text for the error output, when that is a terminal and colour is wanted.
    package func painted(_ text: String, _ style: Emphasis) -> String {
        isColoured && notes.isTerminal ? style.applied(to: text) : text
    }

    /// The next line of standard input, for an argument given as `-`; nil at the end.
    package func readInputLine() -> String? { input() }

    /// Starts a progress bar on the error output; nothing shows unless that is a terminal.
    package func progress(_ label: String, total: Int) -> Progress {
        Progress(sink: notes, label: label, total: total, elapsed: elapsed)
    }

    /// Starts a line on the error output that is written anew in its place; nothing shows unless that is a terminal.
    package func liveLine() -> LiveLine { LiveLine(sink: notes, elapsed: elapsed) }
}

/// Hands each note on, without its line end.
private final class NoteSink: TextSink {
    let isTerminal = false
    let columns = 80
    let problem: String? = nil
    private let take: @Sendable (String) -> Void

    init(_ take: @escaping @Sendable (String) -> Void) { self.take = take }

    func write(_ text: String) { take(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}

/// How a text stands out on a terminal.
package enum Emphasis: Int, Sendable {
    /// Heavier letters.
    case bold = 1
    /// A failure or a refusal.
    case red = 31
    /// Success.
    case green = 32
    /// A warning.
    case yellow = 33

    func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
