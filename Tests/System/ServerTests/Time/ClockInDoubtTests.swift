import Synchronization
import TenureCore
import TenureHTTP
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// How a complete server behaves while its clock is untrusted. Tests move the wall clock and the steady clock.
@Suite struct ClockInDoubtTests {
    /// The wall clock and the steady clock of a host.
    private final class Machine: Sendable {
        private let state: Mutex<ClockWatch.Sample>

        init(_ start: Timestamp) { state = Mutex(ClockWatch.Sample(wall: start, steady: 0)) }

        var reading: ClockWatch.Sample { state.withLock { $0 } }

        func pass(_ seconds: Int64) {
            state.withLock {
                $0 = ClockWatch.Sample(wall: $0.wall.adding(seconds: seconds), steady: $0.steady + seconds)
            }
        }

        func set(ahead seconds: Int64) {
            state.withLock { $0 = ClockWatch.Sample(wall: $0.wall.adding(seconds: seconds), steady: $0.steady) }
        }
    }

    private static let days: Int64 = 86_400

    private let machine: Machine
    private let vendor: Vendor
    private let clock: WatchedClock
    private let keepTime: KeepTime
    private let server: LicenseServer
    private let log = RecordedLog()

    init() async throws {
        vendor = try await Vendor()
        machine = Machine(vendor.clock.now())
        clock = WatchedClock(since: .none) { [machine] in machine.reading }
        keepTime = KeepTime(
            clock, in: vendor.store, since: try await ClockWatch.Mark.read(from: vendor.store), log: log)
        server = try await LicenseServer(
            .tenure, store: vendor.store, master: vendor.master, clock: clock, keepTime: keepTime, log: log,
            facts: ServerFacts(version: "test"), stopwatch: { 0 })
    }

    private func send(_ method: String, _ path: String, _ body: String = "") async -> Answer {
        Answer(
            await server.handler.respond(
                to: Request(
                    method: method, path: path, headers: ["Content-Type": "application/json"], body: Array(body.utf8),
                    id: "r1")))
    }

    private func activate() async -> Answer {
        await send("POST", "/acme/notes/activate", #"{"license_key":"NOTE-PRO0-0000-0001","instance_name":"Mac"}"#)
    }

    @Test func `during clock doubt, activations and signed responses are refused, and keysets are still served`()
        async throws
    {
        #expect(await activate().status == 200)
        machine.set(ahead: 400 * Self.days)
        let changes = vendor.watched.changes
        let refused = await activate()
        #expect(refused.status == 503 && refused.headers["Retry-After"] != nil)
        #expect(refused.text("code") == "clock_in_doubt" || refused.text("error") == "clock_in_doubt")
        #expect(await send("GET", "/acme/notes/config").status == 503, "the response would be signed")
        #expect(await send("GET", "/acme/.well-known/keylight-keys").status == 200)
        #expect(await send("GET", "/health").status == 200)
        let ready = await send("GET", "/ready")
        #expect(ready.status == 503 && ready.text("code") == "clock_in_doubt")
        for service in server.services where !["clock", "master_key", "store_check"].contains(service.name) {
            #expect(try await service.turn(as: nil) == .after(.seconds(5)))
        }
        #expect(vendor.watched.changes == changes)
        machine.set(ahead: -400 * Self.days)
        #expect(await activate().status == 200)
        #expect(await send("GET", "/ready").status == 200)
    }

    @Test func `during clock doubt, the store refuses writes that bypass the request handler`() async throws {
        let guarded = ClockGuardedStore(vendor.store, by: clock)
        machine.set(ahead: -4_000)
        let setting = SettingRecord(name: "one", value: [1])
        let error = await #expect(throws: StoreError.self) {
            try await guarded.perform(Transaction { TransactionResult((), [.insert(setting)]) })
        }
        #expect(try await guarded.setting("one") == nil)
        #expect(try await guarded.perform(Transaction { TransactionResult(7) }) == 7, "no write, so no date is needed")
        #expect(error?.code == .clockInDoubt && error?.message.contains("tenure clock accept") == true)
        #expect(try await guarded.setting("nothing") == nil, "reads still work")
    }

    @Test func `the stored high-water mark follows a trusted clock, not a doubted one, and doesn't decrease`()
        async throws
    {
        func seen() async throws -> Timestamp? { try await ClockWatch.Mark.read(from: vendor.store).seen }
        _ = try await keepTime.turn(as: nil)
        let first = machine.reading.wall
        #expect(try await seen() == first)
        machine.pass(3)
        _ = try await keepTime.turn(as: nil)
        #expect(try await seen() == first, "a recent mark isn't written again")
        machine.pass(3)
        _ = try await keepTime.turn(as: nil)
        #expect(try await seen() == first.adding(seconds: 6))
        machine.pass(100)
        machine.set(ahead: 400 * Self.days)
        #expect(try await keepTime.turn(as: nil) == .after(.seconds(2)))
        try await keepTime.finish()
        #expect(try await seen() == first.adding(seconds: 6))
        #expect(log.lines.filter { $0.event == "clock_in_doubt" }.count == 1)
        _ = try await keepTime.turn(as: nil)
        #expect(log.lines.filter { $0.event == "clock_in_doubt" }.count == 1, "at most once a minute")
        machine.set(ahead: -400 * Self.days - 200)
        #expect(try await keepTime.turn(as: nil) == .after(.seconds(6)))
        #expect(log.lines.contains { $0.event == "clock_trusted" })
        try await keepTime.finish()
        #expect(try await seen() == first.adding(seconds: 6))
    }

    @Test func `a command doubts a clock that was set since the running server's last reading`() async throws {
        func reading(of boot: String = "this") async throws -> ClockWatch.Sample? {
            try await ClockWatch.Mark.read(from: vendor.store, boot: boot).reading
        }
        let keepTime = KeepTime(clock, in: vendor.store, since: .none, boot: "this", log: log)
        _ = try await keepTime.turn(as: nil)
        #expect(try await reading() == machine.reading)
        #expect(try await reading(of: "another") == nil)
        machine.pass(60)
        machine.set(ahead: Self.days)
        let command = WatchedClock(since: try await ClockWatch.Mark.read(from: vendor.store, boot: "this")) {
            [machine] in machine.reading
        }
        #expect(command.doubt == ClockDoubt(.stepped, by: Self.days))
        try await keepTime.finish()
        #expect(try await reading() != nil, "the doubt outlives the server")

        _ = try await FeatureContext(vendor.store, clock: vendor.clock).acceptClock(
            machine.reading.wall, by: .operator("cli"))
        #expect(try await reading() == nil)
        _ = try await keepTime.turn(as: nil)
        #expect(try await reading() == machine.reading)
        try await keepTime.finish()
        #expect(try await reading() == nil, "the server has stopped, so the clock may be set")
    }

    @Test func `an operator's acceptance ends a clock doubt only if the clock shows the accepted time`() async throws {
        _ = try await keepTime.turn(as: nil)
        machine.set(ahead: 400 * Self.days)
        _ = try await keepTime.turn(as: nil)
        let context = FeatureContext(vendor.store, clock: vendor.clock)
        _ = try await context.acceptClock(machine.reading.wall.adding(seconds: -400 * Self.days), by: .operator("cli"))
        _ = try await keepTime.turn(as: nil)
        #expect(clock.doubt != nil, "the operator accepted a different time")
        #expect(try await context.acceptClock(machine.reading.wall, by: .operator("cli")) != nil)
        #expect(try await keepTime.turn(as: nil) == .after(.seconds(6)))
        #expect(clock.doubt == nil)
        #expect(await activate().status == 200)
        let events = try await vendor.store.all(EventRecord.table.all).map(\.event)
        #expect(events.filter { $0.kind.text == "clock.accepted" }.count == 2)
        for event in events { #expect(FeatureSet.tenure.registry.fault(in: event) == nil) }
    }

    @Test func `an acceptance of the clock doesn't end a later doubt`() async throws {
        _ = try await keepTime.turn(as: nil)
        _ = try await FeatureContext(vendor.store, clock: vendor.clock).acceptClock(
            machine.reading.wall, by: .operator("cli"))
        machine.pass(3_600)
        _ = try await keepTime.turn(as: nil)
        machine.set(ahead: -3_600)
        _ = try await keepTime.turn(as: nil)
        #expect(clock.doubt?.kind == .stepped, "the clock again shows the time that was accepted an hour ago")
    }

    @Test func `a clock that was accepted although the database's differs isn't doubted at the next start`()
        async throws
    {
        let late = OddStore(inner: vendor.store, clock: { [machine] in machine.reading.wall.seconds - 3_600 })
        func begin(_ store: any Store) async throws -> WatchedClock {
            let clock = WatchedClock(since: try await ClockWatch.Mark.read(from: store)) { [machine] in machine.reading
            }
            try await clock.compare(with: store)
            return clock
        }
        #expect(try await begin(late).doubt?.kind == .apart)
        _ = try await FeatureContext(late, clock: vendor.clock).acceptClock(machine.reading.wall, by: .operator("cli"))
        #expect(try await begin(late).doubt == nil)

        // The database's clock is corrected.
        let right = OddStore(inner: vendor.store, clock: { [machine] in machine.reading.wall.seconds })
        let again = try await begin(right)
        #expect(again.doubt == nil)
        let mark = try await ClockWatch.Mark.read(from: right)
        _ = try await KeepTime(again, in: right, since: mark, log: log).turn(as: nil)
        #expect(try await begin(late).doubt?.kind == .apart, "the accepted time no longer applies")
    }

    @Test func `a delayed response to the query for the database's time causes no clock doubt`() async throws {
        let slow = OddStore(
            inner: vendor.store,
            clock: { [machine] in
                let time = machine.reading.wall.seconds
                machine.pass(7_200)
                return time
            })
        try await clock.compare(with: slow)
        #expect(clock.doubt == nil, "the host was asleep")
    }

    @Test func `after a start in clock doubt, time continues from the stored high-water mark`() async throws {
        _ = try await keepTime.turn(as: nil)
        let marked = machine.reading.wall
        machine.set(ahead: 400 * Self.days)
        let clock = WatchedClock(since: try await ClockWatch.Mark.read(from: vendor.store)) { [machine] in
            machine.reading
        }
        #expect(clock.doubt?.kind == .ahead)
        machine.pass(5)
        #expect(clock.now() == marked.adding(seconds: 5), "retired keys are published, tokens have not expired")
    }

    @Test func `the service that watches the clock keeps running while the disk is full`() async throws {
        let isFull = Mutex(true)
        let full = OddStore(
            inner: vendor.store, refusal: { isFull.withLock { $0 ? StoreError(.full, "The disk is full.") : nil } })
        let guarded = ClockGuardedStore(full, by: clock)
        let keepTime = KeepTime(clock, in: guarded, since: try await ClockWatch.Mark.read(from: vendor.store), log: log)
        #expect(try await keepTime.turn(as: nil) == .after(.seconds(6)))
        #expect(guarded.isFull && log.lines.contains { $0.event == "store_full" })
        try await guarded.perform(Transaction { TransactionResult(()) })
        #expect(guarded.isFull, "nothing was saved")
        isFull.withLock { $0 = false }
        #expect(try await keepTime.turn(as: nil) == .after(.seconds(6)))
        #expect(!guarded.isFull)
    }

    @Test func `clearing a store's high-water mark of the clock removes the stored time`() async throws {
        func mark() async throws -> ClockWatch.Mark { try await ClockWatch.Mark.read(from: vendor.store) }
        _ = try await keepTime.turn(as: nil)
        _ = try await FeatureContext(vendor.store, clock: vendor.clock).acceptClock(
            machine.reading.wall, by: .operator("cli"))
        let stored = try await mark()
        #expect(stored.seen != nil && stored.accepted != nil)
        try await ClockWatch.Mark.forget(in: vendor.store)
        let cleared = try await mark()
        #expect(cleared.seen == nil && cleared.accepted == nil)
    }
}
