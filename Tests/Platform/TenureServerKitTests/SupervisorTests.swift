import Synchronization
import TenureStore
import TenureTesting
import TenureThreads
import Testing

@testable import TenureServerKit

@Suite struct SupervisorTests {
    /// Records the turns and the ends of services, in order.
    private final class Diary: Sendable {
        private let stored = Mutex<[String]>([])
        var entries: [String] { stored.withLock { $0 } }
        func note(_ entry: String) { stored.withLock { $0.append(entry) } }
    }

    private struct Planned: Service {
        let name: String
        let diary: Diary
        var role: Role?
        var longestPause = Duration.seconds(60)
        var atTurn: @Sendable (_ turnsBefore: Int) async throws(ServerError) -> NextTurn = { _ in .after(.seconds(100))
        }

        func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
            let before = diary.entries.filter { $0 == name }.count
            diary.note(name)
            if let leader { diary.note("\(name) leads in term \(leader.term)") }
            return try await atTurn(before)
        }

        func finish() async throws(ServerError) { diary.note("\(name) ended") }
    }

    private let clock = ManualSteadyClock()
    private let log = RecordedLog()
    private let diary = Diary()

    private func supervisor(
        _ services: [any Service],
        lead: @escaping @Sendable (Role) async -> LeaderTerm? = { role in LeaderTerm(role: role, term: 1) }
    ) throws -> Supervisor {
        let supervisor = Supervisor(services, clock: clock, log: log, lead: lead)
        try supervisor.start()
        return supervisor
    }

    @Test func `a service runs again after the time that its previous turn returned`() async throws {
        let supervisor = try supervisor([
            Planned(name: "a", diary: diary) { turns in turns < 2 ? .atOnce : .after(.seconds(7)) }
        ])
        #expect(await clock.sleepers(1) == [.seconds(7)])
        #expect(diary.entries == ["a", "a", "a"])
        clock.advance(by: .seconds(6))
        #expect(await clock.sleepers(1) == [.seconds(1)])
        clock.advance(by: .seconds(1))
        #expect(await clock.sleepers(1) == [.seconds(7)])
        #expect(diary.entries.count == 4)
        #expect(await supervisor.stop(within: .seconds(1)))
    }

    @Test func `a service's failed turn is logged and repeated after a delay that grows to a minute`() async throws {
        let broken = Planned(name: "a", diary: diary) { turns throws(ServerError) in
            if turns == 8 { return .after(.seconds(100)) }
            throw ServerError(.store, "the disk is full")
        }
        let supervisor = try supervisor([broken])
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(await clock.sleepers(1) == [.seconds(wait)])
            #expect(supervisor.states[0].failure == .store)
            clock.advance(by: .seconds(wait))
        }
        #expect(await clock.sleepers(1) == [.seconds(100)])
        #expect(supervisor.states[0].failure == nil)
        #expect(supervisor.states[0].failures == 8 && supervisor.states[0].turnCount == 1)
        #expect(log.lines.map(\.event) == Array(repeating: "a_failed", count: 8))
        #expect(supervisor.states.exposition().contains(#"tenure_service_failures_total{service="a"} 8"#))
        await supervisor.stop(within: .seconds(1))
    }

    @Test func `the delay after a service's failures grows at most to the service's longest pause`() async throws {
        var broken = Planned(name: "a", diary: diary) { _ throws(ServerError) in
            throw ServerError(.store, "the store is away")
        }
        broken.longestPause = .seconds(4)
        let supervisor = try supervisor([broken])
        for wait in [1, 2, 4, 4, 4] {
            #expect(await clock.sleepers(1) == [.seconds(wait)])
            clock.advance(by: .seconds(wait))
        }
        await supervisor.stop(within: .seconds(1))
    }

    @Test func `a service with a leader role has no turn until its server leads, and then within two seconds`()
        async throws
    {
        let lead = Mutex<LeaderTerm?>(nil)
        let supervisor = try supervisor([Planned(name: "a", diary: diary, role: .expirySweep)]) { _ in
            lead.withLock { $0 }
        }
        #expect(await clock.sleepers(1) == [.seconds(2)])
        #expect(diary.entries.isEmpty && supervisor.states[0].isWaiting)
        lead.withLock { $0 = LeaderTerm(role: .expirySweep, term: 7) }
        clock.advance(by: .seconds(2))
        #expect(await clock.sleepers(1) == [.seconds(100)])
        #expect(diary.entries == ["a", "a leads in term 7"] && !supervisor.states[0].isWaiting)
        await supervisor.stop(within: .seconds(1))
    }

    @Test func `services end in the reverse order of their declaration`() async throws {
        let supervisor = try supervisor(["a", "b", "c"].map { name in Planned(name: name, diary: diary) })
        _ = await clock.sleepers(3)
        #expect(await supervisor.stop(within: .seconds(1)))
        #expect(diary.entries.suffix(3) == ["c ended", "b ended", "a ended"])
    }

    @Test func `a service that doesn't end is abandoned at the deadline and reported`() async throws {
        let hold = AsyncStream<Void>.makeStream()
        let stuck = Planned(name: "stuck", diary: diary) { _ in
            // The detached task ignores cancellation.
            await Task.detached { for await _ in hold.stream {} }.value
            return .after(.seconds(100))
        }
        let supervisor = try supervisor([Planned(name: "a", diary: diary), stuck])
        _ = await clock.sleepers(1)
        while !diary.entries.contains("stuck") { await Task.yield() }
        let stopping = Task { await supervisor.stop(within: .seconds(5)) }
        _ = await clock.sleepers(2)
        clock.advance(by: .seconds(5))
        #expect(await !stopping.value)
        #expect(diary.entries.contains("a ended") && !diary.entries.contains("stuck ended"))
        #expect(log.lines.map(\.event) == ["service_not_ended"])
        hold.continuation.finish()
    }
}
