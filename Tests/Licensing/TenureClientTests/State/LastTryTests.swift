import TenureClient
import TenureCore
import Testing

@Suite struct LastTryTests {
    private let start = ClockReading(wall: Given.now, uptime: 1_000, boot: "a")

    private func later(_ seconds: Int64) -> ClockReading {
        ClockReading(wall: Given.now, uptime: 1_000 + seconds, boot: "a")
    }

    @Test func `each failure doubles the longest delay of an idle client, up to six hours`() {
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
    func `a failed request delays automatic requests by the server's Retry-After, at least 5 minutes and at most a day`(
        retryAfter: Int64?, hold: Int64
    ) {
        var generator = SeededGenerator(seed: 2)
        let unreached = RequestFailure(.busy, "429", retryAfter: retryAfter, code: "server_busy")
        let failed = LastTry.failed(unreached, after: nil, at: start, using: &generator)
        #expect(failed.wait(for: .look, at: later(0)) == hold)
        #expect(failed.wait(for: .look, at: later(hold - 1)) == 1)
        #expect(failed.wait(for: .look, at: later(hold)) == 0)
        #expect(failed.wait(for: .idle, at: later(hold)) == failed.pause)
    }

    @Test(
        arguments: zip(
            [nil, 0, 59, 60, 3_600, 86_400] as [Int64?], [(0, 0), (0, 0), (59, 59), (60, 60), (60, 3_600), (60, 3_600)])
    )
    func `checking now waits for a Retry-After: up to a minute for a proxy's, up to an hour for the server's`(
        retryAfter: Int64?, waits: (proxy: Int64, server: Int64)
    ) {
        var generator = SeededGenerator(seed: 3)
        for (isFromServer, wait) in [(false, waits.proxy), (true, waits.server)] {
            let code = isFromServer ? "server_busy" : nil
            let unreached = RequestFailure(.busy, "503", retryAfter: retryAfter, code: code)
            let failed = LastTry.failed(unreached, after: nil, at: start, using: &generator)
            #expect(failed.wait(for: .asked, at: later(0)) == wait)
            #expect(failed.wait(for: .asked, at: later(wait)) == 0)
        }
    }

    @Test func `a client that waits for the network tries again after about 1, 2, 4 and so on up to 60 seconds`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var tries: LastTry?
            for gap in [1, 2, 4, 8, 16, 32, 60, 60, 60] as [Int64] {
                let failed = LastTry.failed(RequestFailure(.offline, ""), after: tries, at: start, using: &generator)
                let wait = failed.wait(for: .waiting, at: later(0))
                #expect((gap - gap / 3...gap + gap / 3).contains(wait))
                #expect(failed.wait(for: .look, at: later(0)) == wait)
                tries = failed
            }
        }
    }

    @Test func `after ten minutes without a response, a waiting client tries as rarely as an idle one`() {
        var generator = SeededGenerator(seed: 5)
        let first = LastTry.failed(RequestFailure(.offline, ""), after: nil, at: start, using: &generator)
        let recent = LastTry.failed(RequestFailure(.offline, ""), after: first, at: later(590), using: &generator)
        #expect(recent.wait(for: .waiting, at: later(599)) == 0)
        #expect(recent.wait(for: .waiting, at: later(600)) == recent.wait(for: .idle, at: later(600)))
        #expect(recent.wait(for: .waiting, at: later(600)) >= 290)
        #expect(recent.wait(for: .look, at: later(600)) == 0)
    }

    @Test func `a report that the network is back ends the wait only if the last request got no response`() {
        var generator = SeededGenerator(seed: 6)
        let unanswered = LastTry.failed(RequestFailure(.offline, ""), after: nil, at: start, using: &generator)
        #expect(unanswered.wait(for: .online, at: later(1)) == 0)
        let busy = RequestFailure(.busy, "503", code: "server_busy")
        let answered = LastTry.failed(busy, after: unanswered, at: start, using: &generator)
        #expect(answered.wait(for: .online, at: later(1)) == 299)
        #expect(answered.wait(for: .look, at: later(1)) == 299)
    }

    @Test func `a response resets the count of failures`() {
        #expect(LastTry.answered(at: start).failures == 0)
        #expect(LastTry.answered(at: start).wait(for: .idle, at: later(300)) == 0)
    }
}
