import Synchronization

/// One line on the error output that is written anew in its place; silent when that is no terminal.
///
/// For what knows its own words; what only counts takes a ``Progress``.
package final class LiveLine: Sendable {
    private let sink: any TextSink
    private let elapsed: @Sendable () -> Duration
    private let lastDrawn = Mutex(Duration?.none)

    init(sink: any TextSink, elapsed: @escaping @Sendable () -> Duration) {
        (self.sink, self.elapsed) = (sink, elapsed)
    }

    /// Shows a text in place of the last one, cut to the width; ten times a second at most, unless it must be seen. May be
    /// called from any thread.
    package func show(_ text: (_ columns: Int) -> String, always: Bool = false) {
        guard sink.isTerminal else { return }
        let now = elapsed()
        lastDrawn.withLock { last in
            if !always, let then = last, now - then < ProgressMeter.pause { return }
            last = now
            let line = text(sink.columns).printable.prefix(max(0, sink.columns - 1))
            sink.write("\r\(line)\u{1B}[K")
        }
    }

    /// Takes the line away, so that an answer can stand in its place.
    package func clear() {
        guard sink.isTerminal else { return }
        sink.write("\r\u{1B}[K")
    }
}
