import TenureCore
import Testing

/// Tests the rule that corrects times of a device's own clock. Times are in hours after an arbitrary start.
@Suite struct DeviceTimeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: DeviceTime
        let check: TimeCheck
        let after: DeviceTime

        init(_ name: String, _ before: DeviceTime, _ check: TimeCheck, _ after: DeviceTime) {
            testDescription = name
            self.before = before
            self.check = check
            self.after = after
        }
    }

    private static func hour(_ hours: Int64) -> Timestamp { Timestamp(seconds: 1_800_000_000 + hours * 3_600) }

    private static func written(_ time: Int64, original: Int64? = nil, ran: Int64? = 0) -> DeviceTime {
        DeviceTime(hour(time), original: original.map(hour), ran: ran.map { $0 * 3_600 })
    }

    private static func clock(_ now: Int64, ran: Int64) -> TimeCheck { TimeCheck(now: hour(now), ran: ran * 3_600) }

    private static func answer(_ now: Int64, expected: Int64, ran: Int64, uptime: Int64 = 0) -> TimeCheck {
        TimeCheck(
            now: hour(now), ran: ran * 3_600, source: .answer(expected: hour(expected), uptime: uptime * 3_600))
    }

    private static func unbound(_ now: Int64, expected: Int64, ran: Int64) -> TimeCheck {
        TimeCheck(now: hour(now), ran: ran * 3_600, source: .unboundAnswer(expected: hour(expected)))
    }

    private static let rows = [
        Row("a time in the past stays", written(1), clock(9, ran: 2), written(1)),
        Row("a time in the future counts as now", written(700), clock(9, ran: 0), written(9, original: 700)),
        Row(
            "time for which the device has run since has passed", written(700), clock(9, ran: 2),
            written(7, original: 700)),
        Row("also where the time isn't in the future", written(8), clock(9, ran: 2), written(7, original: 8)),
        Row(
            "an unknown running time counts as none", written(700, ran: nil), clock(9, ran: 2),
            written(9, original: 700, ran: nil)),
        Row("the first original stays", written(7, original: 700), clock(6, ran: 2), written(4, original: 700)),
        Row(
            "a correction is repeated without effect", written(7, original: 700), clock(9, ran: 2),
            written(7, original: 700)),
        Row(
            "an answer that finds the clock behind restores the original", written(7, original: 700),
            answer(800, expected: 9, ran: 2), written(700)),
        Row(
            "but not beyond what the clock was behind", written(7, original: 700), answer(109, expected: 9, ran: 2),
            written(107)),
        Row(
            "an answer that finds the clock right settles the correction", written(7, original: 700),
            answer(9, expected: 9, ran: 2), written(7)),
        Row(
            "an answer that finds the clock ahead settles the time", written(700), answer(9, expected: 702, ran: 2),
            written(7)),
        Row(
            "an answer in the same boot tells an earlier time too", written(8),
            answer(9, expected: 12, ran: 4, uptime: 5),
            written(5)),
        Row(
            "and a later one, if the clock was behind", written(1), answer(90, expected: 5, ran: 4, uptime: 5),
            written(86)
        ),
        Row(
            "an answer after a restart right after the time was written leaves it", written(1),
            answer(240, expected: 240, ran: 2, uptime: 2), written(1)
        ),
        Row(
            "an unbound answer keeps the original", written(700), unbound(9, expected: 702, ran: 2),
            written(7, original: 700)),
        Row("and may be an hour old", written(10), unbound(9, expected: 10, ran: 0), written(10)),
        Row(
            "a later unbound answer restores it", written(7, original: 700), unbound(800, expected: 9, ran: 2),
            written(700)
        ),
    ]

    @Test(arguments: rows)
    func `a time recorded by a device is corrected by the device's clock, its running time or a server's response`(
        row: Row
    ) {
        #expect(row.before.corrected(by: row.check) == row.after)
    }

    @Test func `a recorded time up to a minute ahead of the device's clock isn't corrected`() {
        let time = DeviceTime(Self.hour(1).adding(seconds: 60), ran: 0)
        #expect(time.corrected(by: Self.clock(1, ran: 0)) == time)
        let later = DeviceTime(Self.hour(1).adding(seconds: 61), ran: 0)
        #expect(later.corrected(by: Self.clock(1, ran: 0)).time == Self.hour(1))
    }

    @Test(arguments: [Int64.min, .max], [Int64.min, .max])
    func `correcting a device's time at the ends of the range doesn't trap`(
        time: Int64, now: Int64
    ) {
        let written = DeviceTime(Timestamp(seconds: time), original: Timestamp(seconds: now), ran: 0)
        for source: TimeCheck.Source in [
            .clock, .unboundAnswer(expected: Timestamp(seconds: time)),
            .answer(expected: Timestamp(seconds: time), uptime: .max),
        ] {
            _ = written.corrected(by: TimeCheck(now: Timestamp(seconds: now), ran: .max, source: source))
        }
    }
}
