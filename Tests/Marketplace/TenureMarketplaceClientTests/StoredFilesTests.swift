import Foundation
import GoldenFiles
import TenureCore
import Testing

@testable import TenureMarketplaceClient

/// The bytes of the files that a marketplace app and its extension store.
@Suite struct StoredFilesTests {
    private static let tokens = AccountTokens(access: "access-1", refresh: "refresh-1", endsAt: Given.now)

    /// Returns a ledger with a retry and both kinds of prompt.
    private static func failures() -> FailureLedger {
        var ledger = FailureLedger()
        let busy = FailedRequest(account: Given.ada, status: 503)
        _ = ledger.step(after: busy, canRefresh: false, canShowUI: true, at: Given.now)
        let unpaid = FailedRequest(account: Given.ada, item: Given.game, status: 402)
        let refused = FailedRequest(account: Given.bob, status: 401)
        for failure in [unpaid, refused] {
            _ = ledger.step(after: failure, canRefresh: false, canShowUI: false, at: Given.now)
        }
        return ledger
    }

    private static func inFolder(_ body: (TokenFolder) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(TokenFolder(path: path))
    }

    private static func contents(_ folder: TokenFolder, _ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder.path).appending(path: name)))
    }

    @Test
    func `the token file, named by its account's SHA-256, and the failure ledger have the golden files' bytes`()
        async throws
    {
        // The file name contains the SHA-256 of "ada".
        let name = "tokens-fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029"
        try await Self.inFolder { folder in
            try await folder.keep(Self.tokens, of: Given.ada)
            try GoldenFile("marketplace-client/tokens.txt").compare(Self.contents(folder, name))
            try await folder.changeLedger { $0 = Self.failures() }
            try GoldenFile("marketplace-client/failures.txt").compare(Self.contents(folder, "failures"))
        }
        #expect(unsetMembers(of: Self.tokens) == [])
    }

    @Test func `the token and ledger files of an earlier app version are read`() async throws {
        let name = "tokens-fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029"
        try await Self.inFolder { folder in
            for (name, golden) in [(name, "tokens.txt"), ("failures", "failures.txt")] {
                let bytes = try GoldenFile("marketplace-client/\(golden)").bytes()
                try Data(bytes).write(to: URL(filePath: folder.path).appending(path: name))
            }
            #expect(try folder.tokens(of: Given.ada) == Self.tokens)
            #expect(try await folder.changeLedger { $0 } == Self.failures())
        }
    }

    @Test
    func `the marketplace client's license watch is written with the golden file's bytes and read back from them`()
        throws
    {
        var watch = LicenseWatch()
        // A set has no order, so the sample has only one app.
        let news = LicenseNews(cursor: "8", hasMore: true, expired: [Given.game])
        _ = watch.take(news, installed: [Given.game], at: Given.now)
        #expect(unsetMembers(of: watch) == [])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let file = GoldenFile("marketplace-client/license-watch.json")
        try file.compare([UInt8](encoder.encode(watch)))
        #expect(try JSONDecoder().decode(LicenseWatch.self, from: Data(file.bytes())) == watch)
    }

    @Test func `a license state response is parsed to the apps to renew and those whose license has expired`() throws {
        let text = """
            {"cursor":"8","hasMore":true,"renew":["6483539426"],\
            "licenses":[{"appleItemID":"6497405838","cause":"expired"},{"appleItemID":"1","cause":"revoked"}]}
            """
        let news = try JSONDecoder().decode(LicenseNews.self, from: Data(text.utf8))
        #expect(news == LicenseNews(cursor: "8", hasMore: true, renew: [Given.game], expired: [Given.other]))
    }
}
