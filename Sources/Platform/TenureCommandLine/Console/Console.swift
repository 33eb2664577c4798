import Glibc

/// The input and output of a command. Answers go to one stream; notes, warnings and errors go to another.
package struct Console: Sendable {
    private let answers: any TextSink
    private let notes: any TextSink
    private let isColoured: Bool
    private let input: @Sendable () -> String?
    private let isInputTerminal: Bool
    private let elapsed: @Sendable () -> Duration
    private var isWide = false

    /// Creates a console from its streams and its clock.
    ///
    /// - Parameters:
    ///   - isColoured: Whether colour is wanted; it shows on a terminal only.
    ///   - isInputTerminal: Whether a person types the input.
    ///   - input: Returns the next line of standard input without its line break, or `nil` at the end.
    ///   - elapsed: A monotonic clock with any starting point.
    package init(
        answers: any TextSink, notes: any TextSink, isColoured: Bool, isInputTerminal: Bool = false,
        input: @escaping @Sendable () -> String?, elapsed: @escaping @Sendable () -> Duration
    ) {
        self.isInputTerminal = isInputTerminal
        self.answers = answers
        self.notes = notes
        self.isColoured = isColoured
        self.input = input
        self.elapsed = elapsed
    }

    /// Creates the console of this process; call it once, before anything else.
    ///
    /// It makes the process ignore SIGPIPE. The process still ends if the reader of its answers closes the pipe, but
    /// not if the reader of its error output does.
    package static func standard() -> Console {
        signal(SIGPIPE, SIG_IGN)
        let start = ContinuousClock.now
        return Console(
            answers: StreamSink(STDOUT_FILENO, endsWhenClosed: true),
            notes: StreamSink(STDERR_FILENO, endsWhenClosed: false),
            isColoured: (variable("NO_COLOR") ?? "").isEmpty,
            isInputTerminal: isatty(STDIN_FILENO) == 1, input: { readLine() },
            elapsed: { start.duration(to: .now) })
    }

    /// Whether the error output is a terminal.
    package var isWatched: Bool { notes.isTerminal }

    /// Why writing an answer failed; `nil` if every answer was written.
    package var answerProblem: String? { answers.problem }

    /// Writes one or more lines of the answer, broken to the terminal's width.
    package func answer(_ text: String) { answers.write(fitted(text, to: answers) + "\n") }

    /// Writes a text of the answer that programs read, or that has its own layout.
    func answer(verbatim text: String) { answers.write(text + "\n") }

    /// Writes many lines of the answer in large chunks, with control characters escaped.
    package func answer(lines: some Sequence<String>) {
        write(lines: lines.lazy.map { fitted($0.printable, to: answers) })
    }

    /// Returns a text whose lines are broken at the width of a terminal.
    func fitted(_ text: String, to sink: any TextSink) -> String {
        sink.isTerminal && !isWide ? text.broken(to: sink.columns) : text
    }

    /// Returns a text of the answer whose lines are broken at the width of a terminal.
    func fitted(_ text: String) -> String { fitted(text, to: answers) }

    func write(lines: some Sequence<String>) {
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

    /// Writes a table of the answer; an empty table consists of its headings.
    ///
    /// On a terminal, it fits the terminal's width, and each row may have a colour.
    package func answer(_ table: TextTable, colours: [Emphasis?] = []) {
        let layout =
            answers.isTerminal && !isWide
            ? table.fitted(to: answers.columns, isColoured: hasColours) : table.wide(isColoured: hasColours)
        let rows = layout.rows.enumerated().map { index, lines in
            guard hasColours, index < colours.count, let colour = colours[index] else { return lines }
            return lines.map(colour.applied)
        }
        write(lines: layout.heading + rows.joined())
    }

    /// Returns the same console with tables in full width, as they are without a terminal.
    func wide() -> Console {
        var console = self
        console.isWide = true
        return console
    }

    /// Whether answers go to a terminal and colour is wanted.
    var hasColours: Bool { isColoured && answers.isTerminal }

    /// Returns a state or level as answers show it: coloured by its first word on a terminal.
    package func shown(state: String) -> String { hasColours ? state.inColourOfState : state }

    /// Returns the same console with the error output redirected to a log.
    ///
    /// Notes, warnings and failures are logged as plain text, and no progress is drawn.
    package func noting(_ take: @escaping @Sendable (String) -> Void) -> Console {
        Console(answers: answers, notes: NoteSink(take), isColoured: false, input: input, elapsed: elapsed)
    }

    /// Writes a line for the user, which scripts don't parse.
    package func note(_ text: String) { notes.write(fitted(text, to: notes) + "\n") }

    /// Writes a warning for the user, in yellow on a terminal.
    package func warn(_ text: String) { notes.write(painted(fitted(text, to: notes), .yellow) + "\n") }

    /// Writes a line about a refusal or a failure, in red on a terminal.
    package func fail(_ text: String) { notes.write(painted(fitted(text, to: notes), .red) + "\n") }

    /// Writes a line on the error output that programs read.
    func note(verbatim text: String) { notes.write(text + "\n") }

    /// Writes a line for the user to the answers if they go to a terminal and the error output doesn't. Control
    /// characters are escaped.
    ///
    /// Without it, the user of a server whose log goes to a file doesn't see why the server didn't start.
    package func alert(_ text: String) {
        guard answers.isTerminal, !notes.isTerminal else { return }
        let text = text.printable
        answers.write((isColoured ? Emphasis.red.applied(to: text) : text) + "\n")
    }

    /// Returns a text in a colour if the error output is a terminal and colour is wanted.
    package func painted(_ text: String, _ style: Emphasis) -> String {
        isColoured && notes.isTerminal ? style.applied(to: text) : text
    }

    /// Returns the next line of standard input, for an argument given as `-`; `nil` at the end.
    package func readInputLine() -> String? { input() }

    /// Whether a person can answer a question: both the input and the error output are terminals.
    package var canAsk: Bool { isInputTerminal && notes.isTerminal }

    /// Asks a person and returns the answer, with each run of white space as one space; `nil` if it's empty.
    package func prompt(_ question: String) -> String? {
        notes.write(fitted(question, to: notes))
        let words = (input() ?? "").unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
        return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
    }

    /// Starts a progress bar on the error output. It's hidden unless the error output is a terminal.
    package func progress(_ label: String, total: Int) -> Progress {
        Progress(sink: notes, label: label, total: total, elapsed: elapsed)
    }

    /// Starts a line that is redrawn in place on the error output. It's hidden unless the error output is a terminal.
    package func liveLine() -> Console.LiveLine { Console.LiveLine(sink: notes, elapsed: elapsed) }
}

/// Passes each note to a function, without its line end.
private final class NoteSink: TextSink {
    let isTerminal = false
    let columns = 80
    let problem: String? = nil
    private let take: @Sendable (String) -> Void

    init(_ take: @escaping @Sendable (String) -> Void) { self.take = take }

    func write(_ text: String) { take(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}
