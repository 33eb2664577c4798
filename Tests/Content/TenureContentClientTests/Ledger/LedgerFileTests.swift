import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureVault
import Testing

@testable import TenureContentClient

#if canImport(Glibc)
    import Glibc
#endif

/// A temporary folder that is removed when the object is released.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tenure-content-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

@Suite(.serialized) struct LedgerFileTests {
    private static func book(in path: String) throws -> DurableLedger {
        try DurableLedger(
            LedgerFile(folder: path, name: Given.owner.fileName), owner: Given.owner, binding: Given.binding)
    }

    @Test func `a ledger in a file is there again, and one program has it at a time`() throws {
        let folder = try TemporaryFolder()
        let grant = Given.grant()
        do {
            let book = try Self.book(in: folder.path)
            try book.append([.grant(grant, proof: Given.proof(grant))])
            try book.compact()
            try book.append([.note(.wish("mck-1"))])
            #expect(#expect(throws: VaultError.self) { try Self.book(in: folder.path) }?.code == .busy)
        }
        let again = try Self.book(in: folder.path)
        #expect(again.ledgerContents.wish == "mck-1")
        #expect(again.proof(of: grant.license) == Given.proof(grant))
        let facts = try FileManager.default.attributesOfItem(atPath: folder.file(Given.owner.fileName))
        #expect(facts[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a program that is killed loses no beat that it was told of`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let book = try Self.book(in: path)
            let grant = Given.grant()
            try book.append([.grant(grant, proof: Given.proof(grant))])
            var ledger = try #require(
                ContentLedger(grant).opening(Given.session(1), under: grant, at: ContentStatus.Moment(Given.now))
                    .outcome)
            for _ in 0..<7 {
                let before = ledger
                ledger.beat(wall: 5_000, rendered: 5_000, under: grant, at: Given.now)
                try book.append([ledger.entry(of: grant.license, after: before, known: 0)])
            }
            kill(getpid(), SIGKILL)
        }
        let kept = try #require(try Self.book(in: path).ledgerContents[Given.content(1)])
        #expect(kept.ledger.used == ContentUse(plays: 1, playSeconds: 35))
    }

    @Test func `a full disk is told, and what was kept is kept`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let book = try Self.book(in: path)
            try book.append([.note(.wish("mck-1"))])
            var limit = rlimit(rlim_cur: 4096, rlim_max: .max)
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let long = LedgerEntry.note(.keys(["k": String(repeating: "x", count: 9_000)]))
            #expect(#expect(throws: VaultError.self) { try book.append([long]) }?.code == .unwritable)
            limit.rlim_cur = .max
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            try book.append([.note(.wish("mck-2"))])
        }
        let again = try Self.book(in: path)
        #expect(again.ledgerContents.wish == "mck-2")
        #expect(again.damage == nil)
    }

    @Test func `a file that cannot be opened after it was replaced is opened later, and never the one before it`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let steps = Steps()
            let book = try DurableLedger(
                LedgerFile(folder: path, name: Given.owner.fileName) { if $0 == .renamed { steps.closeTheDoor() } },
                owner: Given.owner, binding: Given.binding)
            try book.append([.note(.wish("mck-1"))])
            steps.isArmed = true
            #expect(throws: VaultError.self) { try book.compact() }
            #expect(throws: VaultError.self) { try book.append([.note(.wish("mck-2"))]) }
            #expect(book.ledgerContents.wish == "mck-1")
            steps.openTheDoor()
            try book.append([.note(.wish("mck-3"))])
        }
        #expect(try Self.book(in: path).ledgerContents.wish == "mck-3")
    }
}

/// Prevents the process from opening files, from the moment that a test chooses.
private final class Steps {
    var isArmed = false
    private var limit = rlimit()
    /// The value of RLIMIT_NOFILE.
    private let openFiles = __rlimit_resource_t(7)

    func closeTheDoor() {
        guard isArmed, getrlimit(openFiles, &limit) == 0 else { return }
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        setrlimit(openFiles, &none)
    }

    func openTheDoor() {
        isArmed = false
        setrlimit(openFiles, &limit)
    }
}
