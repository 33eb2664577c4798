import Foundation
import TenureClient
import TenureCore
import Testing

@Suite struct DeviceClockTests {
    @Test func `a reading of the system's clocks has a boot id, and uptime doesn't go back within a boot`() {
        let first = SystemDeviceClock().read()
        let second = SystemDeviceClock().read()
        #expect(first.boot.utf8.count == 36)
        #expect(second.seconds(since: first).map { $0 >= 0 } == true)
        #expect(first.wall.timestamp > Timestamp(seconds: 1_700_000_000))
    }

    @Test func `the change to summer time doesn't affect trusted time`() {
        // 2027-03-28T01:00:00Z, when clocks in Berlin go from 02:00 to 03:00.
        let change = Timestamp(seconds: 1_806_195_600)
        let before = ClockReading(wall: change.adding(seconds: -1), uptime: 100, boot: "a")
        let after = ClockReading(wall: change, uptime: 101, boot: "a")
        #expect(ClockMarks(before).judge(after) == TrustedTime(change, wall: change, isBehind: false))
    }

    @Test
    func `a virtual clock adds the seconds in its file, and its wall time also those in the file with suffix .error`()
        throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID().uuidString)")
        let error = URL(filePath: file.path() + ".error")
        defer {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(at: error)
        }
        let clock = VirtualDeviceClock(path: file.path())
        let start = clock.read()
        try Data("86400\n".utf8).write(to: file)
        let tomorrow = clock.read()
        #expect(try #require(tomorrow.seconds(since: start)) >= 86_400)
        #expect(start.wall.timestamp.seconds(until: tomorrow.wall.timestamp) >= 86_400)
        try Data("-604800".utf8).write(to: error)
        let turned = clock.read()
        #expect(try #require(turned.seconds(since: start)) >= 86_400)
        #expect(turned.wall < start.wall)
    }
}
