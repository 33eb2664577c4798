import Synchronization

/// A progress bar on the error output; silent when that is no terminal.
///
/// ```swift
/// let progress = console.progress("issuing", total: keys.count)
/// for key in keys { progress.advance() }
/// progress.finish()
/// ```
package final class Progress: Sendable {
    private let sink: any TextSink
    private let elapsed: @Sendable () -> Duration
    private let meter: Mutex<ProgressMeter>

    init(sink: any TextSink, label: String, total: Int, elapsed: @escaping @Sendable () -> Duration) {
        self.sink = sink
        self.elapsed = elapsed
        meter = Mutex(ProgressMeter(label: label, total: total, start: elapsed()))
    }

    /// Counts what was done; may be called from any thread and as often as one likes.
    package func advance(by count: Int = 1) {
        guard sink.isTerminal else { return }
        let now = elapsed()
        meter.withLock { meter in
            guard meter.advance(by: count, at: now) else { return }
            draw(meter, at: now)
        }
    }

    /// Draws the last state and leaves it on a line of its own.
    package func finish() {
        guard sink.isTerminal else { return }
        let now = elapsed()
        meter.withLock { draw($0, at: now) }
        sink.write("\n")
    }

    /// Takes the bar away, so that a message can stand in its place.
    package func clear() {
        guard sink.isTerminal else { return }
        sink.write("\r\u{1B}[K")
    }

    private func draw(_ meter: ProgressMeter, at now: Duration) {
        sink.write("\r" + meter.line(at: now, columns: sink.columns) + "\u{1B}[K")
    }
}
