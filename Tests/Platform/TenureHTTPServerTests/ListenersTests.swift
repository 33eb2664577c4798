import Glibc
import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct ListenersTests {
    static func failure(_ address: HTTPServer.Address) async -> HTTPServerError? {
        do throws(HTTPServerError) {
            let server = try HTTPServer.start(.init(listen: address), handler: echo)
            await server.stop(within: .zero)
            return nil
        } catch { return error }
    }

    @Test func `a port in use by another server is refused, and the error names the address and --listen`() async throws
    {
        try await withServer(echo) { server in
            let error = try #require(await Self.failure(server.address))
            #expect(error.code == .addressInUse)
            #expect(error.message.contains(server.address.description))
            #expect(error.message.contains("--listen"))
            // A listening socket that the refused server left behind would take some of these connections.
            for _ in 0..<20 {
                let client = try Client(server.address)
                #expect(await client.ask(get("/"))?.status == 200)
            }
        }
    }

    @Test func `a port that another program uses with SO_REUSEPORT is refused`() async throws {
        let stranger = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { _ = close(stranger) }
        var on: Int32 = 1
        setsockopt(stranger, SOL_SOCKET, SO_REUSEPORT, &on, 4)
        setsockopt(stranger, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #expect(bind(stranger, address, length) == 0)
                #expect(listen(stranger, 1) == 0)
                #expect(getsockname(stranger, address, &length) == 0)
            }
        }
        let error = await Self.failure(.tcp(host: "127.0.0.1", port: UInt16(bigEndian: name.sin_port)))
        #expect(error?.code == .addressInUse)
    }

    @Test func `a server with several threads serves every connection to its port`() async throws {
        try await withServer(echo, { $0.threads = 4 }) { server in
            for _ in 0..<64 {
                let client = try Client(server.address)
                #expect(await client.ask(get("/"))?.status == 200)
            }
        }
    }

    @Test(arguments: [
        (HTTPServer.Address.tcp(host: "192.0.2.1", port: 0), HTTPServerError.Code.addressRefused),
        (.tcp(host: "no such host", port: 0), .badAddress),
        (.unix(path: "/no/such/folder/socket"), .addressRefused),
        (.unix(path: "/tmp/" + String(repeating: "x", count: 103)), .badAddress),
        (.unix(path: "/tmp"), .addressRefused),
    ])
    func `listening fails if the host is unknown or not local, or the socket's path is unusable`(
        address: HTTPServer.Address, code: HTTPServerError.Code
    ) async {
        #expect(await Self.failure(address)?.code == code)
    }

    @Test func `a Unix socket is private to its user and group, and removed at the stop`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            try await withServer(echo, listen: .unix(path: path)) { server in
                #expect(server.address == .unix(path: path))
                var status = stat()
                #expect(lstat(path, &status) == 0)
                #expect(status.st_mode & 0o777 == 0o660)
                for _ in 0..<32 {
                    let client = try Client(server.address)
                    #expect(await client.ask(post("/u", "b"))?.text == "POST /u b")
                }
            }
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func `a Unix socket in use is refused and stays unchanged`() async throws {
        try await withTemporaryFolder { folder in
            let address = HTTPServer.Address.unix(path: folder + "/s")
            try await withServer(echo, listen: address) { server in
                #expect(await Self.failure(address)?.code == .addressInUse)
                let client = try Client(address)
                #expect(await client.ask(get("/"))?.status == 200)
            }
        }
    }

    @Test func `a stale Unix socket is replaced`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let bound = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(bound == 0)
            _ = close(dead)
            try await withServer(echo, listen: .unix(path: path)) { server in
                let client = try Client(server.address)
                #expect(await client.ask(get("/"))?.status == 200)
            }
        }
    }

    @Test func `listening at the path of a file that isn't a socket is refused, and the file remains`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/file"
            let file = open(path, O_CREAT | O_WRONLY, 0o600)
            _ = close(file)
            #expect(await Self.failure(.unix(path: path))?.code == .addressRefused)
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test func `a stopping server doesn't remove a file that has replaced its Unix socket`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            try await withServer(echo, listen: .unix(path: path)) { _ in
                #expect(rename(path, folder + "/moved") == 0)
                _ = close(open(path, O_CREAT | O_WRONLY, 0o600))
            }
            #expect(access(path, F_OK) == 0)
        }
    }
}
