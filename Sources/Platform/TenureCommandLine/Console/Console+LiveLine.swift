import Synchronization

extension Console {
    /// A line on the error output that is redrawn in place.
    ///
    /// It's hidden if the error output isn't a terminal, and during the first half second.
    /// Callers compose its text. For plain counts, a ``Progress`` is enough.
    package final class LiveLine: Sendable {
        private let sink: any TextSink
        private let elapsed: @Sendable () -> Duration
        private let start: Duration
        private let lastDrawn = Mutex(Duration?.none)

        init(sink: any TextSink, elapsed: @escaping @Sendable () -> Duration) {
            (self.sink, self.elapsed, start) = (sink, elapsed, elapsed())
        }

        /// Replaces the line with a text, cut to the terminal's width.
        ///
        /// It draws at most ten times a second unless `always` is set. It may be called from any thread.
        package func show(_ text: (_ columns: Int) -> String, always: Bool = false) {
            guard sink.isTerminal else { return }
            let now = elapsed()
            guard now - start >= ProgressMeter.delay else { return }
            lastDrawn.withLock { last in
                if !always, let then = last, now - then < ProgressMeter.pause { return }
                last = now
                let line = text(sink.columns).printable.prefix(max(0, sink.columns - 1))
                sink.write("\r\(line)\u{1B}[K")
            }
        }

        /// Erases the line so that an answer can be written in its place.
        package func clear() {
            guard sink.isTerminal, lastDrawn.withLock({ $0 != nil }) else { return }
            sink.write("\r\u{1B}[K")
        }
    }
}
