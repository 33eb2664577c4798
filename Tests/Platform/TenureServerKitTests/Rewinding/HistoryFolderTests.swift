import Foundation
import TenureCore
import TenureStore
import Testing

@testable import TenureServerKit

/// Tests how a data folder stores the remembered histories of several stores.
@Suite final class HistoryFolderTests {
    private let path = NSTemporaryDirectory() + "history-\(UUID())"
    private var folder: HistoryFolder { HistoryFolder(path: path) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func history(_ number: Int64) -> RememberedHistory {
        RememberedHistory(
            of: "one", [ConfirmedEvent(tenant: TenantID("acme")!, number: number, digest: .sha256(of: "\(number)"))])
    }

    private func save(_ number: Int64, of store: StoreIdentity) throws {
        try #require(folder.takeFile(of: store)).save(history(number).bytes)
    }

    private func numbers(of store: StoreIdentity) -> Set<Int64> {
        Set(folder.remembered(of: store).history.events.map(\.number))
    }

    private static let shop = StoreIdentity(id: [1], database: "tenure")
    private static let other = StoreIdentity(id: [2], database: "tenure")
    private static let copy = StoreIdentity(id: [1], database: "tenure_tests")

    @Test func `each store has its own remembered history`() throws {
        #expect(folder.isEmpty)
        try save(1, of: Self.shop)
        try save(2, of: Self.other)
        #expect(!folder.isEmpty)
        #expect(numbers(of: Self.shop) == [1] && numbers(of: Self.other) == [2])
    }

    @Test func `a database copy under another name starts with the original's remembered history`() throws {
        try save(1, of: Self.shop)
        #expect(numbers(of: Self.copy) == [1])
        try save(2, of: Self.copy)
        try save(3, of: Self.shop)
        #expect(numbers(of: Self.shop) == [3] && numbers(of: Self.copy) == [2])
    }

    @Test func `servers that share a store and a data folder write separate history files and read all of them`() throws
    {
        let first = try #require(folder.takeFile(of: Self.shop))
        let second = try #require(folder.takeFile(of: Self.shop))
        try first.save(history(1).bytes)
        try second.save(history(2).bytes)
        #expect(numbers(of: Self.shop) == [1, 2])
    }

    @Test func `a damaged history file is skipped, and an unreadable one is reported`() throws {
        let first = try #require(folder.takeFile(of: Self.shop))
        let second = try #require(folder.takeFile(of: Self.shop))
        try first.save(Array("soon".utf8))
        try second.save(history(2).bytes)
        #expect(numbers(of: Self.shop) == [2])
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasSuffix(".lock") }.sorted()
        try FileManager.default.removeItem(atPath: "\(path)/\(names[0])")
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(names[0])", withDestinationPath: "/dev/null")
        #expect(folder.remembered(of: Self.shop).unreadable == ["\(path)/\(names[0])"])
        #expect(numbers(of: Self.shop) == [2])
    }
}
