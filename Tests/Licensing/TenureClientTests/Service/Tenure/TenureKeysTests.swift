import TenureClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensing
import Testing

/// Keys may rotate while an app isn't running. A trusted key vouches for the next one.
@Suite struct TenureKeysTests {
    private let bench: TenureBench
    private let second = Ed25519.PrivateKey.generate()
    private let third = Ed25519.PrivateKey.generate()

    init() throws { bench = try TenureBench() }

    private func keyset(_ said: TenureBench.Said, _ keys: [(String, Ed25519.PrivateKey)]) throws -> TenureKeyset {
        TenureKeyset(
            try bench.envelope(said), primaryKid: keys.last?.0 ?? "",
            keys: keys.map { .init(kid: $0.0, publicKey: $0.1.publicKey) })
    }

    /// Runs a server that signs leases with one key and its keyset with another.
    private func withRotated<Value>(
        leases: (String, Ed25519.PrivateKey), keyset signer: (String, Ed25519.PrivateKey),
        shown: [(String, Ed25519.PrivateKey)], received: Heard = Heard(), _ use: (String) async throws -> Value
    ) async throws -> Value {
        try await withServer { request in
            received.note(request)
            guard var said = try? bench.said(request) else { return .json(500, "{}") }
            if request.method == "POST" {
                guard let lease = try? bench.lease(said) else { return .json(500, "{}") }
                return .json(200, "{\"lease\":\"\(bench.compact(lease, kid: leases.0, by: leases.1))\"}")
            }
            said.key = nil
            guard let keyset = try? keyset(said, shown) else { return .json(500, "{}") }
            return .json(200, "{\"keyset\":\"\(bench.compact(keyset, kid: signer.0, by: signer.1))\"}")
        } _: {
            try await use($0)
        }
    }

    @Test func `a key that a trusted key vouches for is trusted, and stays so across launches`() async throws {
        let received = Heard()
        let all = [("k1", bench.signing), ("k2", second)]
        try await withRotated(leases: all[1], keyset: all[0], shown: all, received: received) { url in
            let client = try bench.client(of: url)
            let grant = try #require(await client.renew(bench.held, notBefore: nil).granted)
            #expect(await client.renew(bench.held, notBefore: nil).granted != nil)
            #expect(received.paths.map { $0.split(separator: "/").last } == ["renew", "keyset", "renew"])
            #expect(received.all[1].query.hasSuffix("&kid=k1"))
            let relaunched = try bench.client(of: "http://127.0.0.1:1")
            #expect(throws: LeaseProblem.unknownKey) { try relaunched.verify(kept: grant.bytes, for: bench.held) }
            relaunched.trust(keyset: client.keyset())
            #expect(try relaunched.verify(kept: grant.bytes, for: bench.held) == grant.facts)
        }
    }

    @Test func `after two key rotations, a lease is verified by a chain of keysets from the pinned key`() async throws {
        let (k1, k2, k3) = (("k1", bench.signing), ("k2", second), ("k3", third))
        let client = try await withRotated(leases: k2, keyset: k1, shown: [k1, k2]) { url in
            let client = try bench.client(of: url)
            #expect(await client.renew(bench.held, notBefore: nil).granted != nil)
            return client
        }
        let stored = client.keyset()
        try await withRotated(leases: k3, keyset: k2, shown: [k2, k3]) { url in
            let next = try bench.client(of: url)
            next.trust(keyset: stored)
            let grant = try #require(await next.renew(bench.held, notBefore: nil).granted)
            let relaunched = try bench.client(of: url)
            relaunched.trust(keyset: next.keyset())
            #expect(try relaunched.verify(kept: grant.bytes, for: bench.held) == grant.facts)
            // Without its first link, the chain of keysets isn't signed by a trusted key.
            let text = String(decoding: next.keyset(), as: UTF8.self)
            let links = try #require(FlatObject(scanning: next.keyset()).strings("keysets").value)
            #expect(links.count == 2)
            let cut = try bench.client(of: url)
            cut.trust(keyset: Array(text.replacing("\"\(links[0])\",", with: "").utf8))
            #expect(throws: LeaseProblem.unknownKey) { try cut.verify(kept: grant.bytes, for: bench.held) }
        }
    }

    @Test func `a key that no trusted key vouches for isn't trusted`() async throws {
        let (k1, k2, k3) = (("k1", bench.signing), ("k2", second), ("k3", third))
        let tries: [(signer: (String, Ed25519.PrivateKey), shown: [(String, Ed25519.PrivateKey)])] = [
            (k2, [k1, k2]), (("k1", second), [k1, k2]), (k1, [k1, k3]), (k1, [("k1", second), k2]),
        ]
        for attempt in tries {
            try await withRotated(leases: k2, keyset: attempt.signer, shown: attempt.shown) { url in
                let answer = try await bench.client(of: url).renew(bench.held, notBefore: nil)
                #expect(answer.unreached?.cause == .unverified)
            }
        }
    }

    @Test func `without pinned keys, a lease is accepted only if the app trusts the keys that the server serves`()
        async throws
    {
        let shown = KeylightKeyset.Key(kid: "k2", publicKey: second.publicKey)
        let keyset = String(decoding: try KeylightKeyset(primaryKid: "k2", keys: [shown]).json(), as: UTF8.self)
        for (trust, believed) in [(KeyTrust.served, true), (.pinned, false)] {
            let answer = try await withServer { request in
                if request.path == "/acme/.well-known/keylight-keys" { return .json(200, keyset) }
                guard request.method == "POST", let said = try? bench.said(request),
                    let lease = try? bench.lease(said)
                else { return .json(404, #"{"code":"route_unknown"}"#) }
                return .json(200, "{\"lease\":\"\(bench.compact(lease, kid: "k2", by: second))\"}")
            } _: { url in
                let client = try bench.client(of: url, pinned: [:], trust: trust)
                let answer = await client.renew(bench.held, notBefore: nil)
                let relaunched = try bench.client(of: url, pinned: [:], trust: trust)
                relaunched.trust(keyset: client.keyset())
                if let grant = answer.granted {
                    #expect(try relaunched.verify(kept: grant.bytes, for: bench.held) == grant.facts)
                }
                return answer
            }
            #expect((answer.granted != nil) == believed)
        }
    }
}
