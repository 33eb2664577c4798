import Synchronization
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting

/// A catalog cache over a SQLite database in memory, whose catalog version a test can raise.
struct TestCatalog {
    /// The database. A test can change its catalog before each read, and make every read wait.
    final class Database: StoreDecorator {
        let inner: any Store
        let changesEachTime: Bool
        let answersInPlace: Bool
        private let isInUse = Mutex(false)

        init(changesEachTime: Bool, answersInPlace: Bool) throws {
            inner = try SQLiteStore.inMemory(.tenure)
            self.changesEachTime = changesEachTime
            self.answersInPlace = answersInPlace
        }

        /// Raises the catalog's version by one.
        func changeCatalog() async throws(StoreError) {
            try await inner.perform(
                Transaction(Self.version.bind()) { results in
                    let version = results[Self.version.queries] ?? CatalogVersion(version: 0)
                    return TransactionResult((), [.replace(version, by: CatalogVersion(version: version.version + 1))])
                })
        }

        /// From now on, changes the catalog before each read if `changesEachTime` is set.
        func begin() { isInUse.withLock { $0 = true } }

        func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult {
            if changesEachTime, isInUse.withLock({ $0 }) { try await changeCatalog() }
            return try await inner.fetch(bound)
        }

        func fetchInPlace(_ bound: BoundQuery) throws(StoreError) -> QueryResult? {
            answersInPlace ? try inner.fetchInPlace(bound) : nil
        }

        func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
            try await inner.perform(change)
        }

        private static let version = QueryPlan(isAlone: true) { query in query.row(CatalogVersion.table.key) }
    }

    let cache: CatalogCache

    /// Creates a cache that has read version 1.
    ///
    /// - Parameter isBehind: Whether the database already has version 2.
    init(isBehind: Bool = false, changesEachTime: Bool = false, answersInPlace: Bool = true) async throws {
        let database = try Database(changesEachTime: changesEachTime, answersInPlace: answersInPlace)
        if try await database.catalogVersion() == 0 { try await database.changeCatalog() }
        cache = try await FeatureSet.tenure.cache(of: database, under: MasterKey(bytes: Array(0..<32)))
        if isBehind { try await database.changeCatalog() }
        database.begin()
    }
}
