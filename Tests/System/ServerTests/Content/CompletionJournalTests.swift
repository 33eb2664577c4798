import Foundation
import Glibc
import TenureCore
import Testing

@testable import TenureContentServer

/// The local journal of completed downloads. Each entry was confirmed to a player.
@Suite struct CompletionJournalTests {
    private static func completion(_ number: Int) -> Completion {
        Completion(
            tenant: TenantID("acme")!, key: "mck-\(number)", user: "learner-\(number)\n\"", player: "p",
            at: Timestamp(seconds: 1_800_000_000 + Int64(number)))
    }

    /// Returns a new folder and the path of the first journal in it.
    private static func folder() throws -> (path: String, book: String) {
        let path = FileManager.default.temporaryDirectory.appending(path: "book-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return (path, "\(path)/kollus-completions-0")
    }

    /// Waits until no journal has the file open.
    private static func released(_ path: String) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        _ = flock(file, LOCK_EX)
        close(file)
    }

    private static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test func `a restarted server recovers each download's completion once from the completion journal`() async throws
    {
        let (folder, file) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let all = (1...5).map(Self.completion)
        do {
            let journal = try CompletionJournal(in: folder)
            for completion in all + all { await journal.add(completion) }
            #expect(journal.oldest(9) == all && journal.lost == 0)
        }
        Self.released(file)
        #expect(KollusJournals.entries(in: folder) == 5)
        let next = try CompletionJournal(in: folder)
        #expect(next.oldest(9) == all)
        await next.add(all[2])
        await next.takeOut(Array(all.prefix(3)))
        #expect(next.oldest(9) == Array(all.suffix(2)))
        // An entry that was removed may be reported again, and is then written again.
        await next.add(all[0])
        #expect(next.oldest(9) == Array(all.suffix(2)) + [all[0]])
        await next.takeOut(next.oldest(9))
        #expect(next.waiting == 0)
        #expect(try Self.bytes(file).isEmpty)
    }

    @Test func `a completion journal truncated anywhere keeps complete entries and accepts new ones`() async throws {
        let (folder, file) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let all = (1...3).map(Self.completion)
        do {
            let journal = try CompletionJournal(in: folder)
            for completion in all { await journal.add(completion) }
        }
        Self.released(file)
        let whole = try Self.bytes(file)
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        #expect(ends.count == 3)
        for cut in 0...whole.count {
            try whole.prefix(cut).write(to: URL(filePath: file))
            // A line is complete as soon as its last brace is there; the line end may be missing.
            let left = Array(all.prefix(ends.count { cut >= $0 }))
            do {
                let journal = try CompletionJournal(in: folder)
                #expect(journal.oldest(9) == left)
                await journal.add(Self.completion(9))
            }
            Self.released(file)
            do {
                #expect(try CompletionJournal(in: folder).oldest(9) == left + [Self.completion(9)])
            }
            Self.released(file)
        }
    }

    @Test func `entries before and after a journal line that a failed write cut off stay readable`() async throws {
        let (folder, file) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let journal = try CompletionJournal(in: folder)
            await journal.add(Self.completion(1))
            let handle = try #require(FileHandle(forWritingAtPath: file))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("0123456789abcdef {\"tenant\":\"ac".utf8))
            try handle.close()
            await journal.add(Self.completion(2))
        }
        Self.released(file)
        #expect(try CompletionJournal(in: folder).oldest(9) == [Self.completion(1), Self.completion(2)])
    }

    @Test func `repeating a completion whose write failed writes it and the other unwritten entries`() async throws {
        let (above, _) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: above) }
        let folder = "\(above)/missing/book"
        do {
            let journal = try CompletionJournal(in: folder)
            for _ in 1...2 { for number in 1...2 { await journal.add(Self.completion(number)) } }
            #expect(journal.lost == 2, "each one counts once")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            await journal.add(Self.completion(1))
            #expect(journal.waiting == 2 && journal.lost == 2)
        }
        Self.released("\(folder)/kollus-completions-0")
        #expect(try CompletionJournal(in: folder).oldest(9) == [Self.completion(1), Self.completion(2)])
    }

    @Test func `a changed byte in a completion journal loses only the entry with that byte`() async throws {
        let (folder, file) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let all = (1...3).map(Self.completion)
        do {
            let journal = try CompletionJournal(in: folder)
            for completion in all { await journal.add(completion) }
        }
        Self.released(file)
        var bytes = try Self.bytes(file)
        let middle = bytes.count / 2
        bytes[middle] ^= 1
        try bytes.write(to: URL(filePath: file))
        #expect(try CompletionJournal(in: folder).oldest(9) == [all[0], all[2]])
    }

    @Test func `a full completion journal counts new completions as lost until an entry is removed`() async throws {
        let (folder, _) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try CompletionJournal(in: folder, limit: 3)
        for number in 1...5 { await journal.add(Self.completion(number)) }
        #expect(journal.waiting == 3 && journal.lost == 2)
        await journal.takeOut(journal.oldest(1))
        await journal.add(Self.completion(6))
        #expect(journal.waiting == 3 && journal.lost == 2)
    }

    @Test func `a completion that a full disk can't store is counted as lost and stays in memory`() async throws {
        let (folder, _) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try CompletionJournal(in: folder)
        // Links every name that a journal may have, because other processes that run this test lock `/dev/full` too.
        for index in 0..<16 {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/kollus-completions-\(index)", withDestinationPath: "/dev/full")
        }
        await journal.add(Self.completion(1))
        #expect(journal.lost == 1 && journal.oldest(9) == [Self.completion(1)])
    }

    @Test func `a completion journal without a folder keeps its entries in memory and counts them as lost`()
        async throws
    {
        let journal = try CompletionJournal(in: nil)
        await journal.add(Self.completion(1))
        #expect(journal.lost == 1 && journal.waiting == 1)
    }

    @Test func `two servers that share a folder have separate completion journals`() async throws {
        let (folder, _) = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (one, other) = (try CompletionJournal(in: folder), try CompletionJournal(in: folder))
        await one.add(Self.completion(1))
        await other.add(Self.completion(2))
        #expect(FileManager.default.fileExists(atPath: "\(folder)/kollus-completions-1"))
        #expect(KollusJournals.entries(in: folder) == 2)
    }
}
