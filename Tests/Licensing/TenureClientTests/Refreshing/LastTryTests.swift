import TenureClient
import TenureCore
import Testing

@Suite struct LastTryTests {
    private let start = ClockReading(wall: Given.now, uptime: 1_000, boot: "a")

    private func later(_ seconds: Int64) -> ClockReading {
        ClockReading(wall: Given.now, uptime: 1_000 + seconds, boot: "a")
    }

    @Test func `each failure doubles the most that an idle client pauses, up to six hours`() {
        var generator = SeededGenerator(seed: 1)
        var tries: LastTry?
        for most in [300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 21_600, 21_600] as [Int64] {
            var longest: Int64 = 0
            for _ in 0..<400 {
                let failed = LastTry.failed(RequestFailure(.busy, "503"), after: tries, at: start, using: &generator)
                #expect((0...most).contains(failed.pause))
                longest = max(longest, failed.pause)
            }
            #expect(longest > most * 9 / 10)
            tries = .failed(RequestFailure(.busy, "503"), after: tries, at: start, using: &generator)
        }
        #expect(tries?.failures == 9)
    }

    @Test(
        arguments: zip(
            [nil, 0, 60, 900, 86_400, 10_000_000, -5] as [Int64?], [300, 300, 300, 900, 86_400, 86_400, 300]))
    func `nobody asks before the server wants it, for a day at most`(retryAfter: Int64?, hold: Int64) {
        var generator = SeededGenerator(seed: 2)
        let unreached = RequestFailure(.busy, "429", retryAfter: retryAfter)
        let failed = LastTry.failed(unreached, after: nil, at: start, using: &generator)
        #expect(failed.wait(for: .look, at: later(0)) == hold)
        #expect(failed.wait(for: .look, at: later(hold - 1)) == 1)
        #expect(failed.wait(for: .look, at: later(hold)) == 0)
        #expect(failed.wait(for: .idle, at: later(hold)) == failed.pause)
    }

    @Test func `an answer ends the counting of failures`() {
        #expect(LastTry.answered(at: start).failures == 0)
        #expect(LastTry.answered(at: start).wait(for: .idle, at: later(300)) == 0)
    }
}
