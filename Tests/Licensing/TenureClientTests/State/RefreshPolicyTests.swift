import TenureClient
import TenureCore
import Testing

@Suite struct RefreshPolicyTests {
    private static let boot = "boot-1"

    private func reading(at seconds: Int64, boot: String = boot) -> ClockReading {
        ClockReading(wall: Given.now.adding(seconds: seconds), uptime: 1_000_000 + seconds, boot: boot)
    }

    private func answered(_ age: Int64) -> LastTry { .answered(at: reading(at: -age)) }

    private func policy(_ lease: LeaseFacts, age: Int64) -> RefreshPolicy {
        RefreshPolicy(
            .lease(lease, at: Given.now), confirmed: Given.now.adding(seconds: -age), lastTry: answered(age))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let age: Int64
        let ends: Int64
        var term: Int64?
        let refreshes: Bool
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "inside the debounce", age: 299, ends: 60, refreshes: false),
        Row(name: "after the debounce, end near", age: 300, ends: 60, refreshes: true),
        Row(name: "not stale yet", age: 21_600, ends: 6 * Given.day, refreshes: false),
        Row(name: "stale", age: 21_601, ends: 6 * Given.day, refreshes: true),
        Row(name: "lease ends in a day", age: 600, ends: 86_400, refreshes: false),
        Row(name: "lease ends within a day", age: 600, ends: 86_399, refreshes: true),
        Row(name: "term ends in a day", age: 600, ends: 6 * Given.day, term: 86_400, refreshes: false),
        Row(name: "term ends within a day", age: 600, ends: 6 * Given.day, term: 86_399, refreshes: true),
        Row(name: "in grace", age: 600, ends: 6 * Given.day, term: -86_400, refreshes: true),
        Row(name: "lapsed", age: 300, ends: -400, refreshes: true),
    ]

    @Test(arguments: rows)
    func `an app that becomes active sends a request only if its last response is old or the lease or term ends soon`(
        row: Row
    ) {
        let lease = Given.lease(issued: row.ends - 7 * Given.day, ends: row.ends, term: row.term)
        let step = policy(lease, age: row.age).next(on: .look, at: Given.now, reading: reading(at: 0))
        #expect((step == .refreshNow) == row.refreshes)
    }

    @Test func `an idle client sleeps until an hour before the lease ends, and then sends a request`() {
        let lease = Given.lease(issued: 0, ends: 7 * Given.day)
        let policy = policy(lease, age: 0)
        let due = Given.now.adding(seconds: 7 * Given.day - 3_600)
        for time in [0, 299, 21_601, 6 * Given.day, 7 * Given.day - 3_601] as [Int64] {
            let step = policy.next(on: .idle, at: Given.now.adding(seconds: time), reading: reading(at: time))
            #expect(step == .sleep(until: due))
        }
        let step = policy.next(on: .idle, at: due, reading: reading(at: 7 * Given.day - 3_600))
        #expect(step == .refreshNow)
    }

    @Test func `a client that follows its refresh policy wakes once for each lease`() {
        var now: Int64 = 0
        var wakes = 0
        var lease = Given.lease(issued: 0, ends: 7 * Given.day)
        var lastTry = LastTry.answered(at: reading(at: 0))
        while now < 70 * Given.day {
            let policy = RefreshPolicy(
                .lease(lease, at: Given.now.adding(seconds: now)), confirmed: lease.issuedAt.timestamp,
                lastTry: lastTry)
            switch policy.next(on: .idle, at: Given.now.adding(seconds: now), reading: reading(at: now)) {
            case .refreshNow:
                wakes += 1
                lease = Given.lease(issued: now, ends: now + 7 * Given.day)
                lastTry = .answered(at: reading(at: now))
            case .sleep(let until):
                now = until.map { Given.now.seconds(until: $0) } ?? .max
            }
        }
        #expect(wakes == 10)
    }

    @Test(arguments: [60, 600, 3_600, 7_200] as [Int64])
    func `a short lease is renewed after half its length, or after five minutes if that is longer`(
        length: Int64
    ) {
        let lease = Given.lease(issued: 0, ends: length)
        let step = policy(lease, age: 0).next(on: .idle, at: Given.now, reading: reading(at: 0))
        #expect(step == .sleep(until: Given.now.adding(seconds: max(300, length / 2))))
    }

    @Test func `an app that becomes active a thousand times in five minutes sends one request`() {
        var lastTry: LastTry?
        var requests = 0
        for look in 0..<1_000 {
            let time = Int64(look) * 299 / 1_000
            let policy = RefreshPolicy(.missing(since: Given.now), lastTry: lastTry)
            let step = policy.next(on: .look, at: Given.now.adding(seconds: time), reading: reading(at: time))
            guard step == .refreshNow else { continue }
            requests += 1
            lastTry = .answered(at: reading(at: time))
        }
        #expect(requests == 1)
    }

    @Test(arguments: [RefreshPolicy.Occasion.look, .idle])
    func `without a license, no request is due while the response with the product's terms is fresh`(
        occasion: RefreshPolicy.Occasion
    ) {
        let policy = RefreshPolicy(.nothing, confirmed: Given.now, lastTry: answered(600))
        #expect(policy.next(on: occasion, at: Given.now, reading: reading(at: 0)) == .sleep(until: nil))
    }

    @Test func `missing product terms are requested when the app becomes active, wakes or checks now`() {
        // A report of the network only repeats a request that had no response.
        for occasion in RefreshPolicy.Occasion.allCases where occasion != .online {
            let step = RefreshPolicy(.missing(since: Given.now)).next(
                on: occasion, at: Given.now, reading: reading(at: 0))
            #expect(step == .refreshNow)
        }
    }

    @Test
    func `a refused license is checked when the app becomes active, and otherwise only when the refusal is due to end`()
    {
        let policy = RefreshPolicy(.refused(changesAt: nil), confirmed: Given.now, lastTry: answered(300))
        #expect(policy.next(on: .look, at: Given.now, reading: reading(at: 0)) == .refreshNow)
        #expect(policy.next(on: .idle, at: Given.now, reading: reading(at: 0)) == .sleep(until: nil))
        let changing = RefreshPolicy(.refused(changesAt: Given.now), confirmed: Given.now, lastTry: answered(300))
        #expect(changing.next(on: .idle, at: Given.now, reading: reading(at: 0)) == .refreshNow)
    }

    struct AskedRow: Sendable, CustomTestStringConvertible {
        let name: String
        var subject = RefreshPolicy.Subject.nothing
        var age: Int64 = 1
        var retryAfter: Int64?
        var isAnswered = false
        var pressed: Int64?
        var boot = RefreshPolicyTests.boot
        let asks: Bool
        var testDescription: String { name }
    }

    static let asked: [AskedRow] = [
        AskedRow(name: "no check before", age: 0, isAnswered: true, asks: true),
        AskedRow(name: "response a second ago", isAnswered: true, asks: true),
        AskedRow(
            name: "response a second ago, lease far from its end", subject: .lease(Given.lease(), at: Given.now),
            isAnswered: true, asks: true),
        AskedRow(name: "refusal a second ago", subject: .refused(changesAt: nil), isAnswered: true, asks: true),
        AskedRow(name: "failed a second ago", asks: true),
        AskedRow(name: "failed, Retry-After is zero", retryAfter: 0, asks: true),
        AskedRow(name: "failed, Retry-After hasn't passed", age: 59, retryAfter: 60, asks: false),
        AskedRow(name: "failed, Retry-After has passed", age: 60, retryAfter: 60, asks: true),
        AskedRow(name: "failed, a long Retry-After hasn't passed", age: 3_599, retryAfter: 3_600, asks: false),
        AskedRow(name: "failed, the longest Retry-After has passed", age: 3_600, retryAfter: 10_000_000, asks: true),
        AskedRow(name: "failed, the system was restarted", retryAfter: 3_600, boot: "boot-2", asks: true),
        AskedRow(name: "pressed just now", pressed: 0, asks: false),
        AskedRow(name: "pressed 9 s ago", age: 9, isAnswered: true, pressed: 9, asks: false),
        AskedRow(name: "pressed 10 s ago", age: 10, isAnswered: true, pressed: 10, asks: true),
        AskedRow(
            name: "pressed 10 s ago, Retry-After hasn't passed", age: 10, retryAfter: 11, pressed: 10, asks: false),
    ]

    @Test(arguments: asked)
    func `checking now is delayed only by Retry-After and for ten seconds after the person's last check`(
        row: AskedRow
    ) {
        var generator = SeededGenerator(seed: 1)
        let last =
            row.isAnswered
            ? answered(row.age)
            : LastTry.failed(
                RequestFailure(.busy, "503", retryAfter: row.retryAfter, code: "server_busy"), after: nil,
                at: reading(at: -row.age),
                using: &generator)
        let policy = RefreshPolicy(
            row.subject, confirmed: Given.now.adding(seconds: -row.age), lastTry: last,
            lastAsked: row.pressed.map { reading(at: -$0) })
        let step = policy.next(on: .asked, at: Given.now, reading: reading(at: 0, boot: row.boot))
        #expect((step == .refreshNow) == row.asks)
    }

    @Test func `setting the wall clock extends neither the minimum delay nor the server's retry time`() {
        var generator = SeededGenerator(seed: 1)
        let last = LastTry.failed(
            RequestFailure(.busy, "503", retryAfter: 60), after: nil, at: reading(at: -60), using: &generator)
        let policy = RefreshPolicy(.nothing, lastTry: last, lastAsked: reading(at: -10))
        for days in [-400, 0, 400] {
            let set = ClockReading(wall: Given.now.adding(days: days), uptime: 1_000_000, boot: Self.boot)
            #expect(policy.next(on: .asked, at: Given.now, reading: set) == .refreshNow)
        }
    }

    @Test func `a report that the network is back repeats the last request only if that got no response`() {
        var generator = SeededGenerator(seed: 1)
        let failure = RequestFailure(.offline, "")
        let unanswered = LastTry.failed(failure, after: nil, at: reading(at: -1), using: &generator)
        for (lastTry, step) in [
            (nil, .sleep(until: Given.now)), (answered(600), .sleep(until: Given.now)), (unanswered, .refreshNow),
        ] as [(LastTry?, RefreshPolicy.Step)] {
            let policy = RefreshPolicy(.missing(since: Given.now), lastTry: lastTry)
            #expect(policy.next(on: .online, at: Given.now, reading: reading(at: 0)) == step)
        }
    }

    @Test func `a restart of the device ends the minimum delay between requests`() {
        let policy = RefreshPolicy(.missing(since: Given.now), lastTry: answered(0))
        #expect(policy.next(on: .look, at: Given.now, reading: reading(at: 0, boot: "boot-2")) == .refreshNow)
    }

    @Test func `a response dated in the future is treated as old`() {
        let policy = RefreshPolicy(
            .lease(Given.lease(), at: Given.now), confirmed: Given.now.adding(days: 1), lastTry: answered(600))
        #expect(policy.next(on: .look, at: Given.now, reading: reading(at: 0)) == .refreshNow)
    }
}
