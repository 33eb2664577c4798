import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureDevice

/// Tests which requests a conformance run sends to a server.
@Suite struct ConformanceRunTests {
    private static func options(
        _ mode: ConformanceMode = .read, url: String = "https://mart.example"
    ) throws -> ConformanceOptions {
        var options = ConformanceOptions(try #require(ServerAddress(url)), mode: mode)
        options.packageURL = "https://mart.example/adp/5/7"
        options.item = AppleItemID(number: 5)
        options.token = "the-bearer"
        return options
    }

    @Test func `a read-only conformance run sends only GET and HEAD, with a pause between the requests`() async throws {
        let server = ScriptedServer.files()
        _ = await server.seen(try Self.options())
        #expect(Set(server.requests.map(\.method)) == ["GET", "HEAD"])
        #expect(server.requests.count == 14)
        #expect(server.requests.count <= ConformanceRun.budget)
        #expect(server.pauses == server.requests.count - 1)
        #expect(server.requests.allSatisfy { $0.body == nil })
    }

    @Test func `a read-only conformance run with update checks also sends two POST requests`() async throws {
        let server = ScriptedServer.files()
        var options = try Self.options()
        options.asksUpdates = true
        options.version = AppleVersionID(number: 7)
        _ = await server.seen(options)
        let posts = server.requests.filter { $0.method == "POST" }
        #expect(posts.map(\.url) == ["https://mart.example/updates", "https://mart.example/restore"])
        #expect(server.requests.count == 16)
    }

    @Test func `a full conformance run sends 13 GET, 2 HEAD and 17 POST requests`() async throws {
        let server = ScriptedServer.files()
        var options = try Self.options(.full)
        options.version = AppleVersionID(number: 7)
        _ = await server.seen(options)
        let counts = Dictionary(grouping: server.requests, by: \.method).mapValues(\.count)
        #expect(counts == ["GET": 13, "HEAD": 2, "POST": 17])
    }

    @Test func `a conformance run reads only the first KiB of an asset`() async throws {
        let server = ScriptedServer.files()
        let seen = await server.seen(try Self.options())
        let start = try #require(seen.exchanges[.assetStart])
        #expect(start.response?.body.bytes.count == 1024)
        #expect(start.isCut)
    }

    /// Whether the digests of the two chunks of an asset are right, and the verdict. The asset is 5000 bytes of ones.
    @Test(
        arguments: [
            (true, true, .pass), (false, true, .fail("The digest of the first chunk doesn't match.")),
            (true, false, .fail("The digest of the last chunk doesn't match.")),
        ] as [(Bool, Bool, ConformanceCheck.Verdict)])
    func `a full conformance run compares the first and the last chunk of an asset with their digests`(
        isFirstRight: Bool, isLastRight: Bool, verdict: ConformanceCheck.Verdict
    ) async throws {
        let digests = [(isFirstRight, 4096), (isLastRight, 904)].map { isRight, count in
            Hex.encode(SHA256.hash([UInt8](repeating: isRight ? 1 : 2, count: count)))
        }
        let server = ScriptedServer.files(
            hashes: """
                {"algorithm": "sha256", "chunkSize": 4096, "encryptedChunkDigests": ["\(digests[0])", "\(digests[1])"]}
                """)
        let report = ConformanceReport(await server.seen(try Self.options(.full)))
        let result = try #require(report.results.first { $0.check.id == "package.corrupt" })
        #expect(result.verdict == verdict)
    }

    /// Whether the digests of the delta's two chunks are right, and which one is wrong. The delta is longer than the
    /// variant.
    @Test(arguments: [(true, true, nil), (false, true, "first"), (true, false, "last")])
    func `a full conformance run compares the first and the last chunk of a delta with their digests`(
        isFirstRight: Bool, isLastRight: Bool, wrong: String?
    ) async throws {
        func hashes(_ chunks: [(Bool, Int)]) -> String {
            let digests = chunks.map { isRight, count in
                "\"\(Hex.encode(SHA256.hash([UInt8](repeating: isRight ? 1 : 2, count: count))))\""
            }
            return """
                {"algorithm": "sha256", "chunkSize": 4096, "encryptedChunkDigests": [\(digests.joined(separator: ","))]}
                """
        }
        let server = ScriptedServer.files(
            hashes: hashes([(true, 4096), (true, 904)]),
            deltaHashes: hashes([(isFirstRight, 4096), (isLastRight, 1904)]))
        let report = ConformanceReport(await server.seen(try Self.options(.full)))
        let result = try #require(report.results.first { $0.check.id == "package.corrupt" })
        let fault = wrong.map {
            "delta/\(ScriptedServer.delta).ipa, a delta: The digest of the \($0) chunk doesn't match."
        }
        #expect(result.verdict == fault.map { .fail($0) } ?? .pass)
    }

    @Test func `a conformance run's device id differs by server and account, or by token without an account`() throws {
        func device(_ url: String, account: String?, token: String? = "t") throws -> [UInt8] {
            var options = ConformanceOptions(try #require(ServerAddress(url)), mode: .full)
            (options.account, options.token) = (account, token)
            return options.device
        }
        let ada = try device("https://mart.example", account: "ada")
        #expect(ada.count == 16)
        #expect(try device("https://mart.example", account: "ada", token: "u") == ada)
        #expect(try device("https://shop.example", account: "ada") != ada)
        #expect(try device("https://mart.example", account: "bob") != ada)
        #expect(
            try device("https://mart.example", account: nil)
                != device(
                    "https://mart.example", account: nil, token: "u"))
    }

    @Test
    func `a conformance run sends its token only to package URLs of the tested domain and omits it from reports`()
        async throws
    {
        let server = ScriptedServer.files()
        let seen = await server.seen(try Self.options())
        let shown = server.requests.filter { $0.headers["Authorization"] != nil }.map(\.url)
        #expect(shown.allSatisfy { $0.hasPrefix("https://mart.example/adp/") })
        #expect(!shown.isEmpty)
        let report = ConformanceReport(seen)
        #expect(report.results.allSatisfy { !"\($0)".contains("the-bearer") })
        #expect(!ConformanceHTML.page(of: report).contains("the-bearer"))
    }

    @Test(
        arguments: [
            ("http://shop.example", "secrets aren't sent to another host without https"),
            ("https://169.254.169.254", "169.254.169.254 isn't a public internet address"),
            ("https://127.0.0.1:8443", "127.0.0.1 isn't a public internet address"),
            ("https://localhost", "localhost isn't a public internet address"),
            ("ftp://shop.example", "ftp://shop.example/restore isn't an http or https URL"),
        ])
    func `a conformance run skips an endpoint whose address isn't public or whose URL isn't https`(
        _ endpoints: String, _ cause: String
    )
        async throws
    {
        let server = ScriptedServer.files(endpoints: endpoints)
        var options = try Self.options(.full)
        options.version = AppleVersionID(number: 7)
        let seen = await server.seen(options)
        #expect(seen.skipped[.restore] == cause)
        #expect(
            server.requests.allSatisfy {
                $0.url.hasPrefix("https://mart.example/") || $0.headers["Authorization"] == nil
            })
    }

    @Test func `a conformance run of a loopback server requests an endpoint at another loopback address`()
        async throws
    {
        let server = ScriptedServer.files(endpoints: "https://127.0.0.1:8443")
        var options = try Self.options(.full, url: "http://127.0.0.1:8080")
        options.version = AppleVersionID(number: 7)
        let seen = await server.seen(options)
        #expect(seen.exchanges[.restore]?.sent == "POST https://127.0.0.1:8443/restore")
    }

    @Test func `a conformance run sends only one request to a server that doesn't respond`() async throws {
        let requests = ScriptedServer([:])
        let run = ConformanceRun(
            send: { request, _ in
                _ = await requests.seen(ConformanceOptions(ServerAddress("https://a.example")!, mode: .read))
                return .failure(TransportError(.couldNotConnect, "No connection."))
            }, pause: {})
        let seen = await run.sendQuestions(try Self.options(), draw: ConformanceDraw(), at: Timestamp(seconds: 0))
        #expect(!seen.hasAnswer)
        #expect(seen.exchanges.count == 1)
        #expect(ConformanceReport(seen).count("fail") == 1)
    }
}
