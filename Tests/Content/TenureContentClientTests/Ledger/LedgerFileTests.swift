import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureFiles
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
    private static func durableLedger(in path: String) throws -> DurableLedger {
        try DurableLedger(
            LedgerFile(folder: path, name: Given.owner.fileName), owner: Given.owner, binding: Given.binding)
    }

    @Test func `a ledger in a file is unchanged after reopening, and can't be opened twice at the same time`() throws {
        let folder = try TemporaryFolder()
        let grant = Given.grant()
        do {
            let durableLedger = try Self.durableLedger(in: folder.path)
            try durableLedger.append([.grant(grant, proof: Given.proof(grant))])
            try durableLedger.compact()
            try durableLedger.append([.note(.requestedContent("mck-1"))])
            #expect(#expect(throws: VaultError.self) { try Self.durableLedger(in: folder.path) }?.code == .busy)
        }
        let again = try Self.durableLedger(in: folder.path)
        #expect(again.ledgerContents.requestedContent == "mck-1")
        #expect(again.proof(of: grant.license) == Given.proof(grant))
        let facts = try FileManager.default.attributesOfItem(atPath: folder.file(Given.owner.fileName))
        #expect(facts[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a killed program loses no recorded second of playback`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let durableLedger = try Self.durableLedger(in: path)
            let grant = Given.grant()
            try durableLedger.append([.grant(grant, proof: Given.proof(grant))])
            var ledger = try #require(
                ContentLedger(grant).opening(Given.session(1), under: grant, at: ContentStatus.Moment(Given.now))
                    .outcome)
            for _ in 0..<7 {
                let before = ledger
                ledger.beat(wall: 5_000, rendered: 5_000, under: grant, at: Given.now)
                try durableLedger.append([ledger.entry(of: grant.license, after: before, acknowledged: 0)])
            }
            kill(getpid(), SIGKILL)
        }
        let stored = try #require(try Self.durableLedger(in: path).ledgerContents[Given.content(1)])
        #expect(stored.ledger.used == ContentUse(plays: 1, playSeconds: 35))
    }

    @Test func `a ledger write beyond the file size limit fails and leaves the ledger undamaged`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let durableLedger = try Self.durableLedger(in: path)
            try durableLedger.append([.note(.requestedContent("mck-1"))])
            var limit = rlimit(rlim_cur: 4096, rlim_max: .max)
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let long = LedgerEntry.note(.keys(["k": String(repeating: "x", count: 9_000)]))
            #expect(#expect(throws: VaultError.self) { try durableLedger.append([long]) }?.code == .unwritable)
            limit.rlim_cur = .max
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            try durableLedger.append([.note(.requestedContent("mck-2"))])
        }
        let again = try Self.durableLedger(in: path)
        #expect(again.ledgerContents.requestedContent == "mck-2")
        #expect(again.damage == nil)
    }

    @Test func `after a ledger's file is replaced, writes fail until the new file can be opened`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let steps = Steps()
            let durableLedger = try DurableLedger(
                LedgerFile(folder: path, name: Given.owner.fileName) { if $0 == .renamed { steps.closeTheDoor() } },
                owner: Given.owner, binding: Given.binding)
            try durableLedger.append([.note(.requestedContent("mck-1"))])
            steps.isArmed = true
            #expect(throws: VaultError.self) { try durableLedger.compact() }
            #expect(throws: VaultError.self) { try durableLedger.append([.note(.requestedContent("mck-2"))]) }
            #expect(durableLedger.ledgerContents.requestedContent == "mck-1")
            steps.openTheDoor()
            try durableLedger.append([.note(.requestedContent("mck-3"))])
        }
        #expect(try Self.durableLedger(in: path).ledgerContents.requestedContent == "mck-3")
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
