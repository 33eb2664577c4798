import Glibc
import TenureServerKit
import TenureStore
import TenureTesting
import TenureThreads
import Testing

@testable import TenureSQLite

@Suite struct ReaderPoolTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Queries

    private func queries(
        longest: Duration, pause: Duration = .seconds(3_600), hasReadDisk: @escaping @Sendable () -> Bool
    ) throws -> ReaderPool {
        try SQLiteStore.openForTests(folder)
        let readers = try Readers(.file(path: folder.file("a.db")), mostIdle: 1)
        return try ReaderPool(readers, threads: 1, longest: longest, pause: pause, hasReadDisk: hasReadDisk)
    }

    /// Returns whether a query from a new thread runs on that thread.
    private func isDoneInPlace(_ queries: ReaderPool) async throws -> Bool {
        try await withCheckedThrowingContinuation { caller in
            let isOver = Monitor(false)
            do {
                try startThread {
                    let asking = pthread_self()
                    Task.immediate {
                        do {
                            let looking = try await queries.run { connection in
                                try connection.fixView()
                                return pthread_self()
                            }
                            caller.resume(returning: pthread_equal(asking, looking) != 0)
                        } catch {
                            caller.resume(throwing: error)
                        }
                        isOver.change { isOver in isOver = true }
                    }
                    // The thread stays alive until the comparison, so that its id isn't reused.
                    isOver.wait { isOver in isOver ? () : nil }
                }
            } catch {
                caller.resume(throwing: error)
            }
        }
    }

    @Test func `queries that stay within the time limit run on the calling thread`() async throws {
        let queries = try queries(longest: .seconds(3_600), hasReadDisk: { true })
        for _ in 1...3 { #expect(try await isDoneInPlace(queries)) }
    }

    @Test func `after a slow query that read from the disk, later queries run on a thread of the pool`() async throws {
        let queries = try queries(longest: .zero, hasReadDisk: { true })
        #expect(try await isDoneInPlace(queries))
        for _ in 1...3 { #expect(try await !isDoneInPlace(queries)) }
    }

    @Test func `after a slow query that didn't read from the disk, later queries run on the calling thread`()
        async throws
    {
        let queries = try queries(longest: .zero, hasReadDisk: { false })
        for _ in 1...3 { #expect(try await isDoneInPlace(queries)) }
    }

    @Test func `queries run on the calling thread again after the pause that follows a slow query`() async throws {
        let queries = try queries(longest: .zero, pause: .zero, hasReadDisk: { true })
        for _ in 1...3 { #expect(try await isDoneInPlace(queries)) }
    }

    // MARK: Lists and copies

    /// Runs `ask` on a new thread while the connection is locked, and returns whether that thread was free meanwhile.
    private func isThreadFree(_ ask: @escaping @Sendable (any Store) async throws -> Void) async throws -> Bool {
        let store = try SQLiteStore.inMemory(.tenure)
        let (isHeld, isFree) = (Monitor<Bool?>(nil), Monitor(false))
        try startThread {
            store.connection.withLock { _ in
                isHeld.change(wakingAll: true) { isHeld in isHeld = true }
                isHeld.wait { isHeld in isHeld == false ? () : nil }
            }
        }
        _ = isHeld.wait { isHeld in isHeld }
        try startThread {
            Task.immediate { try await ask(store) }
            isFree.change { isFree in isFree = true }
        }
        let wasFree = isFree.wait(until: .now().advanced(by: .seconds(60))) { isFree in isFree ? true : nil }
        isHeld.change(wakingAll: true) { isHeld in isHeld = false }
        await store.close()
        return wasFree == true
    }

    @Test(arguments: StoreContract.lists)
    func `a list query doesn't block the calling thread`(_ question: StoreContract.Question) async throws {
        #expect(try await isThreadFree(question.ask))
    }

    @Test func `a snapshot or a backup doesn't block the calling thread`() async throws {
        #expect(try await isThreadFree { store in await (try store.snapshot()).end() })
        let path = folder.file("copy.db")
        #expect(try await isThreadFree { store in try await store.backup(to: path) { _ in } })
    }

    @Test func `list queries beyond the limit on waiting ones are refused as busy`() async throws {
        try SQLiteStore.openForTests(folder)
        let lists = try Lists(.file(path: folder.file("a.db")), threads: 1, limit: 1)
        let (isHeld, hasBegun) = (Monitor(true), Monitor(false))
        let held = Task.immediate {
            try await lists.run { _ in
                hasBegun.change { hasBegun in hasBegun = true }
                isHeld.wait { isHeld in isHeld ? nil : () }
            }
        }
        hasBegun.wait { hasBegun in hasBegun ? () : nil }
        let waiting = Task.immediate { try await lists.run { _ in } }
        let error = await #expect(throws: StoreError.self) { try await lists.run { _ in } }
        #expect(error?.code == .busy)
        isHeld.change { isHeld in isHeld = false }
        try await waiting.value
        try await held.value
        await lists.stop()
    }
}

extension SQLiteStore {
    /// Creates a database `a.db` with all tables in the folder.
    fileprivate static func openForTests(_ folder: TemporaryFolder) throws {
        let connection = try Connection(path: folder.file("a.db"), flags: 6)
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.migrate(path: folder.file("a.db"), to: .tenure)
    }
}
