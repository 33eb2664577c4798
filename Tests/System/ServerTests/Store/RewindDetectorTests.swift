import Foundation
import Synchronization
import TenureCore
import TenureSQLite
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

/// How a server detects that its store lost events, if the checks of its connections have different results.
@Suite struct RewindDetectorTests {
    private static let (acme, bolt) = (TenantID("acme")!, TenantID("bolt")!)

    private let store: SQLiteStore
    private let log = RecordedLog()
    private let detector: RewindDetector

    init() async throws {
        store = try SQLiteStore.inMemory(.tenure)
        detector = RewindDetector(now: { Timestamp(seconds: 1_800_000_000) }, log: log)
        try await store.save([
            .insert(SettingRecord(name: StoreID.setting, value: [1])),
            .insert(SettingRecord(name: HistoryID.setting, value: Array("one".utf8))),
        ])
    }

    /// A connection to the store whose changes are collected.
    // No lock: the test waits for the thread that uses it.
    private final class Connection: @unchecked Sendable {
        private(set) var saves: [RowWrite] = []
        private(set) var isSuspected = false
        /// Called after the connection has read the settings.
        var reads: @Sendable () -> Void = {}

        func opened(
            on store: SQLiteStore, for purpose: NewConnection.Purpose, timeline: NewConnection.Timeline? = nil
        ) -> NewConnection {
            NewConnection(
                for: purpose, database: "tenure", host: "db:5432",
                values: { [self] _, _, names throws(StoreError) in
                    defer { reads() }
                    let found = try Self.fetch(Self.settings.bind(names), store)[Self.settings.queries]
                    return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.value) })
                },
                fetch: { bound throws(StoreError) in try Self.fetch(bound, store) },
                timeline: { timeline }, rows: { _ in [] }, suspect: { [self] in isSuspected = true },
                carryOut: { [self] change throws(StoreError) in
                    saves = change.decide(try Self.fetch(change.bound, store))
                })
        }

        private static let settings = QueryPlan(for: [String].self) { query in
            query.each(SettingRecord.table.key) { names in names.map { .of($0) } }
        }

        private static func fetch(_ bound: BoundQuery, _ store: SQLiteStore) throws(StoreError) -> QueryResult {
            let result = Mutex<Result<QueryResult, StoreError>?>(nil)
            let isDone = DispatchSemaphore(value: 0)
            Task {
                let fetched: Result<QueryResult, StoreError>
                do throws(StoreError) { fetched = .success(try await store.fetch(bound)) } catch {
                    fetched = .failure(error)
                }
                result.withLock { $0 = fetched }
                isDone.signal()
            }
            isDone.wait()
            guard let fetched = result.withLock({ $0 }) else { throw StoreError(.failed, "Nothing was fetched.") }
            return try fetched.get()
        }
    }

    private func event(of tenant: TenantID) -> Event {
        Event(.storeRestored, at: Timestamp(seconds: 9), actor: .server, about: .init(tenant: tenant), facts: [])
    }

    /// Lets the server remember events that the store doesn't have.
    private func confirm(_ numbers: ClosedRange<Int64>, of tenant: TenantID = acme, by detector: RewindDetector) {
        detector.observer.appended(
            EventRecord.table.shape,
            numbers.map { NumberedRow(EventRecord(sequence: $0, event: event(of: tenant)).stored, number: $0) })
    }

    /// Checks a connection on a thread of its own, as engines do.
    @discardableResult
    private func connect(
        _ purpose: NewConnection.Purpose, _ connection: Connection = Connection(), by detector: RewindDetector? = nil,
        on timeline: NewConnection.Timeline? = nil, to other: SQLiteStore? = nil
    ) async throws -> Connection {
        let (observer, store) = ((detector ?? self.detector).observer, other ?? store)
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                caller.resume(
                    with: Result {
                        try observer.opened(connection.opened(on: store, for: purpose, timeline: timeline))
                    })
            }
        }
        return connection
    }

    @Test
    func `after a read connection finds events missing, the next write connection confirms and records their loss`()
        async throws
    {
        try await connect(.changes)
        confirm(1...3, by: detector)
        let reader = try await connect(.queries)
        #expect(reader.isSuspected && detector.isSuspecting && detector.rewound?.missing == 3)
        let writer = try await connect(.changes)
        #expect(!detector.isSuspecting && detector.rewound?.missing == 3)
        #expect(log.lines.map(\.event) == ["store_rewound"])
        try await store.save(writer.saves)
        #expect(RewoundStore(try #require(await store.setting(RewoundStore.setting)))?.missing == 3)
    }

    @Test func `a suspected loss of events is dropped once a write connection finds the events`() async throws {
        try await connect(.changes)
        confirm(1...1, by: detector)
        try await connect(.queries)
        #expect(detector.isSuspecting)
        try await store.save([.insert(EventCounter(tenant: Self.acme, last: 0)), .event(event(of: Self.acme))])
        try await connect(.changes)
        #expect(detector.rewound == nil && log.lines.isEmpty)
    }

    @Test func `a reading of the settings that began before a loss of events was recorded doesn't clear the loss`()
        async throws
    {
        try await connect(.changes)
        let early = RewindDetector.Reading(id: "one", rewound: nil, changes: detector.changes)
        confirm(1...3, by: detector)
        try await connect(.changes)
        #expect(!detector.adopt(early) && detector.rewound != nil)
        let later = RewindDetector.Reading(id: "one", rewound: nil, changes: detector.changes)
        #expect(detector.adopt(later) && detector.rewound == nil, "settled")
    }

    @Test func `a read connection whose check began before a loss of events was recorded doesn't clear the loss`()
        async throws
    {
        try await connect(.changes)
        let reader = Connection()
        reader.reads = {
            reader.reads = {}
            confirm(1...3, by: detector)
            try? detector.observer.opened(Connection().opened(on: store, for: .changes))
        }
        try await connect(.queries, reader)
        #expect(detector.rewound?.missing == 3 && !detector.isSuspecting)
    }

    @Test func `after a store's id was replaced, connections to a store with the former id are refused`() async throws {
        try await connect(.changes)
        #expect(detector.adopt(.init(id: "two", rewound: nil, changes: detector.changes)))
        #expect(!detector.adopt(.init(id: "one", rewound: nil, changes: detector.changes)))
        for purpose in [NewConnection.Purpose.changes, .queries, .other] {
            let error = await #expect(throws: StoreError.self) { try await connect(purpose) }
            #expect(error?.code == .rewound)
        }
        #expect(log.lines.filter { $0.event == "store_timeline_refused" }.count == 1)
    }

    @Test func `a connection to a database with a lower timeline than before is refused`() async throws {
        func timeline(_ number: String) -> NewConnection.Timeline { .init(system: "a", number: number) }
        try await connect(.other, on: timeline("0000000A"))
        for purpose in [NewConnection.Purpose.changes, .queries, .other] {
            let error = await #expect(throws: StoreError.self) { try await connect(purpose, on: timeline("00000009")) }
            #expect(error?.code == .rewound)
            #expect(error?.message.contains("timeline 9") == true)
        }
        try await connect(.changes, on: timeline("0000000A"))
    }

    @Test func `a database without an initialized store isn't checked for lost events`() async throws {
        try await connect(.changes)
        confirm(1...3, by: detector)
        let empty = try SQLiteStore.inMemory(.tenure)
        try await connect(.changes, to: empty)
        #expect(log.lines.isEmpty)
    }

    @Test
    func `a second server that notices the same loss extends the recorded loss and skips no further event numbers`()
        async throws
    {
        try await store.save([.insert(EventCounter(tenant: Self.acme, last: 0)), .event(event(of: Self.acme))])
        let second = RewindDetector(now: { Timestamp(seconds: 1_800_000_000) }, log: log)
        for detector in [detector, second] { try await connect(.changes, by: detector) }
        confirm(1...4, of: Self.bolt, by: detector)
        confirm(3...5, of: Self.bolt, by: second)
        let first = try await connect(.changes, by: detector)
        try await store.save(first.saves)
        let floor = try #require(await store.setting(EventFloor.setting))
        let recorded = try #require(await store.setting(RewoundStore.setting).flatMap { RewoundStore($0) })
        let writes = try await connect(.changes, by: second).saves
        try await store.save(writes)
        #expect(writes.count == 1, "only the record changes")
        #expect(try await store.setting(EventFloor.setting) == floor)
        let all = try #require(await store.setting(RewoundStore.setting).flatMap { RewoundStore($0) })
        #expect(all.losses[Self.bolt]?.numbers == 1...5)
        #expect(all.losses[Self.bolt]?.restored == recorded.losses[Self.bolt]?.restored)
        let later = try await connect(.changes, by: second)
        #expect(later.saves.isEmpty)
    }
}
