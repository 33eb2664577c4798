import TenureClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import Testing

/// A success or refusal counts only if it's signed and bound to the request, and the HTTP status isn't a server error.
@Suite struct TenureRenewalTests {
    private let bench: TenureBench

    init() throws { bench = try TenureBench() }

    @Test func `a lease bound to the request is accepted`() async throws {
        let answer = try await bench.renewal { said in "{\"lease\":\"\(bench.compact(try bench.lease(said)))\"}" }
        let grant = try #require(answer.granted)
        #expect(grant.facts.status == .active)
        #expect(grant.facts.activation == bench.held.activation)
        #expect(grant.facts.device == bench.device.text)
        #expect(grant.facts.policy == "pro")
        #expect(grant.facts.entitlements == [LeaseFacts.Grant("export", value: "25")])
        #expect(grant.facts.termEnd == Moment(TenureBench.now.adding(days: 365)))
        #expect(grant.serverTime == Moment(TenureBench.now))
    }

    @Test(arguments: [403, 404, 409])
    func `a refusal bound to the request is accepted`(status: Int) async throws {
        let answer = try await bench.renewal(status) { said in
            "{\"code\":\"license_revoked\",\"refusal\":\"\(bench.compact(try bench.refusal(said, .licenseRevoked)))\"}"
        }
        #expect(answer.refusal?.reasons == [ToldReason(code: "license_revoked", message: "No.", cure: "Ask.")])
        #expect(answer.refusal?.serverTime == Moment(TenureBench.now))
        #expect(answer.refusal?.lease == nil)
    }

    @Test func `a refusal's signed evidence is read, and control characters are removed from it`() async throws {
        let facts: [Reason.Evidence] = [
            .init("releasedAt", .date(TenureBench.now)), .init("activations", .number(3)),
            .init("by", .text("ada\u{1B}[2J")), .init("not a name", .number(1)),
        ]
        let reason = Reason(.activationReleased, message: "No.", cure: "Ask.", evidence: facts)
        let answer = try await bench.renewal(403) { said in
            let refusal = TenureRefusal(try bench.envelope(said), Refusal(reason))
            return "{\"refusal\":\"\(bench.compact(refusal))\"}"
        }
        #expect(
            answer.refusal?.reasons.first?.evidence
                == ["releasedAt": TenureBench.now.description, "activations": "3", "by": "ada[2J"])
    }

    @Test(arguments: [LeaseTerms.Status.fallback, .expired])
    func `a refusal may contain a fallback or expired lease`(status: LeaseTerms.Status) async throws {
        let answer = try await bench.renewal(403) { said in
            let refusal = bench.compact(try bench.refusal(said, .licenseExpired))
            return "{\"refusal\":\"\(refusal)\",\"lease\":\"\(bench.compact(try bench.lease(said, status)))\"}"
        }
        #expect(answer.refusal?.lease?.facts.status.rawValue == status.rawValue)
    }

    @Test func `a statement with another product, license key, device, activation or nonce isn't accepted`()
        async throws
    {
        let stranger = Ed25519.PrivateKey.generate()
        let changes: [(String, @Sendable (inout TenureBench.Said) -> Void)] = [
            ("another product", { $0.product = "other" }), ("another key", { $0.key = "NOTE-PRO0-0000-0002" }),
            ("another device", { $0.device = bench.other }),
            ("another activation", { $0.activation = ActivationID(high: 1, low: 1) }),
            ("another nonce", { $0.nonce = StatementNonce(bytes: SecureRandom.bytes(16)) ?? $0.nonce }),
        ]
        let newest = Moment(TenureBench.now)
        for (what, change) in changes {
            let yes = try await bench.renewal(notBefore: newest) { said in
                var said = said
                change(&said)
                return "{\"lease\":\"\(bench.compact(try bench.lease(said)))\"}"
            }
            #expect(yes.unreached?.cause == .unverified, "a success for \(what): \(yes)")
            let no = try await bench.renewal(notBefore: newest, 403) { said in
                var said = said
                change(&said)
                return "{\"refusal\":\"\(bench.compact(try bench.refusal(said, .licenseRevoked)))\"}"
            }
            #expect(no.unreached?.cause == .unverified, "a refusal for \(what): \(no)")
        }
        let earlier = try await bench.renewal(notBefore: newest) { said in
            var said = said
            said.issued = -20 * 86_400
            return "{\"lease\":\"\(bench.compact(try bench.lease(said)))\"}"
        }
        #expect(earlier.granted != nil, "the server's clock was ahead before; the nonce shows that this is new")
        let forged = try await bench.renewal { said in
            "{\"lease\":\"\(bench.compact(try bench.lease(said), by: stranger))\"}"
        }
        #expect(forged.unreached?.cause == .unverified)
        let wrongType = try await bench.renewal(403) { said in
            "{\"refusal\":\"\(bench.compact(try bench.lease(said)))\"}"
        }
        #expect(wrongType.unreached?.cause == .unverified)
        let contradiction = try await bench.renewal(403) { said in
            let refusal = bench.compact(try bench.refusal(said, .licenseRevoked))
            return "{\"refusal\":\"\(refusal)\",\"lease\":\"\(bench.compact(try bench.lease(said)))\"}"
        }
        #expect(contradiction.unreached?.cause == .unverified)
    }

    @Test(
        arguments: [
            (200, "{}", .captive), (200, "<html>", .captive), (200, #"{"lease":"a.b.c"}"#, .unverified),
            (404, #"{"code":"license_unknown","detail":"No."}"#, .misconfigured),
            (403, #"{"code":"license_revoked","detail":"No."}"#, .misconfigured),
            (422, #"{"code":"field_missing"}"#, .misconfigured), (401, #"{"code":"sdk_key_required"}"#, .misconfigured),
            (404, #"{"error":"no route"}"#, .captive), (403, "<html>", .captive), (402, "{}", .captive),
            (429, #"{"code":"try_again"}"#, .busy), (503, "{}", .busy), (500, #"{"code":"server_fault"}"#, .busy),
        ] as [(Int, String, RequestFailure.Cause)])
    func `an unsigned response to a renewal is a request failure`(
        status: Int, body: String, cause: RequestFailure.Cause
    )
        async throws
    {
        let failure = try #require(try await bench.renewal(status) { _ in body }.unreached)
        #expect(failure.cause == cause)
        #expect(failure.isFromServer == body.contains(#""code""#), "only the server's own responses have a code")
    }

    @Test func `a signed refusal with a 5xx status is a request failure`() async throws {
        let answer = try await bench.renewal(503) { said in
            "{\"refusal\":\"\(bench.compact(try bench.refusal(said, .licenseRevoked)))\"}"
        }
        #expect(answer.unreached?.cause == .busy)
    }

    @Test func `renewing an activation of another dialect sends no request`() async throws {
        let held = HeldActivation(key: TenureBench.key, activation: "not a UUID")
        let answer = try await bench.client(of: "http://127.0.0.1:1").renew(held, notBefore: nil)
        #expect(answer.unreached?.cause == .misconfigured)
    }
}
