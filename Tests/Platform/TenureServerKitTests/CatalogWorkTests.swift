import Synchronization
import TenureCore
import TenureFormats
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Tests jobs whose work depends on the catalog.
@Suite struct CatalogWorkTests {
    /// Records the pieces of a job that ran, in order.
    private final class Pieces: Sendable {
        private let state = Mutex<[Int64]>([])
        /// The catalog version that each piece ran under.
        var versions: [Int64] { state.withLock { $0 } }
        func note(_ version: Int64) { state.withLock { $0.append(version) } }
    }

    private struct Refused: Error {}

    private typealias Decide = @Sendable (_ piece: Int) throws -> Bool

    private let store: any Store
    private let catalog: CatalogCache
    private let clock = ManualClock(at: Timestamp(seconds: 1_800_000_000))
    private let pieces = Pieces()

    init() async throws {
        let database = try TestCatalog.Database(changesEachTime: false, answersInPlace: true)
        if try await database.catalogVersion() == 0 { try await database.changeCatalog() }
        store = database
        catalog = try await FeatureSet.tenure.cache(of: database, under: MasterKey(bytes: Array(0..<32)))
    }

    /// Creates a job and runs one turn; returns the job's row afterwards.
    ///
    /// - Parameters:
    ///   - between: Runs between each piece and its save.
    ///   - fits: Returns whether a piece's prepared result fits; receives the number of pieces so far.
    private func run(
        between: @escaping @Sendable (_ piece: Int) async throws -> Void = { _ in },
        fits: @escaping Decide = { _ in true }
    ) async throws -> Job? {
        var random = SystemRandomNumberGenerator()
        let job = Self.name.job("note", id: .random(using: &random), of: TenantID("acme"), at: clock.now())
        try await store.perform(Transaction { TransactionResult((), [.insert(job)]) })
        let pieces = pieces
        let kind = Job.Kind(
            Self.name, rules: Job.Rules(plan: Job.RetryPlan(waits: [10], jitterPercent: 0)), under: catalog
        ) { name, job, _, snapshot in
            pieces.note(snapshot.version)
            let number = pieces.versions.count
            try await between(number)
            return Self.saving.work(on: job, name, under: snapshot) { results, existing in
                guard try fits(number) else { return nil }
                let value = Array("version \(snapshot.version)".utf8)
                return (.done, [.put(SettingRecord(name: name, value: value), over: results[existing])])
            }
        }
        _ = try await JobRunner(kind, store: store, clock: clock, log: RecordedLog()).turn(as: nil)
        return try await store.jobs([.failed, .running, .waiting], limit: 10).first
    }

    private func saved() async throws -> String? {
        try await store.setting("note").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a piece of a job runs again under the newer catalog if the catalog changed before the save`()
        async throws
    {
        let store = try #require(store as? TestCatalog.Database)
        let version = catalog.current.version
        let job = try await run(between: { piece in if piece == 1 { try await store.changeCatalog() } })
        #expect(pieces.versions == [version, version + 1])
        #expect(try await saved() == "version \(version + 1)")
        #expect(job == nil)
    }

    @Test func `a piece of a job runs again if the data that it read has changed when its result is saved`()
        async throws
    {
        let job = try await run(fits: { $0 == 3 })
        #expect(pieces.versions.count == 3)
        #expect(try await saved() != nil)
        #expect(job == nil)
    }

    @Test func `a piece of a job whose catalog changes each time fails after eight attempts and is retried later`()
        async throws
    {
        let store = try #require(store as? TestCatalog.Database)
        let job = try #require(try await run(between: { _ in try await store.changeCatalog() }))
        #expect(pieces.versions.count == 8)
        #expect(try await saved() == nil)
        #expect(job.state == .waiting && job.failures == 1 && job.dueAt == clock.now().adding(seconds: 10))
        #expect(job.failure == "what it depends on changed during each of several attempts")
    }

    @Test func `an error thrown while a piece of a job is saved fails the piece and saves nothing`() async throws {
        let job = try #require(try await run(fits: { _ in throw Refused() }))
        #expect(pieces.versions.count == 1)
        #expect(try await saved() == nil)
        #expect(job.state == .waiting && job.failures == 1)
    }

    private static let name = JobName<String>("test.note") { name, body in
        body.member("name", name)
    } read: { body in
        body.string("name").value
    }

    private static let saving = Job.CatalogWorkPlan(for: String.self) { query in
        query.hold(Job.turn) { [.of($0)] }
        return query.row(SettingRecord.table.key) { [.of($0)] }
    }
}
