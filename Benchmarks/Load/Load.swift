import Dispatch
import Foundation
import Glibc
import Synchronization

/// Sends requests at a fixed rate and reports the latencies.
///
/// The schedule is fixed in advance. A latency counts from the time when its request was due, so the delay of a stalled
/// server counts for every waiting request. Connections take turns, each on its own thread.
@main
struct Load {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 7, let port = UInt16(arguments[1]), let rate = Double(arguments[3]), rate > 0,
            let seconds = Double(arguments[4]), let connections = Int(arguments[5]), connections > 0
        else {
            fail("usage: bench-load PORT PATH RATE SECONDS CONNECTIONS KEYS-FILE|FORMS-FILE.forms", code: 2)
        }
        let file = arguments[6]
        let found: (any Asking)? =
            file.hasSuffix(".forms")
            ? Forms(path: file) : Bodies(path: file, isActivation: arguments[2].hasSuffix("/activate"))
        guard let bodies = found else { fail("bench-load: cannot read \(file)", code: 1) }
        let schedule = Schedule(start: Moment.now() + 100_000_000, rate: rate, total: Int(rate * seconds))
        let report = Report()
        let finished = DispatchSemaphore(value: 0)
        for turn in 0..<connections {
            guard let wire = Wire(port: port) else { fail("bench-load: cannot connect to port \(port)", code: 1) }
            Thread.detachNewThread {
                var wire = wire
                var bodies = bodies.starting(at: turn, of: connections)
                var latencies: [UInt64] = []
                var notOK = 0
                for index in stride(from: turn, to: schedule.total, by: connections) {
                    let due = schedule.due(index)
                    let request = bodies.next(path: arguments[2])
                    Moment.sleep(until: due)
                    guard let status = wire.exchange(request) else { fail("bench-load: a connection broke", code: 1) }
                    latencies.append(Moment.now() - due)
                    if status != 200 { notOK += 1 }
                }
                report.add(latencies, notOK: notOK)
                finished.signal()
            }
        }
        for _ in 0..<connections { finished.wait() }
        print(report.json(seconds: Double(Moment.now() - schedule.start) / 1e9))
    }

    private static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }
}
