import Synchronization

/// A progress bar on the error output, shown on a terminal once the work has taken half a second.
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

    /// Adds finished items; may be called from any thread, as often as needed.
    package func advance(by count: Int = 1) {
        guard sink.isTerminal else { return }
        let now = elapsed()
        meter.withLock { meter in
            guard meter.advance(by: count, at: now) else { return }
            draw(meter, at: now)
        }
    }

    /// Draws the final state and moves to the next line.
    package func finish() {
        guard sink.isTerminal else { return }
        let now = elapsed()
        meter.withLock { meter in
            guard meter.isVisible(at: now) else { return }
            draw(meter, at: now)
            sink.write("\n")
        }
    }

    /// Erases the bar so that a message can be written in its place.
    package func clear() {
        guard sink.isTerminal, meter.withLock(\.isDrawn) else { return }
        sink.write("\r\u{1B}[K")
    }

    private func draw(_ meter: ProgressMeter, at now: Duration) {
        sink.write("\r" + meter.line(at: now, columns: sink.columns) + "\u{1B}[K")
    }
}

/// Decides which text a progress bar shows and when; it never reads a clock or writes.
package struct ProgressMeter: Sendable, Hashable {
    /// The shortest time between two redraws.
    package static let pause = Duration.milliseconds(100)

    /// How long work takes before its bar is shown, so that short work doesn't make the terminal flicker.
    package static let delay = Duration.milliseconds(500)

    private let label: String
    private let total: Int
    private let start: Duration

    package private(set) var done = 0

    private var lastDrawn: Duration?

    /// Starts a meter with no finished items.
    ///
    /// - Parameter start: The current time of a monotonic clock, which also supplies all later times.
    package init(label: String, total: Int, start: Duration) {
        self.label = label
        self.total = total
        self.start = start
    }

    /// Adds finished items, and returns whether to redraw the bar now.
    package mutating func advance(by count: Int, at now: Duration) -> Bool {
        done += count
        guard isVisible(at: now) else { return false }
        if let lastDrawn, now - lastDrawn < Self.pause { return false }
        lastDrawn = now
        return true
    }

    /// Whether the work has taken long enough for a bar.
    func isVisible(at now: Duration) -> Bool { now - start >= Self.delay }

    var isDrawn: Bool { lastDrawn != nil }

    /// The bar as one line that fits the width.
    ///
    /// The rate and the time left use the average since the start, and appear once that average isn't zero.
    package func line(at now: Duration, columns: Int) -> String {
        let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
        let seconds = (now - start).seconds
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var texts = ["\(Int(share * 100))%", "\(done.grouped)/\(total.grouped)"]
        if rate > 0 {
            texts.append("\(rate < 10 ? rate.oneDecimal : Int(rate.rounded()).grouped)/s")
            texts.append(done < total ? timeLeft(Double(total - done) / rate) : "done")
        }
        let rest = texts.joined(separator: "  ")
        let frame = "  [" + "]  "
        let width = min(30, columns - 1 - label.count - frame.count - rest.count)
        guard width >= 5 else { return String("\(label)  \(rest)".prefix(max(0, columns - 1))) }
        let filled = Int(share * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "\(label)  [\(bar)]  \(rest)"
    }

    private func timeLeft(_ seconds: Double) -> String {
        guard seconds < 360_000 else { return "several days left" }
        let seconds = Int(seconds.rounded(.up))
        switch seconds {
        case ..<60: return "\(seconds) s left"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s left"
        default: return "\(seconds / 3600) h \(seconds % 3600 / 60) min left"
        }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Int {
    /// The number with its noun, such as `1 license` or `2 licenses`.
    package func of(_ noun: String) -> String { "\(self) \(plural(noun))" }

    /// The form of a noun that follows the number; all plurals end in `s`.
    package func plural(_ noun: String) -> String { self == 1 ? noun : noun + "s" }

    /// The number with commas between groups of three digits.
    package var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}

extension Double {
    fileprivate var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
