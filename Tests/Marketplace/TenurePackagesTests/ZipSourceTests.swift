import Foundation
import TenureServerKit
import Testing

@testable import TenurePackages

/// Files that aren't zips, and damaged compressed data. `Tests/System/Interop` reads zips made by other programs.
@Suite struct ZipSourceTests {
    @Test(arguments: ["", "PK", "no zip at all", String(repeating: "x", count: 70_000)])
    func `a package file that isn't a zip archive is refused with an error that says so`(text: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tenure-\(UUID().uuidString).zip")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try #require(throws: ServerError.self) { try ZipSource(file.path) }
        #expect(error.code == .packageRefused && error.message.contains("zip"))
    }

    @Test func `the inflater stops at invalid data and asks for more input at the end of a truncated stream`() {
        let damaged = Inflater()
        damaged.feed([0xFF, 0xFF, 0xFF])
        #expect(damaged.next(upTo: 100) == nil)
        // A stored block of three bytes, of which two have arrived.
        let short = Inflater()
        short.feed([1, 3, 0, 0xFC, 0xFF, 7, 8])
        #expect(short.next(upTo: 100) == [7, 8])
        #expect(short.wantsInput && !short.hasEnded)
        short.feed([9])
        #expect(short.next(upTo: 100) == [9])
        #expect(short.hasEnded)
    }
}
