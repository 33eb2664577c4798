import Foundation
import TenureCore
import TenureMarketplaceClient
import Testing

#if os(Linux)
    import TestProcesses
#endif

/// Each account has at most one refresh at a time, across processes.
@Suite struct TokenFolderTests {
    /// A token endpoint that counts its requests and accepts only the current refresh token.
    private actor Exchanges {
        private(set) var requests: [String] = []
        var answer: TokenExchange?

        init(_ answer: TokenExchange? = nil) { self.answer = answer }

        func exchange(_ refresh: String) async -> TokenExchange {
            requests.append(refresh)
            // Yields often enough for other tasks to interfere.
            for _ in 0..<50 { await Task.yield() }
            if let answer { return answer }
            guard refresh == "refresh-\(requests.count)" else { return .refused }
            return .successor(
                AccountTokens(access: "access-\(requests.count + 1)", refresh: "refresh-\(requests.count + 1)"))
        }
    }

    private static func inFolder(_ body: (TokenFolder) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(TokenFolder(path: path))
    }

    private static let first = AccountTokens(access: "access-1", refresh: "refresh-1", endsAt: Given.now)

    @Test
    func `one of ten concurrent refreshes sends the refresh token, and each returns a token that is already on disk`()
        async throws
    {
        try await Self.inFolder { folder in
            try await folder.keep(Self.first, of: Given.ada)
            let server = Exchanges()
            let used = try await withThrowingTaskGroup(of: (TokenRefresh, String?).self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let refresh = try await folder.refresh(Given.ada, refused: "access-1") {
                            await server.exchange($0)
                        }
                        return (refresh, try folder.tokens(of: Given.ada)?.access)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(used.map(\.0) == Array(repeating: .use("access-2"), count: 10))
            #expect(used.map(\.1) == Array(repeating: "access-2", count: 10))
            #expect(await server.requests == ["refresh-1"])
            // The next refused access token is refreshed with the new refresh token.
            #expect(
                try await folder.refresh(Given.ada, refused: "access-2") { await server.exchange($0) }
                    == .use("access-3"))
            #expect(await server.requests == ["refresh-1", "refresh-2"])
        }
    }

    @Test func `a token refresh throws an error if the new tokens can't be written`() async throws {
        try await Self.inFolder { folder in
            try await folder.keep(Self.first, of: Given.ada)
            await #expect(throws: TokenFolderError.self) {
                try await folder.refresh(Given.ada, refused: "access-1") { _ in
                    try? FileManager.default.removeItem(atPath: folder.path)
                    return .successor(AccountTokens(access: "access-2"))
                }
            }
        }
    }

    @Test func `an app and its extension share one limit of ten retries an hour`() async throws {
        try await Self.inFolder { folder in
            let busy = FailedRequest(account: Given.ada, status: 503)
            let steps = try await withThrowingTaskGroup(of: FailureStep.self) { group in
                for _ in 0..<15 {
                    group.addTask {
                        try await TokenFolder(path: folder.path).changeLedger {
                            $0.step(after: busy, canRefresh: true, canShowUI: false, at: Given.now)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(steps.count { $0 == .retry(after: 1) } == 10)
            #expect(steps.count { $0 == .giveUp(.hourSpent) } == 5)
            let refused = FailedRequest(account: Given.bob, status: 401)
            _ = try await folder.changeLedger {
                $0.step(after: refused, canRefresh: false, canShowUI: false, at: Given.now)
            }
            #expect(try await folder.changeLedger { $0.takeOwed() } == [.signIn(Given.bob)])
            #expect(try await folder.changeLedger { $0.takeOwed() }.isEmpty)
        }
    }

    @Test func `a refused refresh token is not tried again`() async throws {
        try await Self.inFolder { folder in
            try await folder.keep(Self.first, of: Given.ada)
            let server = Exchanges(.refused)
            for _ in 0..<3 {
                #expect(
                    try await folder.refresh(Given.ada, refused: "access-1") { await server.exchange($0) } == .signIn)
            }
            #expect(await server.requests == ["refresh-1"])
        }
    }

    @Test func `a token refresh keeps both tokens without a response, and the refresh token if the response has none`()
        async throws
    {
        try await Self.inFolder { folder in
            try await folder.keep(Self.first, of: Given.ada)
            #expect(try await folder.refresh(Given.ada, refused: "access-1") { _ in .unanswered } == .later)
            #expect(try folder.tokens(of: Given.ada) == Self.first)
            let next = AccountTokens(access: "access-2")
            #expect(
                try await folder.refresh(Given.ada, refused: "access-1") { _ in .successor(next) } == .use("access-2"))
            #expect(try folder.tokens(of: Given.ada) == AccountTokens(access: "access-2", refresh: "refresh-1"))
        }
    }

    @Test func `each account has its own token file, whatever its id contains`() async throws {
        try await Self.inFolder { folder in
            let names = ["a", "A", "../a", "a/b", "caf\u{E9}", "cafe\u{301}", String(repeating: "\u{E9}", count: 64)]
            let accounts = try names.map { try #require(AccountID($0)) }
            for (number, account) in accounts.enumerated() {
                try await folder.keep(AccountTokens(access: "access \(number)"), of: account)
            }
            for (number, account) in accounts.enumerated() {
                #expect(try folder.tokens(of: account)?.access == "access \(number)")
            }
            try await folder.keep(nil, of: accounts[0])
            #expect(try folder.tokens(of: accounts[0]) == nil)
            #expect(try folder.tokens(of: accounts[1]) != nil)
            #expect(try await folder.refresh(accounts[0], refused: "access 0") { _ in .refused } == .signIn)
        }
    }

    @Test(arguments: [0, 1, 20, 40])
    func `no tokens are read from a truncated token file`(_ stored: Int) async throws {
        try await Self.inFolder { folder in
            try await folder.keep(Self.first, of: Given.ada)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let file = "\(folder.path)/\(try #require(names.first { !$0.hasSuffix(".lock") }))"
            let bytes = try #require(FileManager.default.contents(atPath: file))
            #expect(FileManager.default.createFile(atPath: file, contents: bytes.prefix(stored)))
            #expect(try folder.tokens(of: Given.ada) == nil)
        }
    }

    #if os(Linux)
        /// Runs `body` while another process holds the lock.
        private static func whileHeld(_ lock: String, _ body: () async throws -> Void) async throws {
            let other = try ChildProcess(["flock", lock, "sh", "-c", "echo held; read line"])
            #expect(try other.readLine() == "held")
            try await body()
            try other.write("\n")
            other.wait()
        }

        @Test func `a token refresh sends no request while another process holds the account's lock`() async throws {
            try await Self.inFolder { folder in
                try await folder.keep(Self.first, of: Given.ada)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                let lock = "\(folder.path)/\(try #require(names.first { $0.hasSuffix(".lock") }))"
                let server = Exchanges()
                try await Self.whileHeld(lock) {
                    let error = await #expect(throws: TokenFolderError.self) {
                        try await folder.refresh(Given.ada, refused: "access-1", timeout: .zero) {
                            await server.exchange($0)
                        }
                    }
                    #expect(error?.code == .busy)
                    #expect(await server.requests.isEmpty)
                }
                #expect(
                    try await folder.refresh(Given.ada, refused: "access-1") { await server.exchange($0) }
                        == .use("access-2"))
            }
        }

        @Test func `the failure ledger can't be changed while another process holds its lock`() async throws {
            try await Self.inFolder { folder in
                try await Self.whileHeld("\(folder.path)/failures.lock") {
                    let error = await #expect(throws: TokenFolderError.self) {
                        try await folder.changeLedger(timeout: .zero) { $0.takeOwed() }
                    }
                    #expect(error?.code == .busy)
                }
                #expect(try await folder.changeLedger { $0.takeOwed() }.isEmpty)
            }
        }
    #endif
}
