import Foundation
import Glibc
import TenureHTTP
import TenureHTTPServer
import TenureServerKit
import Testing

@Suite struct FileServingTests {
    /// Creates a sparse file that contains only `begin` at its start and `end` at its end.
    static func sparse(size: Int64) throws -> OpenFile {
        let path = FileManager.default.temporaryDirectory.appending(path: "tenure-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
        try #require(ftruncate(descriptor, off_t(size)) == 0)
        try #require(pwrite(descriptor, "begin", 5, 0) == 5)
        try #require(pwrite(descriptor, "end", 3, off_t(size) - 3) == 3)
        return try #require(OpenFile(taking: descriptor))
    }

    static let tag = #""some-file""#

    static func handler(_ file: OpenFile) -> Reply {
        Reply { .file(file, tag: Self.tag, for: $0, headers: ["Content-Type": "application/octet-stream"]) }
    }

    @Test func `a whole file and then its byte ranges are served on one connection`() async throws {
        let file = try Self.sparse(size: 3_000_001)
        try await withServer(Self.handler(file)) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.body == file.read())
            let part = try #require(await client.ask(get("/", "Range: bytes=-4")))
            #expect(part.status == 206 && part.body == [0] + Array("end".utf8))
            #expect(part.headers.values("Content-Length") == ["4"])
            #expect(part.headers["Content-Range"] == "bytes 2999997-3000000/3000001")
            #expect(await client.ask(get("/", "Range: bytes=0-4"))?.text == "begin")
        }
    }

    @Test func `a file beyond four gigabytes is served with correct sizes and offsets`() async throws {
        let size: Int64 = 5 << 30
        let file = try Self.sparse(size: size)
        try await withServer(Self.handler(file)) { server in
            let client = try Client(server.address)
            await client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n")
            let head = try #require(await client.receive(toHead: true))
            #expect(head.status == 200 && head.headers["Content-Length"] == String(size))
            #expect(await client.ask(get("/", "Range: bytes=\(size - 3)-"))?.text == "end")
            let none = try #require(await client.ask(get("/", "Range: bytes=\(size)-")))
            #expect(none.status == 416 && none.headers["Content-Range"] == "bytes */\(size)")
        }
    }

    @Test func `a 304 response has no body, and the connection stays open`() async throws {
        let file = try Self.sparse(size: 100)
        try await withServer(Self.handler(file)) { server in
            let client = try Client(server.address)
            await client.send(get("/", "If-None-Match: \(Self.tag)"))
            let existing = try #require(await client.receive(toHead: true))
            #expect(existing.status == 304 && existing.headers["ETag"] == Self.tag)
            #expect(existing.headers.values("Content-Length") == ["100"])
            #expect(await client.ask(get("/", "Range: bytes=0-4"))?.text == "begin")
        }
    }

    @Test func `files are also served over a unix socket`() async throws {
        let file = try Self.sparse(size: 1_000_000)
        try await withTemporaryFolder { folder in
            try await withServer(Self.handler(file), listen: .unix(path: folder + "/socket")) { server in
                let client = try Client(server.address)
                #expect(await client.ask(get("/"))?.body == file.read())
            }
        }
    }

    @Test func `clients that read a file slowly don't use up the limit on requests in flight`() async throws {
        let file = try Self.sparse(size: 3 << 30)
        let handler = Reply { request in
            request.path == "/other" ? .text("other") : .file(file, tag: Self.tag, for: request, headers: [:])
        }
        try await withServer(handler, { $0.requestsInFlight = 1 }) { server in
            let slow = try (0..<20).map { _ in try Client(server.address) }
            for client in slow {
                await client.send(get("/"))
                #expect(await client.receive(toHead: true)?.status == 200)
            }
            #expect(server.gauges.requestsInFlight == 20)
            let client = try Client(server.address)
            for _ in 0..<20 { #expect(await client.ask(get("/other"))?.text == "other") }
            for client in slow { client.abort() }
            #expect(await eventually { server.gauges.requestsInFlight == 0 })
        }
    }

    @Test func `a download beyond the limit on files gets 503, and other requests are still served`() async throws {
        let file = try Self.sparse(size: 1 << 30)
        let handler = Reply { request in
            request.path == "/other" ? .text("other") : .file(file, tag: Self.tag, for: request, headers: [:])
        }
        try await withServer(handler, { $0.filesInFlight = 3 }) { server in
            let slow = try (0..<3).map { _ in try Client(server.address) }
            for client in slow {
                await client.send(get("/"))
                #expect(await client.receive(toHead: true)?.status == 200)
            }
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.status == 503)
            #expect(await client.ask(get("/other"))?.text == "other")
            for client in slow { client.abort() }
            #expect(await eventually { server.gauges.connectionCount == 1 })
            #expect(await client.ask(get("/", "Range: bytes=0-4"))?.text == "begin")
        }
    }

    @Test func `a served file is closed after it was sent or its client has disconnected`() async throws {
        @Sendable func openFiles() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        }
        let handler = Reply { request in
            guard let file = try? Self.sparse(size: 1 << 30) else { return .text(status: 500, "") }
            return .file(file, tag: Self.tag, for: request, headers: [:])
        }
        try await withServer(handler) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/", "Range: bytes=0-4"))?.text == "begin")
            let before = openFiles()
            for _ in 0..<20 { #expect(await client.ask(get("/", "Range: bytes=0-4"))?.text == "begin") }
            for _ in 0..<20 {
                let leaving = try Client(server.address)
                await leaving.send(get("/"))
                leaving.abort()
            }
            // Other suites in this process open and close files too. A leak would leave forty files open.
            #expect(await eventually { server.gauges.connectionCount == 1 && openFiles() < before + 20 })
        }
    }
}
