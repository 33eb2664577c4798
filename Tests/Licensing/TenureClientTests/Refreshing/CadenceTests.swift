import TenureClient
import TenureCore
import Testing

@Suite struct CadenceTests {
    private static let boot = "boot-1"

    private func reading(at seconds: Int64, boot: String = boot) -> ClockReading {
        ClockReading(wall: Given.now.adding(seconds: seconds), uptime: 1_000_000 + seconds, boot: boot)
    }

    private func answered(_ age: Int64) -> LastTry { .answered(at: reading(at: -age)) }

    private func cadence(_ lease: LeaseFacts, age: Int64) -> RefreshPolicy {
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

    @Test(arguments: rows) func `a look at the app asks when the table says so`(row: Row) {
        let lease = Given.lease(issued: row.ends - 7 * Given.day, ends: row.ends, term: row.term)
        let step = cadence(lease, age: row.age).next(on: .look, at: Given.now, reading: reading(at: 0))
        #expect((step == .refreshNow) == row.refreshes)
    }

    @Test func `an idle client sleeps until an hour before the lease ends, and asks then`() {
        let lease = Given.lease(issued: 0, ends: 7 * Given.day)
        let cadence = cadence(lease, age: 0)
        let due = Given.now.adding(seconds: 7 * Given.day - 3_600)
        for moment in [0, 299, 21_601, 6 * Given.day, 7 * Given.day - 3_601] as [Int64] {
            let step = cadence.next(on: .idle, at: Given.now.adding(seconds: moment), reading: reading(at: moment))
            #expect(step == .sleep(until: due))
        }
        let step = cadence.next(on: .idle, at: due, reading: reading(at: 7 * Given.day - 3_600))
        #expect(step == .refreshNow)
    }

    @Test func `a client that sleeps as it is told wakes once for each lease`() {
        var now: Int64 = 0
        var wakes = 0
        var lease = Given.lease(issued: 0, ends: 7 * Given.day)
        var lastTry = LastTry.answered(at: reading(at: 0))
        while now < 70 * Given.day {
            let cadence = RefreshPolicy(
                .lease(lease, at: Given.now.adding(seconds: now)), confirmed: lease.issuedAt.timestamp,
                lastTry: lastTry)
            switch cadence.next(on: .idle, at: Given.now.adding(seconds: now), reading: reading(at: now)) {
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

    @Test(arguments: [60, 600, 3_600, 7_200] as [Int64]) func `a short lease is renewed in its middle, not in a loop`(
        length: Int64
    ) {
        let lease = Given.lease(issued: 0, ends: length)
        let step = cadence(lease, age: 0).next(on: .idle, at: Given.now, reading: reading(at: 0))
        #expect(step == .sleep(until: Given.now.adding(seconds: max(300, length / 2))))
    }

    @Test func `a thousand looks in five minutes ask once`() {
        var lastTry: LastTry?
        var requests = 0
        for look in 0..<1_000 {
            let moment = Int64(look) * 299 / 1_000
            let cadence = RefreshPolicy(.missing(since: Given.now), lastTry: lastTry)
            let step = cadence.next(on: .look, at: Given.now.adding(seconds: moment), reading: reading(at: moment))
            guard step == .refreshNow else { continue }
            requests += 1
            lastTry = .answered(at: reading(at: moment))
        }
        #expect(requests == 1)
    }

    @Test(arguments: [RefreshPolicy.Occasion.look, .idle])
    func `without a license and with everything known, nothing comes`(
        occasion: RefreshPolicy.Occasion
    ) {
        let cadence = RefreshPolicy(.nothing, confirmed: Given.now, lastTry: answered(600))
        #expect(cadence.next(on: occasion, at: Given.now, reading: reading(at: 0)) == .sleep(until: nil))
    }

    @Test func `what is missing is asked for at once, by whomever`() {
        // A report of the network only repeats a request that had no response.
        for occasion in RefreshPolicy.Occasion.allCases where occasion != .online {
            let step = RefreshPolicy(.missing(since: Given.now)).next(
                on: occasion, at: Given.now, reading: reading(at: 0))
            #expect(step == .refreshNow)
        }
    }

    @Test func `a no is asked about at each look, and by itself only when it changes`() {
        let cadence = RefreshPolicy(.refused(changesAt: nil), confirmed: Given.now, lastTry: answered(300))
        #expect(cadence.next(on: .look, at: Given.now, reading: reading(at: 0)) == .refreshNow)
        #expect(cadence.next(on: .idle, at: Given.now, reading: reading(at: 0)) == .sleep(until: nil))
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
        var boot = CadenceTests.boot
        let asks: Bool
        var testDescription: String { name }
    }

    static let asked: [AskedRow] = [
        AskedRow(name: "never asked", age: 0, isAnswered: true, asks: true),
        AskedRow(name: "answered a second ago", isAnswered: true, asks: true),
        AskedRow(
            name: "answered a second ago, lease far from its end", subject: .lease(Given.lease(), at: Given.now),
            isAnswered: true, asks: true),
        AskedRow(name: "a no a second ago", subject: .refused(changesAt: nil), isAnswered: true, asks: true),
        AskedRow(name: "failed a second ago", asks: true),
        AskedRow(name: "failed, the server wants no rest", retryAfter: 0, asks: true),
        AskedRow(name: "failed, the server wants rest", age: 59, retryAfter: 60, asks: false),
        AskedRow(name: "failed, rest is over", age: 60, retryAfter: 60, asks: true),
        AskedRow(name: "failed, long rest is not over", age: 3_599, retryAfter: 3_600, asks: false),
        AskedRow(name: "failed, the longest rest is over", age: 3_600, retryAfter: 10_000_000, asks: true),
        AskedRow(name: "failed, the system was restarted", retryAfter: 3_600, boot: "boot-2", asks: true),
        AskedRow(name: "pressed just now", pressed: 0, asks: false),
        AskedRow(name: "pressed 9 s ago", age: 9, isAnswered: true, pressed: 9, asks: false),
        AskedRow(name: "pressed 10 s ago", age: 10, isAnswered: true, pressed: 10, asks: true),
        AskedRow(name: "pressed 10 s ago, the server wants rest", age: 10, retryAfter: 11, pressed: 10, asks: false),
    ]

    @Test(arguments: asked) func `a person is asked for at once, but for the server's wish and a small floor`(
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
        let cadence = RefreshPolicy(
            row.subject, confirmed: Given.now.adding(seconds: -row.age), lastTry: last,
            lastAsked: row.pressed.map { reading(at: -$0) })
        let step = cadence.next(on: .asked, at: Given.now, reading: reading(at: 0, boot: row.boot))
        #expect((step == .refreshNow) == row.asks)
    }

    @Test func `a wall clock that is set prolongs neither the floor nor the server's wish`() {
        var generator = SeededGenerator(seed: 1)
        let last = LastTry.failed(
            RequestFailure(.busy, "503", retryAfter: 60), after: nil, at: reading(at: -60), using: &generator)
        let cadence = RefreshPolicy(.nothing, lastTry: last, lastAsked: reading(at: -10))
        for days in [-400, 0, 400] {
            let set = ClockReading(wall: Given.now.adding(days: days), uptime: 1_000_000, boot: Self.boot)
            #expect(cadence.next(on: .asked, at: Given.now, reading: set) == .refreshNow)
        }
    }

    @Test func `a report of the network repeats only a request that had no response`() {
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

    @Test func `a restart ends every wait`() {
        let cadence = RefreshPolicy(.missing(since: Given.now), lastTry: answered(0))
        #expect(cadence.next(on: .look, at: Given.now, reading: reading(at: 0, boot: "boot-2")) == .refreshNow)
    }

    @Test func `an answer from the future is stale`() {
        let cadence = RefreshPolicy(
            .lease(Given.lease(), at: Given.now), confirmed: Given.now.adding(days: 1), lastTry: answered(600))
        #expect(cadence.next(on: .look, at: Given.now, reading: reading(at: 0)) == .refreshNow)
    }
}
