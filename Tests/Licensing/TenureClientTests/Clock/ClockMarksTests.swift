import Foundation
import TenureClient
import TenureCore
import Testing

/// An app on a device whose user changes the clock.
@Suite struct ClockMarksTests {
    private let clock = SettableClock()
    private let hour: Int64 = 3_600
    private let day: Int64 = 86_400

    /// Reads the clock and updates the marks, as a launch does.
    private func readClock(_ marks: inout ClockMarks?) -> TrustedTime {
        let reading = clock.read()
        let trusted = TrustedTime(reading, marks: marks)
        if marks == nil { marks = ClockMarks(reading) } else { marks?.keep(trusted, at: reading) }
        return trusted
    }

    private func send(_ marks: inout ClockMarks?, isFresh: Bool = true) {
        _ = readClock(&marks)
        marks?.take(Moment(clock.truth), isFresh: isFresh, at: clock.read())
    }

    private func isSetBack(_ trusted: TrustedTime) -> Bool { trusted.verdict != .believed }

    @Test func `at the first reading of the clocks, trusted time is the wall clock's time`() {
        var marks: ClockMarks?
        #expect(readClock(&marks) == TrustedTime(Given.now, wall: Given.now, isBehind: false))
    }

    @Test(arguments: [1, 60, 3_600, 86_400, 3_456_000])
    func `trusted time advances with the system's uptime`(
        seconds: Int64
    ) {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.pass(seconds)
        #expect(readClock(&marks).now == clock.truth)
    }

    @Test(arguments: zip([3_600, 3_601, 86_400, Given.now.seconds] as [Int64], [false, true, true, true]))
    func `a clock that is set back by more than an hour is detected`(seconds: Int64, isNoticed: Bool) {
        for restarts in [false, true] {
            let clock = SettableClock()
            var marks: ClockMarks? = ClockMarks(clock.read())
            if restarts { clock.restart(after: 0) }
            clock.turnWall(by: -seconds)
            let reading = clock.read()
            let trusted = TrustedTime(reading, marks: marks)
            #expect(trusted.now == Given.now)
            #expect(trusted.verdict == (isNoticed ? .setBack(evidence(wall: -seconds)) : .believed))
            marks?.keep(trusted, at: reading)
            #expect(marks?.time == Moment(Given.now))
        }
    }

    private func evidence(wall seconds: Int64) -> ClockEvidence {
        ClockEvidence(wall: Given.now.adding(seconds: seconds), trusted: Given.now)
    }

    @Test(arguments: [false, true])
    func `a clock that was set back is trusted again once it's corrected`(restarts: Bool) {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.pass(day)
        if restarts { clock.restart() }
        clock.turnWall(by: -30 * day)
        #expect(isSetBack(readClock(&marks)))
        clock.pass(hour)
        clock.setWallRight()
        let cured = readClock(&marks)
        #expect(!isSetBack(cured))
        #expect(cured.now == clock.truth)
    }

    @Test(arguments: [-400, -2, 2, 400])
    func `after an online check, neither a wrong clock nor its correction is reported as a clock set back`(
        days: Int64
    ) {
        let error = days * day
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.turnWall(by: error)
        send(&marks)
        clock.pass(day)
        #expect(readClock(&marks) == TrustedTime(clock.truth, wall: clock.truth, isBehind: false))
        clock.restart()
        #expect(readClock(&marks) == TrustedTime(clock.truth, wall: clock.truth, isBehind: false))
        clock.pass(hour)
        clock.setWallRight()
        #expect(readClock(&marks) == TrustedTime(clock.truth, wall: clock.truth, isBehind: false))
        clock.restart()
        let later = readClock(&marks)
        #expect(!isSetBack(later))
        #expect(later.now <= clock.truth.adding(seconds: max(0, error)))
    }

    @Test func `setting the clock forward and back again while the system runs doesn't change trusted time`() {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.turnWall(by: 70 * 365 * day)
        clock.pass(60)
        #expect(readClock(&marks).now == clock.truth)
        clock.setWallRight()
        clock.pass(60)
        #expect(readClock(&marks) == TrustedTime(clock.truth, wall: clock.truth, isBehind: false))
    }

    @Test
    func `a clock set years ahead is trusted after a restart, and its correction only after another restart`() {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.turnWall(by: 70 * 365 * day)
        clock.restart()
        #expect(readClock(&marks).now == clock.read().wall.timestamp)
        clock.setWallRight()
        #expect(isSetBack(readClock(&marks)))
        clock.restart()
        #expect(readClock(&marks) == TrustedTime(clock.truth, wall: clock.truth, isBehind: false))
    }

    @Test(arguments: [31, 40, 400])
    func `setting the clock back while the system runs doesn't change trusted time, even after the device was off`(
        days: Int64
    ) {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.restart(after: days * day)
        _ = readClock(&marks)
        clock.pass(hour)
        clock.turnWall(by: -days * day)
        let trusted = readClock(&marks)
        #expect(trusted.now == clock.truth)
        #expect(isSetBack(trusted))
        clock.pass(day)
        #expect(readClock(&marks).now == clock.truth)
    }

    @Test func `after a restart with the clock set back, trusted time advances, and the corrected clock is trusted`() {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.turnWall(by: -3 * day)
        clock.restart(after: 0)
        #expect(readClock(&marks).now == Given.now)
        clock.pass(hour)
        let later = readClock(&marks)
        #expect(isSetBack(later))
        #expect(later.now == Given.now.adding(seconds: hour))
        clock.pass(day)
        clock.setWallRight()
        #expect(readClock(&marks) == TrustedTime(clock.truth, wall: clock.truth, isBehind: false))
    }

    @Test
    func `the first clock reading after 30 days with the device off sets the high-water mark to the reading's time`() {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.restart(after: 30 * day)
        _ = readClock(&marks)
        #expect(marks?.time == Moment(clock.truth))
    }

    @Test
    func `setting the clock back by an hour at each of a hundred restarts is detected`() {
        var marks: ClockMarks?
        _ = readClock(&marks)
        for _ in 1...100 {
            clock.pass(hour)
            _ = readClock(&marks)
            clock.turnWall(by: -hour)
            clock.restart(after: 0)
            _ = readClock(&marks)
        }
        #expect(isSetBack(readClock(&marks)))
        #expect(marks.map { $0.time.timestamp >= Given.now.adding(seconds: hour) } == true)
    }

    @Test func `a lower uptime, as after restoring a virtual machine's snapshot, is treated as a restart`() {
        let marks = ClockMarks(clock.read())
        let snapshot = ClockReading(wall: Given.now.adding(seconds: 50), uptime: 10, boot: "boot-1")
        #expect(TrustedTime(snapshot, marks: marks).now == Given.now.adding(seconds: 50))
    }

    @Test func `clock readings without a boot id aren't treated as readings of the same boot`() {
        let nameless = ClockReading(wall: Given.now, uptime: 10, boot: "")
        #expect(nameless.seconds(since: nameless) == nil)
    }

    @Test func `replaying a three-day-old response while the clock is right doesn't set trusted time back`() {
        var marks: ClockMarks?
        send(&marks, isFresh: false)
        let signed = marks?.signed
        clock.pass(3 * day)
        marks?.take(Moment(Given.now), isFresh: false, at: clock.read())
        #expect(marks?.signed == signed)
        #expect(readClock(&marks).now == clock.truth)
    }

    @Test(arguments: [1, 20, 400] as [Int64])
    func `a response bound to its request corrects trusted time even if an earlier response was days ahead`(days: Int64)
    {
        var marks: ClockMarks?
        _ = readClock(&marks)
        marks?.take(Given.after(days * day), isFresh: true, at: clock.read())
        clock.pass(hour)
        #expect(!isSetBack(readClock(&marks)))
        clock.restart()
        #expect(!isSetBack(readClock(&marks)))
        send(&marks)
        #expect(readClock(&marks).now == clock.truth)
    }

    @Test
    func `an unbound response may correct trusted time only if it's newer than the last and the clock isn't ahead`() {
        var marks: ClockMarks?
        send(&marks, isFresh: false)
        clock.pass(hour)
        let mayCorrect = { marks?.mayCorrectMark($0, at: clock.read()) }
        #expect(mayCorrect(clock.truth) == true)
        #expect(mayCorrect(clock.truth.adding(seconds: -hour)) == false, "it isn't newer than the last response")
        clock.turnWall(by: 2 * hour)
        #expect(mayCorrect(clock.truth) == false, "the clock is ahead of it")
    }

    /// Replays a response of this time after setting the clock to the same time. Returns whether the marks accept it.
    private func replay(_ time: Timestamp, _ marks: inout ClockMarks?) -> Bool {
        clock.turnWall(by: clock.read().wall.timestamp.seconds(until: time))
        let mayCorrect = marks?.mayCorrectMark(time, at: clock.read())
        let counts = marks?.take(Moment(time), isFresh: false, at: clock.read()) != nil
        #expect(mayCorrect == counts)
        return counts
    }

    @Test
    func `after a replayed response sets trusted time back, replays are refused until the former time has passed`() {
        var marks: ClockMarks?
        send(&marks, isFresh: false)
        clock.pass(40 * day)
        _ = readClock(&marks)
        let end = clock.truth
        #expect(replay(Given.now.adding(days: 2), &marks))
        #expect(readClock(&marks).now == Given.now.adding(days: 2))
        for stored in 3...39 {
            clock.pass(day)
            _ = readClock(&marks)
            #expect(!replay(Given.now.adding(days: stored - 1).adding(seconds: hour), &marks), "day \(stored)")
        }
        clock.pass(3 * day)
        #expect(readClock(&marks).now >= end)
        // A response with the true time corrects the time that was set back.
        clock.setWallRight()
        #expect(replay(clock.truth, &marks))
        #expect(readClock(&marks).now == clock.truth)
    }

    @Test
    func `replayed responses can repeat each day of trusted time only once, so that ten days last twenty at most`() {
        var marks: ClockMarks?
        send(&marks, isFresh: false)
        var used: Int64 = 0
        func run() {
            clock.pass(day)
            used += day
            _ = readClock(&marks)
        }
        let end = Given.now.adding(days: 10)
        while readClock(&marks).now < end {
            let start = readClock(&marks).now
            run()
            #expect(replay(start.adding(seconds: 1), &marks), "it sets the day back")
            run()
            #expect(!replay(start.adding(seconds: 100), &marks), "the same day isn't set back again")
            #expect(replay(start.adding(days: 1).adding(seconds: 2), &marks), "the day that was set back has passed")
        }
        #expect(used == 20 * day)
    }

    @Test func `a clock reading that is older than another process's doesn't change the clock marks`() {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.turnWall(by: 20 * day)
        let early = clock.read()
        clock.pass(10)
        _ = readClock(&marks)
        let before = marks
        let overtaken = TrustedTime(early, marks: marks)
        #expect(overtaken == TrustedTime(clock.truth, wall: early.wall.timestamp, isBehind: false))
        marks?.keep(overtaken, at: early)
        #expect(marks == before)
        // A virtual machine that was restored from a snapshot has a much older reading.
        let snapshot = ClockReading(wall: early.wall.timestamp, uptime: 10, boot: early.boot)
        let restored = TrustedTime(snapshot, marks: marks)
        marks?.keep(restored, at: snapshot)
        #expect(marks == before)
        // The response's time applies to the early reading, and the 10 seconds since that reading aren't counted twice.
        marks?.take(Moment(clock.truth.adding(seconds: -10)), isFresh: true, at: early)
        #expect(readClock(&marks).now == clock.truth)
        #expect(marks?.ran(at: clock.read()) == before?.ran(at: clock.read()))
    }

    @Test func `after each offline start with the clock ahead, the next response corrects trusted time`() {
        var marks: ClockMarks?
        send(&marks, isFresh: false)
        for _ in 1...5 {
            clock.pass(day)
            clock.turnWall(by: 3 * day)
            clock.restart()
            _ = readClock(&marks)
            clock.setWallRight()
            #expect(isSetBack(readClock(&marks)))
            clock.pass(hour)
            #expect(marks?.mayCorrectMark(clock.truth, at: clock.read()) == true)
            send(&marks, isFresh: false)
            #expect(readClock(&marks) == TrustedTime(clock.truth, wall: clock.truth, isBehind: false))
        }
    }

    @Test func `after a server's time was days ahead, unbound responses are accepted again once that time has passed`()
    {
        var marks: ClockMarks?
        marks = ClockMarks(clock.read())
        marks?.take(Given.after(3 * day), isFresh: false, at: clock.read())
        clock.pass(2 * day)
        send(&marks, isFresh: false)
        #expect(readClock(&marks).now == clock.truth.adding(days: 3))
        clock.pass(2 * day)
        send(&marks, isFresh: false)
        #expect(readClock(&marks).now == clock.truth)
        for _ in 1...5 {
            clock.pass(day)
            let time = Moment(clock.truth)
            #expect(marks?.take(time, isFresh: false, at: clock.read()) != nil)
        }
    }

    @Test func `a trial keeps its start if the device was off for ten days before the first response`() {
        var record = ClientRecord()
        record.startedTrial(of: 14, at: clock.truth, clock.read())
        clock.restart(after: 10 * day)
        record.answered(serverTime: Moment(clock.truth), isFresh: true, at: clock.read())
        #expect(record.trial.start == Moment(Given.now))
    }

    @Test func `the device's running time is counted across restarts, but not while it's off`() {
        var marks: ClockMarks?
        _ = readClock(&marks)
        clock.pass(day)
        _ = readClock(&marks)
        clock.turnWall(by: -400 * day)
        clock.restart(after: 5 * day)
        #expect(marks?.ran(at: clock.read()) == day + 20)
        _ = readClock(&marks)
        clock.pass(hour)
        #expect(marks?.ran(at: clock.read()) == day + 20 + hour)
    }

    @Test(arguments: [Int64(Int32.max) - 30, 4_102_444_800, 253_402_300_799])
    func `trusted time advances past January 2038 and past the year 9999`(
        start: Int64
    ) {
        let before = ClockReading(wall: Timestamp(seconds: start), uptime: 100, boot: "b")
        let after = ClockReading(wall: Timestamp(seconds: start + 60), uptime: 160, boot: "b")
        let marks = ClockMarks(before)
        #expect(marks.judge(after).now.seconds == start + 60)
        #expect(marks.judge(after).verdict == .believed)
    }

    @Test(arguments: [Int64.min, Int64.max]) func `extreme clock times don't cause an overflow`(wall: Int64) {
        var marks = ClockMarks(ClockReading(wall: Given.now, uptime: 0, boot: "a"))
        let reading = ClockReading(wall: Timestamp(seconds: wall), uptime: .max, boot: "b")
        marks.keep(marks.judge(reading), at: reading)
        marks.take(Moment(Given.now), isFresh: true, at: reading)
        _ = marks.judge(reading)
        #expect(marks.time == Moment(Given.now))
    }

    @Test func `clock marks are read back unchanged from their JSON`() throws {
        var marks: ClockMarks?
        send(&marks)
        let stored = try JSONEncoder().encode(marks)
        #expect(try JSONDecoder().decode(ClockMarks.self, from: stored) == marks)
    }
}
