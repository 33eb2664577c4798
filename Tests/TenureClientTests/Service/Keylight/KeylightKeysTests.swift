import TenureClient
import TenureCore
import TenureCrypto
import TenureHTTP
import Testing

/// Which keys are believed, and when the server is asked for more.
@Suite struct KeylightKeysTests {
    private let bench = KeylightBench()
    private let next = Ed25519.PrivateKey.generate()

    /// A renewal whose lease is signed with `k2`, while the server shows the keyset.
    private func renewal(
        shown: [String: Ed25519.PublicKey], pinned: [String: Ed25519.PublicKey], trust: KeyTrust, heard: Heard
    ) async throws -> (Answer<LeaseGrant>, [UInt8]) {
        let lease = try bench.lease(kid: "k2", by: next)
        let keyset = try bench.keyset(shown)
        return try await withServer { request in
            heard.note(request)
            return .json(200, request.method == "GET" ? keyset : "{\"valid\":true,\"lease\":\(lease)}")
        } _: { url in
            let client = try bench.client(of: url, pinned: pinned, trust: trust)
            let answer = await client.renew(bench.held, notBefore: nil)
            let again = await client.renew(bench.held, notBefore: nil)
            #expect((again.granted == nil) == (answer.granted == nil))
            return (answer, client.keyset())
        }
    }

    @Test func `a pinned next key makes a rotation go by unnoticed`() async throws {
        let heard = Heard()
        let (answer, _) = try await renewal(
            shown: ["k2": next.publicKey],
            pinned: ["k1": bench.signing.publicKey, "k2": next.publicKey], trust: .pinned, heard: heard)
        #expect(answer.granted != nil)
        #expect(heard.paths == ["/acme/notes/validate", "/acme/notes/validate"])
    }

    @Test func `an unpinned key is not believed, and not even asked for, unless the app says so`() async throws {
        let heard = Heard()
        let (answer, kept) = try await renewal(
            shown: ["k1": bench.signing.publicKey, "k2": next.publicKey], pinned: ["k1": bench.signing.publicKey],
            trust: .pinned, heard: heard)
        #expect(answer.unreached?.cause == .unverified)
        #expect(!heard.paths.contains("/acme/.well-known/keylight-keys"))
        #expect(KeylightMemory(json: kept).keys.isEmpty)
    }

    @Test func `with served keys a rotation costs one look at the keyset`() async throws {
        let heard = Heard()
        let (answer, kept) = try await renewal(
            shown: ["k1": bench.signing.publicKey, "k2": next.publicKey], pinned: [:], trust: .served, heard: heard)
        #expect(answer.granted != nil)
        #expect(heard.paths == ["/acme/notes/validate", "/acme/.well-known/keylight-keys", "/acme/notes/validate"])
        #expect(KeylightMemory(json: kept).keys.count == 2)
    }

    @Test func `a served keyset changes no pinned key`() async throws {
        let (answer, _) = try await renewal(
            shown: ["k2": next.publicKey], pinned: ["k2": bench.signing.publicKey], trust: .served, heard: Heard())
        #expect(answer.unreached?.cause == .unverified)
    }

    @Test func `kept keys are taken back only where served keys are believed`() async throws {
        let kept = KeylightMemory(keys: ["k2": next.publicKey]).json()
        let lease = Array(try bench.lease(kid: "k2", by: next).utf8)
        for (trust, believed) in [(KeyTrust.served, true), (.pinned, false)] {
            let client = try bench.client(of: "http://127.0.0.1:1", trust: trust)
            client.trust(keyset: kept)
            #expect(((try? client.verify(kept: lease, for: bench.held)) != nil) == believed)
        }
    }

    @Test func `a kept lease is verified again without asking anybody`() throws {
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
