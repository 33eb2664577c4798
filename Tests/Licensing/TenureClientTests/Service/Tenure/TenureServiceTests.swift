import TenureClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensing
import Testing

/// Activation, release, trial, product terms and stored leases.
@Suite struct TenureServiceTests {
    private let bench: TenureBench

    init() throws { bench = try TenureBench() }

    private func withClient<Value: Sendable>(
        _ status: Int = 200, _ body: @escaping @Sendable (TenureBench.Said) throws -> String,
        received: Heard = Heard(), _ use: (TenureService) async -> Answer<Value>
    ) async throws -> Answer<Value> {
        try await withServer { request in
            received.note(request)
            guard let text = try? body(bench.said(request)) else { return .json(500, "{}") }
            return .json(status, text)
        } _: { url in
            await use(try bench.client(of: url))
        }
    }

    @Test func `an activation sends a nonce, the license key, the device and its name, and gets a lease`() async throws
    {
        let received = Heard()
        let answer = try await withClient(
            200, { said in "{\"lease\":\"\(bench.compact(try bench.lease(said)))\"}" }, received: received
        ) { await $0.activate(key: TenureBench.key, name: "Laptop", freeTier: nil) }
        #expect(answer.granted?.facts.activation == bench.held.activation)
        let sent = try FlatObject(scanning: try #require(received.all.first).body)
        #expect(received.paths == ["/v1/acme/notes/leases/activate"])
        #expect(sent.names == ["nonce", "licenseKey", "device", "name"])
        #expect(received.all.first?.headers["Tenure-SDK-Key"] == "sdk_live_x")
    }

    @Test(
        arguments: [
            ("15.1", ["system", "systemVersion"]), (nil, ["system"]),
        ] as [(String?, [String])])
    func `an activation and a renewal send the operating system's name, and its version if known`(
        version: String?, names: [String]
    )
        async throws
    {
        let system = DeviceSystem(name: "macOS", version: version)
        let received = Heard()
        _ = try await withClient(
            200, { said in "{\"lease\":\"\(bench.compact(try bench.lease(said)))\"}" }, received: received
        ) { client in
            _ = await client.activate(key: TenureBench.key, name: "Laptop", system: system, freeTier: nil)
            return await client.renew(bench.held, notBefore: nil, name: nil, reporting: system)
        }
        #expect(received.paths == ["activate", "renew"].map { "/v1/acme/notes/leases/\($0)" })
        for request in received.all {
            let sent = try FlatObject(scanning: request.body)
            #expect(sent.names.suffix(names.count) == names[...])
            #expect(sent.string("system").value == "macOS" && sent.string("systemVersion").value == version)
        }
    }

    @Test func `a signed refusal of an activation is reported with its reason`() async throws {
        let answer = try await withClient(409) { said in
            "{\"refusal\":\"\(bench.compact(try bench.refusal(said, .activationLimitReached)))\"}"
        } _: {
            await $0.activate(key: TenureBench.key, name: "Laptop", freeTier: nil)
        }
        #expect(answer.refusal?.reasons.map(\.code) == ["activation_limit_reached"])
    }

    @Test func `a refusal with a fallback lease activates the device, and one with an expired lease doesn't`()
        async throws
    {
        for (status, expected) in [(LeaseTerms.Status.fallback, true), (.expired, false)] {
            let answer = try await withClient(403) { said in
                let refusal = bench.compact(try bench.refusal(said, .licenseExpired))
                return "{\"refusal\":\"\(refusal)\",\"lease\":\"\(bench.compact(try bench.lease(said, status)))\"}"
            } _: {
                await $0.activate(key: TenureBench.key, name: "Laptop", freeTier: nil)
            }
            #expect((answer.granted?.facts.status == .fallback) == expected)
            #expect((answer.refusal != nil) == !expected)
            #expect(answer.refusal?.lease == nil)
        }
    }

    @Test func `a release is confirmed only by a signed response`() async throws {
        let answer = try await withClient { said in
            "{\"release\":\"\(bench.compact(TenureRelease(try bench.envelope(said))))\"}"
        } _: {
            await $0.release(bench.held)
        }
        #expect(answer.granted == Released(serverTime: Moment(TenureBench.now)))
        let unsigned = try await withClient { _ in
            #"{"deactivated":true}"#
        } _: {
            await $0.release(bench.held)
        }
        #expect(unsigned.unreached?.cause == .captive)
    }

    @Test func `a trial request sends the trial's offline start and accepts only this device's trial`() async throws {
        let received = Heard()
        let start = TenureBench.now.adding(days: -3)
        let answer = try await withClient(
            200,
            { said in
                var said = said
                said.activation = nil
                return "{\"trial\":\"\(bench.compact(TenureTrial(try bench.envelope(said), start: start, days: 14)))\"}"
            }, received: received
        ) {
            await $0.trial(
                startedAt: Moment(start), name: "Mia's Mac", system: DeviceSystem(name: "macOS", version: "15.1"))
        }
        #expect(
            answer.granted
                == TrialStart(start: Moment(start), days: 14, serverTime: Moment(TenureBench.now)))
        let sent = try FlatObject(scanning: try #require(received.all.first).body)
        #expect(sent.integer("startedAt").value == start.seconds)
        #expect(sent.string("name").value == "Mia's Mac" && sent.string("system").value == "macOS")
        #expect(sent.string("systemVersion").value == "15.1")
        let stolen = try await withClient { said in
            var said = said
            said.activation = nil
            said.device = bench.other
            return "{\"trial\":\"\(bench.compact(TenureTrial(try bench.envelope(said), start: start, days: 14)))\"}"
        } _: {
            await $0.trial(startedAt: nil, name: "Mac", system: nil)
        }
        #expect(stolen.unreached?.cause == .unverified)
    }

    @Test func `another product's terms aren't accepted`() async throws {
        let signed = ProductTerms(trialDays: 14, freeTier: true, signedAt: Moment(TenureBench.now))
        for (product, expected) in [("notes", signed), ("other", nil)] {
            let answer = try await withClient { said in
                var said = said
                said.product = product
                let terms = TenureProductTerms(
                    try bench.envelope(said), name: "Notes", trialDays: 14, freeTier: true)
                return "{\"product\":\"\(bench.compact(terms))\"}"
            } _: {
                await $0.configuration()
            }
            #expect(answer.granted == expected)
        }
    }

    @Test func `a stored lease is verified again without a request, even if it was issued years ago`() throws {
        let client = try bench.client(of: "http://127.0.0.1:1")
        let nonce = try #require(StatementNonce(bytes: SecureRandom.bytes(16)))
        func problem(_ change: (inout TenureBench.Said) -> Void, kid: String = "k1") throws -> LeaseProblem? {
            var said = TenureBench.Said(nonce: nonce, device: bench.device, activation: bench.activation)
            change(&said)
            let bytes = Array(bench.compact(try bench.lease(said), kid: kid).utf8)
            do throws(LeaseProblem) {
                _ = try client.verify(kept: bytes, for: bench.held)
                return nil
            } catch {
                return error
            }
        }
        #expect(try problem { _ in } == nil)
        #expect(try problem { $0.issued = -99_999_999 } == nil)
        #expect(try problem({ _ in }, kid: "k2") == .unknownKey)
        #expect(try problem { $0.product = "other" } == .otherProduct)
        #expect(try problem { $0.key = "OTHER" } == .otherLicense)
        #expect(try problem { $0.device = bench.other } == .otherDevice)
        #expect(try problem { $0.activation = ActivationID(high: 1, low: 1) } == .otherActivation)
    }
}
