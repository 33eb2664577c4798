import Synchronization
import TenureClient
import TenureCore
import TenureHTTP
import Testing

/// A third-party server's 404 without an error code. It counts as a refusal if it persists for five minutes.
@Suite struct KeylightNotFoundTests {
    /// A server response and a clock, both controlled by a test.
    private final class Stage: Sendable {
        let second = Mutex<Int64>(0)
        let answer = Mutex(Response.json(404, #"{"error":"License not found"}"#))

        var now: @Sendable () -> Timestamp { { KeylightBench.now.adding(seconds: self.second.withLock { $0 }) } }
    }

    private let bench = KeylightBench()
    private let stage = Stage()

    private func withStage(_ body: (String, KeylightService) async throws -> Void) async throws {
        try await withServer { _ in
            stage.answer.withLock { $0 }
        } _: { url in
            try await body(url, bench.client(of: url, now: stage.now))
        }
    }

    private func renewal(_ client: KeylightService, at second: Int64) async -> Answer<LeaseGrant> {
        stage.second.withLock { $0 = second }
        return await client.renew(bench.held, notBefore: nil)
    }

    @Test func `a 404 response without an error code is a refusal once it has persisted for five minutes`() async throws
    {
        try await withStage { _, client in
            for second in [0, 1, 299] as [Int64] {
                #expect(await renewal(client, at: second).unreached?.cause == .misconfigured, "at \(second)")
            }
            let no = await renewal(client, at: 300).refusal
            #expect(no?.reasons == [ToldReason(code: "license_unknown", message: "License not found")])
        }
    }

    @Test func `a success between two not-found responses restarts the five minutes until a refusal`() async throws {
        let lease = try bench.lease()
        try await withStage { _, client in
            _ = await renewal(client, at: 0)
            let notFound = stage.answer.withLock { $0 }
            stage.answer.withLock { $0 = .json(200, "{\"valid\":true,\"lease\":\(lease)}") }
            #expect(await renewal(client, at: 200).granted != nil)
            stage.answer.withLock { $0 = notFound }
            #expect(await renewal(client, at: 400).unreached != nil)
            #expect(await renewal(client, at: 700).refusal != nil)
        }
    }

    @Test func `once a server has sent an error code, a 404 or 422 without one isn't a refusal, even after a relaunch`()
        async throws
    {
        try await withStage { url, client in
            let coded = Response.json(404, #"{"error":"x","code":"product_unknown"}"#)
            let bare = Response.json(404, #"{"error":"License not found"}"#)
            stage.answer.withLock { $0 = coded }
            #expect(await renewal(client, at: 0).unreached != nil)
            let relaunched = try bench.client(of: url, now: stage.now)
            relaunched.trust(keyset: client.keyset())
            for (index, one) in [client, relaunched].enumerated() {
                for body in [bare, .json(422, #"{"error":"Refused"}"#)] {
                    stage.answer.withLock { $0 = body }
                    for second in [400, 800, 90_000] as [Int64] {
                        let answer = await renewal(one, at: second + Int64(index) * 100_000)
                        #expect(answer.unreached?.cause == .misconfigured)
                    }
                }
                stage.answer.withLock { $0 = .json(422, #"{"error":"x","code":"license_revoked"}"#) }
                #expect(await renewal(one, at: 300_000).refusal?.reasons.map(\.code) == ["license_revoked"])
            }
            // A server at another address may be a different implementation.
            let other = try bench.client(of: url + "/elsewhere", now: stage.now)
            other.trust(keyset: client.keyset())
            stage.answer.withLock { $0 = .json(422, #"{"error":"Refused"}"#) }
            #expect(await renewal(other, at: 300_001).refusal != nil)
        }
    }

    @Test func `the time of the first not-found response is stored across launches`() async throws {
        try await withStage { url, client in
            _ = await renewal(client, at: 0)
            let relaunched = try bench.client(of: url, now: stage.now)
            relaunched.trust(keyset: client.keyset())
            #expect(await renewal(relaunched, at: 301).refusal != nil)
            let forgetful = try bench.client(of: url, now: stage.now)
            #expect(await renewal(forgetful, at: 301).unreached != nil)
        }
    }

    @Test
    func `a 404 with a license's error code is a refusal at once, and repeated 404s with a tenant's error code aren't`()
        async throws
    {
        try await withStage { _, client in
            stage.answer.withLock { $0 = .json(404, #"{"error":"x","code":"tenant_unknown"}"#) }
            #expect(await renewal(client, at: 0).unreached != nil)
            #expect(await renewal(client, at: 900).unreached != nil)
            stage.answer.withLock { $0 = .json(404, #"{"error":"x","code":"license_unknown"}"#) }
            #expect(await renewal(client, at: 901).refusal != nil)
        }
    }
}
