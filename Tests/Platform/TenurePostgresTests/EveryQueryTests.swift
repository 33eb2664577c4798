import Foundation
import GoldenFiles
import TenureCore
import TenureLicensing
import TenureMarketplace
import TenureMarketplaceServer
import TenurePostgres
import TenureSQLite
import TenureTesting
import Testing

@testable import TenureContentServer
@testable import TenureLicensingServer
@testable import TenureSellingServer
@testable import TenureServerKit
@testable import TenureStore

/// Runs every declared query on both engines over the same rows: the samples of every table.
@Suite struct `Every declared query answers on PostgreSQL as in SQLite` {
    @Test func `queries by key or set find the rows that match their declaration on SQLite and PostgreSQL`()
        async throws
    {
        try await onBoth { stores in
            for set in StoreSchema.tenure.sets {
                for values in Self.questions(of: set) {
                    let expected = Self.rows(of: set, values).map { row in Self.values(row, of: set.table) }
                    for (engine, store) in stores {
                        let found = try await Self.found(set, values, in: store)
                        #expect(found == expected, "\(set.fullName) \(values) on \(engine)")
                    }
                }
            }
        }
    }

    @Test func `named queries give the same result on SQLite and PostgreSQL`() async throws {
        try await onBoth { stores in
            for (view, list) in Self.namedQueries + Self.eventEnds {
                var answers: [[String]] = []
                for (_, store) in stores {
                    answers.append(try await store.answers(view, list).map { String(reflecting: $0) }.sorted())
                }
                #expect(answers[0] == answers[1], "\(view.name)")
            }
        }
    }

    @Test func `each query lock runs with its declared parameter types on SQLite and PostgreSQL`() async throws {
        try await onBoth { stores in
            for lock in Self.locks {
                let list = lock.parameters.map(Self.value)
                let plan = QueryPlan(for: [StoredValue].self) { query in query.hold(lock) { $0 } }
                for (engine, store) in stores {
                    let count = try await store.perform(Transaction(plan.bind(list)) { _ in TransactionResult(1) })
                    #expect(count == 1, "\(lock.postgres) on \(engine)")
                }
            }
        }
    }

    /// Compares the number of named queries and locks in the sources with those tested here.
    ///
    /// The pattern doesn't find the query for stray events, which is a function. The lock of an address is private to
    /// its use case, so this suite doesn't test it.
    @Test func `the PostgreSQL tests cover as many named queries and query locks as the sources declare`() throws {
        let sources = URL.packageRoot.appending(path: "Sources").path
        var (views, locks) = (0, 0)
        for file in try FileManager.default.subpathsOfDirectory(atPath: sources) where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
            views += text.matches(of: /static let \w+ = NamedQuery</).count
            locks += text.matches(of: /static let \w+ = QueryLock\(/).count
        }
        #expect(views + 1 == Set(Self.namedQueries.map { view, _ in view.name }).count)
        #expect(locks == Self.locks.count + 1)
    }
}

// MARK: - Queries

extension `Every declared query answers on PostgreSQL as in SQLite` {
    private typealias Stores = [(engine: String, store: any Store)]

    private func onBoth(_ body: (Stores) async throws -> Void) async throws {
        let url = try PostgresServer.shared.get().makeDatabase()
        let stores: Stores = [
            ("SQLite", try SQLiteStore.inMemory(.tenure)),
            ("PostgreSQL", try await PostgresStore.open(.tenure, url: url, mode: .create)),
        ]
        for (_, store) in stores {
            for sample in TableSample.all { try await store.adopt(sample.rows, of: sample.table) }
        }
        try await body(stores)
        for (_, store) in stores { await store.close() }
    }

    private static func samples(_ table: TableShape) -> [StoredRow] {
        TableSample.all.filter { $0.table.name == table.name }.flatMap(\.rows)
    }

    private static func values(_ row: StoredRow, of table: TableShape) -> [StoredValue] {
        table.columns.map { $0.value(row) }
    }

    /// Returns the values of each sample row, and mixtures of two rows, which mostly match nothing.
    private static func questions(of set: SetShape) -> Set<[StoredValue]> {
        let rows = samples(set.table)
        var found: Set<[StoredValue]> = set.columns.isEmpty ? [[]] : []
        for one in rows {
            for other in rows {
                let values = set.columns.enumerated().map { position, column in
                    set.table.columns[column].value(position == 0 ? one : other)
                }
                if !values.contains(where: \.isNull) { found.insert(values) }
            }
        }
        return found
    }

    /// Returns the sample rows that match according to the declaration, without an engine.
    private static func rows(of set: SetShape, _ values: [StoredValue]) -> [StoredRow] {
        let wanted = StoredValues(values)
        return samples(set.table).filter { row in set.values(of: row) == wanted }.sorted(by: set.precedes)
    }

    /// Returns the rows that the query finds. Reading them by count, list and page must find the same rows.
    private static func found(
        _ set: SetShape, _ values: [StoredValue], in store: any Store
    ) async throws -> [[StoredValue]] {
        let rows = RowSet<TenantRow>(shape: set)
        let plan = QueryPlan(for: [StoredValue].self) { query in _ = query.anyRows(rows, upTo: 10) { $0 } }
        let results = try await store.fetch(plan.bind(values))
        guard case .rows(let found) = results.found[0] else { return [] }
        let read = found.map { row in Self.values(row, of: set.table) }
        // Stores don't count the rows of a unique key.
        if !set.isUnique {
            let counting = QueryPlan(for: [StoredValue].self) { query in query.anyCount(rows, upTo: 10) { $0 } }
            let counted = try await store.fetch(counting.bind(values))
            #expect(counted[counting.queries] == read.count, "the count of \(set.fullName)")
        }
        if !set.columns.isEmpty {
            let many = QueryPlan(for: [StoredValue].self) { query in query.each(rows, upTo: 10) { $0 } }
            let listed = try await store.fetch(many.bind(values))
            guard case .rows(let found) = listed.found[0] else { return [] }
            #expect(found.map { Self.values($0, of: set.table) } == read, "the list by many values of \(set.fullName)")
        }
        for isBackwards in [false, true] where !set.table.keyColumns.isEmpty {
            var pages: [StoredRow] = []
            while true {
                let cursor = pages.last.map { last in set.order.map { set.table.columns[$0.column].value(last) } } ?? []
                let page = try await store.rows(
                    ListingShape(
                        set: set, values: values, alternatives: [], cursor: cursor, isBackwards: isBackwards, limit: 1))
                pages += page
                if page.isEmpty || pages.count > 10 { break }
            }
            let listed = pages.map { row in Self.values(row, of: set.table) }
            #expect((isBackwards ? listed.reversed() : listed) == read, "the pages of \(set.fullName)")
        }
        return read
    }

    // MARK: - Named queries and locks

    private static let acme = TenantID("acme")!
    /// A time close to the times of the sample rows.
    private static let noon = Timestamp(seconds: 1_790_000_000)

    /// The queries for the last event of a filter, which are generated from the filter's set.
    private static var eventEnds: [(NamedQueryShape, [StoredValue])] {
        [
            EventFilter(tenant: acme), EventFilter(tenant: acme, account: AccountID("ada")),
            EventFilter(tenant: acme, license: LicenseID(number: 1)), EventFilter(tenant: acme, holderRef: "ref"),
        ].map(EventSource.init).map { source in
            let shape = source.ends.shape
            let rest = Array(repeating: StoredValue.integer(0), count: shape.parameters.count - source.values.count)
            return (shape, source.values + rest)
        }
    }

    /// Each named query with its parameters: columns of the sample rows, then times before, at and after their times.
    private static var namedQueries: [(NamedQueryShape, [StoredValue])] {
        let now = StoredValue.of(noon), late = StoredValue.of(noon.adding(seconds: 400 * 86_400))
        let early = StoredValue.integer(0)
        func columns(_ table: TableShape, _ names: [String], _ times: [StoredValue]) -> [StoredValue] {
            samples(table).flatMap { row in
                names.map { name in table.columns[table.position(of: name)].value(row) } + times
            }
        }
        let rights = ["tenant", "account", "item"]
        let moments: [(NamedQueryShape, [StoredValue])] = [early, now, late].flatMap { time in
            [
                (CountedDevice.ofLicense.shape, columns(License.table.shape, ["id"], [time])),
                (UsedUpDevices.all.shape, [time]), (RenewalRisk.all.shape, [time, late, late]),
                (TrialCounts.entries.shape, [time]), (Census.ended.shape, [time]),
                (AppDevice.ofRights.shape, columns(AppLicense.table.shape, rights, [time])),
                (AppDevice.ofLicenses.shape, columns(AppLicense.table.shape, ["id", "tenant"], [time])),
            ]
        }
        let whole = [
            PolicyCount.all.shape, Census.entries.shape, KeyedAsset.all.shape, AppCount.all.shape,
            ContentUses.all.shape, StandbyWait.query.shape,
            EventRecord.stray(outside: ["licenses", "app_licenses"]).shape,
        ]
        return moments + whole.map { view in (view, []) }
    }

    private static let locks = [
        QueryLock.credential, Job.turn, IdempotentResponse.turn, Trial.turn, AppLicense.turnOfAccount,
        AppLicense.turnOfDevice, AppLicense.turnOfOwner, Mail.turnOfAddress, PaymentMessage.turnOfSource,
        .holder, .holderOfEnrolment, .holderOfLicense, .holderOfCredential,
    ]

    private static func value(_ type: StoredType) -> StoredValue {
        switch type {
        case .integer: .integer(8)
        case .text: .text("acme")
        case .blob: .blob([UInt8](repeating: 7, count: 32))
        case .flag: .flag(true)
        case .name: .name(1, 2)
        }
    }
}
