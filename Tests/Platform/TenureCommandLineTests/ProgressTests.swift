import TenureCommandLine
import Testing

struct ProgressTests {
    static let rows: [(total: Int, done: Int, after: Duration, columns: Int, line: String)] = [
        (10_000, 0, .zero, 80, "issuing  [..............................]  0%  0/10,000"),
        (
            10_000, 5200, .milliseconds(4194), 80,
            "issuing  [###############...............]  52%  5,200/10,000  1,240/s  4 s left"
        ),
        (10_000, 5200, .milliseconds(4194), 60, "issuing  [#####.....]  52%  5,200/10,000  1,240/s  4 s left"),
        (10_000, 5200, .milliseconds(4194), 50, "issuing  52%  5,200/10,000  1,240/s  4 s left"),
        (10_000, 5200, .milliseconds(4194), 20, "issuing  52%  5,200"),
        (10_000, 5200, .milliseconds(4194), 0, ""),
        (100, 1, .seconds(1), 60, "issuing  [.............]  1%  1/100  1.0/s  1 min 39 s left"),
        (100_000, 10, .seconds(1), 70, "issuing  [...................]  0%  10/100,000  10/s  2 h 46 min left"),
        (1_000_000, 1, .seconds(1), 60, "issuing  [.....]  0%  1/1,000,000  1.0/s  several days left"),
        (100, 100, .seconds(2), 50, "issuing  [###########]  100%  100/100  50/s  done"),
        (100, 120, .seconds(2), 50, "issuing  [###########]  100%  120/100  60/s  done"),
        (0, 0, .seconds(2), 40, "issuing  [#################]  100%  0/0"),
    ]

    @Test(arguments: rows.indices)
    func `a progress bar shows the count, the rate and the remaining time as far as the width allows`(row: Int) {
        let row = Self.rows[row]
        var meter = ProgressMeter(label: "issuing", total: row.total, start: .seconds(7))
        _ = meter.advance(by: row.done, at: .seconds(7))
        let line = meter.line(at: .seconds(7) + row.after, columns: row.columns)
        #expect(line == row.line)
        #expect(line.count < max(1, row.columns))
    }

    @Test(arguments: [(99, false), (100, true), (101, true)])
    func `a progress bar is drawn at most every 100 milliseconds`(milliseconds: Int, isDue: Bool) {
        var meter = ProgressMeter(label: "issuing", total: 10, start: .zero)
        let first = meter.advance(by: 1, at: .seconds(1))
        let second = meter.advance(by: 1, at: .seconds(1) + .milliseconds(milliseconds))
        #expect(first)
        #expect(second == isDue)
        #expect(meter.done == 2)
    }

    @Test func `a progress bar is redrawn in place on a terminal and ends with a line feed`() {
        let notes = Transcript(isTerminal: true, columns: 50)
        let clock = HandClock()
        let progress = Console.recorded(notes: notes, clock: clock).progress("issuing", total: 4)
        clock.advance(by: .milliseconds(450))
        for _ in 0..<4 {
            clock.advance(by: .milliseconds(50))
            progress.advance()
        }
        clock.advance(by: .milliseconds(150))
        progress.finish()
        #expect(
            notes.writes == [
                "\rissuing  [##.........]  25%  1/4  2.0/s  2 s left\u{1B}[K",
                "\rissuing  [########...]  75%  3/4  5.0/s  1 s left\u{1B}[K",
                "\rissuing  [##############]  100%  4/4  5.0/s  done\u{1B}[K",
                "\n",
            ])
    }

    @Test(arguments: [(499, false), (500, true)])
    func `work that ends within half a second shows no progress`(milliseconds: Int, isShown: Bool) {
        let notes = Transcript(isTerminal: true, columns: 50)
        let clock = HandClock()
        let console = Console.recorded(notes: notes, clock: clock)
        let (progress, line) = (console.progress("issuing", total: 1), console.liveLine())
        clock.advance(by: .milliseconds(milliseconds))
        progress.advance()
        progress.clear()
        progress.finish()
        #expect(notes.writes.isEmpty == !isShown)
        let before = notes.writes.count
        line.show({ _ in "downloading" }, always: true)
        line.clear()
        #expect((notes.writes.count > before) == isShown)
    }

    @Test func `no progress bar is written to a pipe`() {
        let notes = Transcript()
        let progress = Console.recorded(notes: notes).progress("issuing", total: 4)
        progress.advance(by: 4)
        progress.clear()
        progress.finish()
        #expect(notes.writes == [])
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (.min, "-9,223,372,036,854,775,808"),
    ])
    func `numbers of a progress bar are grouped by thousands`(number: Int, text: String) {
        #expect(number.grouped == text)
    }
}
