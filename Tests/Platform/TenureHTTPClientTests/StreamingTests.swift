#if !canImport(Darwin)
    import Synchronization
    import TenureHTTP
    import TenureHTTPClient
    import TenureHTTPServer
    import Testing

    /// Tests streamed response bodies, and which addresses requests may reach.
    @Suite struct StreamingTests {
        @Test(
            arguments: [
                ("8.8.8.8", true), ("1.1.1.1", true), ("172.15.0.1", true), ("172.32.0.1", true), ("100.63.0.1", true),
                ("192.88.98.1", true), ("2a00:1450:4001:81b::200e", true), ("::ffff:8.8.8.8", true),
                ("64:ff9b::808:808", true),
                ("0.0.0.0", false), ("10.1.2.3", false), ("127.0.0.1", false), ("169.254.169.254", false),
                ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false), ("100.64.0.1", false),
                ("192.0.2.1", false), ("192.88.99.1", false), ("198.18.0.1", false), ("224.0.0.1", false),
                ("255.255.255.255", false),
                ("::", false), ("::1", false), ("fe80::1", false), ("fc00::1", false), ("fd12::1", false),
                ("ff02::1", false), ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false), ("64:ff9b::a00:1", false),
                ("2002:a00:1::1", false), ("2001:db8::1", false), ("::7f00:1", false), ("localhost", false),
                ("", false),
            ] as [(String, Bool)])
        func `an IP address is classified as public only if it isn't private, local or reserved`(
            address: String, isPublic: Bool
        ) {
            #expect(HTTPTransports.isPublicAddress(address) == isPublic)
        }

        private struct Bytes: Handler {
            let body: [UInt8]

            func respond(to request: Request) async -> Response { Response(status: 200, body: body) }
        }

        private func serving(_ body: [UInt8], _ work: (String) async throws -> Void) async throws {
            try await withServer(Bytes(body: body)) { url, _ in try await work(url) }
        }

        private static let options: TransportOptions = {
            var options = TransportOptions()
            options.proxy = .none
            return options
        }()

        @Test func `a streamed body reaches the sink whole and in order`() async throws {
            let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
            try await serving(body) { url in
                let used = Mutex<(heads: [Int], body: [UInt8])>(([], []))
                let sink = HTTPSink(
                    begin: { head in
                        used.withLock { $0.heads.append(head.status) }
                        return true
                    },
                    take: { bytes in
                        used.withLock { $0.body += bytes }
                        return true
                    })
                let answer = try await HTTPTransports.streaming(Self.options).stream(
                    .get(url), limit: body.count, timeout: .seconds(30), into: sink)
                #expect(answer.body.bytes.isEmpty)
                used.withLock {
                    #expect($0.heads == [200])
                    #expect($0.body == body)
                }
            }
        }

        @Test func `a sink can stop a streamed response at its head or later without an error`() async throws {
            try await serving([UInt8](repeating: 7, count: 1_000_000)) { url in
                let transport = try HTTPTransports.streaming(Self.options)
                let count = Atomic(0)
                let unwanted = try await transport.stream(
                    .get(url), limit: 1_000_000, timeout: .seconds(30),
                    into: HTTPSink(
                        begin: { _ in false },
                        take: { bytes in
                            count.add(bytes.count, ordering: .relaxed)
                            return true
                        }))
                #expect(unwanted.status == 200)
                #expect(count.load(ordering: .relaxed) == 0)
                let some = try await transport.stream(
                    .get(url), limit: 1_000_000, timeout: .seconds(30),
                    into: HTTPSink(
                        begin: { _ in true },
                        take: { bytes in
                            count.add(bytes.count, ordering: .relaxed)
                            return false
                        }))
                #expect(some.status == 200)
                let first = count.load(ordering: .relaxed)
                #expect(first > 0)
                #expect(first < 1_000_000)
            }
        }

        @Test func `a streamed body with more bytes than the limit is an error`() async throws {
            try await serving([UInt8](repeating: 7, count: 10_000)) { url in
                let transport = try HTTPTransports.streaming(Self.options)
                await #expect(throws: TransportError(.tooLarge, "")) {
                    try await transport.stream(
                        .get(url), limit: 9_999, timeout: .seconds(30),
                        into: HTTPSink(begin: { _ in true }, take: { _ in true }))
                }
            }
        }

        @Test func `a request limited to public addresses is refused for a loopback address`() async throws {
            try await serving([1]) { url in
                var options = Self.options
                options.reachesPublicAddressesAlone = true
                let transport = try HTTPTransports.streaming(options)
                await #expect(throws: TransportError(.addressRefused, "")) { try await transport.send(.get(url)) }
            }
        }

        @Test func `a request limited to public addresses is refused for port 25`() async throws {
            var options = Self.options
            options.reachesPublicAddressesAlone = true
            let transport = try HTTPTransports.streaming(options)
            await #expect(throws: TransportError(.addressRefused, "")) {
                try await transport.send(.get("http://192.88.98.1:25/"))
            }
        }
    }
#endif
