import TenureClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import Testing

/// Which keys are trusted, and when the client requests more.
@Suite struct KeylightKeysTests {
    private let bench = KeylightBench()
    private let next = Ed25519.PrivateKey.generate()

    /// Renews twice at a server that signs leases with `k2` and serves the keyset `shown`. Returns the first result and
    /// the client's stored keyset.
    private func renewal(
        shown: [String: Ed25519.PublicKey], pinned: [String: Ed25519.PublicKey], trust: KeyTrust, received: Heard
    ) async throws -> (Answer<LeaseGrant>, [UInt8]) {
        let lease = try bench.lease(kid: "k2", by: next)
        let keyset = try bench.keyset(shown)
        return try await withServer { request in
            received.note(request)
            return .json(200, request.method == "GET" ? keyset : "{\"valid\":true,\"lease\":\(lease)}")
        } _: { url in
            let client = try bench.client(of: url, pinned: pinned, trust: trust)
            let answer = await client.renew(bench.held, notBefore: nil)
            let again = await client.renew(bench.held, notBefore: nil)
            #expect((again.granted == nil) == (answer.granted == nil))
            return (answer, client.keyset())
        }
    }

    @Test func `a lease signed with a pinned next key is accepted without a request for keys`() async throws {
        let received = Heard()
        let (answer, _) = try await renewal(
            shown: ["k2": next.publicKey],
            pinned: ["k1": bench.signing.publicKey, "k2": next.publicKey], trust: .pinned, received: received)
        #expect(answer.granted != nil)
        #expect(received.paths == ["/acme/notes/validate", "/acme/notes/validate"])
    }

    @Test
    func `with pinned trust, an unpinned key isn't trusted, and the published keys aren't requested`() async throws {
        let received = Heard()
        let (answer, _) = try await renewal(
            shown: ["k1": bench.signing.publicKey, "k2": next.publicKey], pinned: ["k1": bench.signing.publicKey],
            trust: .pinned, received: received)
        #expect(answer.unreached?.cause == .unverified)
        #expect(!received.paths.contains("/acme/.well-known/keylight-keys"))
    }

    @Test func `a key that a pinned key vouches for is trusted, now and at the next launch`() async throws {
        let lease = try bench.lease(kid: "k2", by: next)
        let (signing, second) = (bench.signing, next)
        let product = try ProductRef.notes()
        let received = Heard()
        try await withServer { request in
            received.note(request)
            guard request.method == "GET" else { return .json(200, "{\"valid\":true,\"lease\":\(lease)}") }
            let text = request.query.dropFirst("nonce=".count).prefix { $0 != "&" }
            guard let nonce = StatementNonce(text: String(text)) else { return .json(400, "{}") }
            let envelope = StatementEnvelope(
                product: product, nonce: nonce, issuedAt: KeylightBench.now,
                expiresAt: KeylightBench.now.adding(days: 30))
            let keys = [("k1", signing), ("k2", second)].map {
                TenureKeyset.Key(kid: $0.0, publicKey: $0.1.publicKey)
            }
            let keyset = TenureKeyset(envelope, primaryKid: "k2", keys: keys).signed(kid: "k1", with: signing)
            return .json(200, "{\"keyset\":\"\(String(decoding: keyset, as: UTF8.self))\"}")
        } _: { url in
            let client = try bench.client(of: url)
            let grant = try #require(await client.renew(bench.held, notBefore: nil).granted)
            #expect(received.paths == ["/acme/notes/validate", "/v1/acme/notes/leases/keyset"])
            let relaunched = try bench.client(of: "http://127.0.0.1:1")
            relaunched.trust(keyset: client.keyset())
            #expect(try relaunched.verify(kept: grant.bytes, for: bench.held) == grant.facts)
        }
    }

    @Test func `a client that trusts served keys requests the keyset once after a rotation`() async throws {
        let received = Heard()
        let (answer, stored) = try await renewal(
            shown: ["k1": bench.signing.publicKey, "k2": next.publicKey], pinned: [:], trust: .served,
            received: received)
        #expect(answer.granted != nil)
        #expect(received.paths == ["/acme/notes/validate", "/acme/.well-known/keylight-keys", "/acme/notes/validate"])
        let relaunched = try bench.client(of: "http://127.0.0.1:1", pinned: [:], trust: .served)
        relaunched.trust(keyset: stored)
        #expect(try relaunched.verify(kept: #require(answer.granted).bytes, for: bench.held).status == .active)
    }

    @Test func `a served keyset doesn't change a pinned key`() async throws {
        let (answer, _) = try await renewal(
            shown: ["k2": next.publicKey], pinned: ["k2": bench.signing.publicKey], trust: .served, received: Heard())
        #expect(answer.unreached?.cause == .unverified)
    }

    @Test func `a stored lease is verified again without a request`() throws {
        let client = try bench.client(of: "http://127.0.0.1:1")
        #expect(try client.verify(kept: Array(bench.lease().utf8), for: bench.held).status == .active)
        func problem(_ lease: String) -> LeaseProblem? {
            do throws(LeaseProblem) {
                _ = try client.verify(kept: Array(lease.utf8), for: bench.held)
                return nil
            } catch {
                return error
            }
        }
        #expect(problem("{") == .malformed)
        #expect(problem(try bench.lease(kid: "k2")) == .unknownKey)
        #expect(problem(try bench.lease(by: next)) == .badSignature)
        #expect(problem(try bench.lease(of: "OTHER")) == .otherLicense)
        #expect(problem(try bench.lease(to: "other")) == .otherActivation)
    }
}
