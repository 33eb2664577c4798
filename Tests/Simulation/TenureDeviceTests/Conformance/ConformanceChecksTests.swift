import Foundation
import GoldenFiles
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureDevice

/// The registry of conformance checks, and the page and reports generated from it.
@Suite struct ConformanceRegisterTests {
    @Test func `every conformance check is declared once, in an existing family, and documented`() throws {
        let ids = ConformanceCheck.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ConformanceCheck.all.map(\.family)) == Set(ConformanceCheck.families.map(\.name)))
        for check in ConformanceCheck.all {
            #expect(!check.title.isEmpty && !check.expected.isEmpty && !check.fix.isEmpty && !check.source.isEmpty)
        }
        let page = ConformancePage.text
        let file = URL.packageRoot.appending(path: "Documentation/conformance.md")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == page)
    }

    @Test func `a conformance report's HTML escapes the server's text and omits the text's control characters`()
        async throws
    {
        let hostile = Response(
            status: 200, headers: ["Content-Type": "<script>alert(1)</script>\u{202E}\u{1B}[2J"], body: Array("{}".utf8)
        )
        let server = ScriptedServer(["/.well-known/marketplace-kit": hostile])
        let seen = await server.seen(
            ConformanceOptions(try #require(ServerAddress("https://mart.example")), mode: .read))
        let page = ConformanceHTML.page(of: ConformanceReport(seen))
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;"))
        #expect(!page.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }

    @Test func `a long header field of a server is truncated in the conformance report`() async throws {
        let long = Response(
            status: 200, headers: ["Content-Type": String(repeating: "a", count: 100_000)], body: Array("{}".utf8))
        let server = ScriptedServer(["/.well-known/marketplace-kit": long])
        let report = ConformanceReport(
            await server.seen(ConformanceOptions(try #require(ServerAddress("https://mart.example")), mode: .read)))
        #expect(report.results.allSatisfy { ($0.cause?.count ?? 0) <= 403 && ($0.received?.count ?? 0) <= 300 })
    }
}
