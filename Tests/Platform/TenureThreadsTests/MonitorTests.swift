import Foundation
import TenureThreads
import TestProcesses
import Testing

@Suite struct MonitorTests {
    @Test func `a waiter is woken by the change that it waits for`() async throws {
        let monitor = Monitor(0)
        let seen = Monitor<Int?>(nil)
        try startThread {
            let found = monitor.wait { count in count > 1 ? count : nil }
            seen.change { seen in seen = found }
        }
        for _ in 1...2 { monitor.change { count in count += 1 } }
        #expect(seen.wait { seen in seen } == 2)
    }

    @Test func `a broadcast change of a monitor wakes all of its waiters`() async throws {
        let monitor = Monitor(false)
        let woken = Monitor(0)
        for _ in 1...3 {
            try startThread {
                monitor.wait { isOpen in isOpen ? () : nil }
                woken.change { count in count += 1 }
            }
        }
        monitor.change(wakingAll: true) { isOpen in isOpen = true }
        woken.wait { count in count == 3 ? () : nil }
    }

    @Test func `a monitor's wait with a past deadline still checks its condition once`() {
        let found: Bool? = Monitor(7).wait(until: .now()) { state in state == 7 ? true : nil }
        #expect(found == true)
        var checks = 0
        let missed: Bool? = Monitor(7).wait(until: .now()) { state in
            checks += 1
            return state == 8 ? true : nil
        }
        #expect(missed == nil && checks == 1)
    }

    /// Runs a separate program whose wall clock is wrong as soon as the wait begins.
    @Test(arguments: ["0", "3600", "-3600"]) func `a monitor's wait keeps its length when the wall clock is set`(
        step: String
    ) throws {
        let here = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let program = here.appending(path: "clock-step").path
        #expect(try ChildProcess.run([program], environment: ["CLOCK_STEP": step]).output == "waited\n")
    }
}
