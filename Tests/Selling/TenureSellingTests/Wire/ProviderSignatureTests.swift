import TenureCore
import TenureSelling
import Testing

@Suite struct ProviderSignatureTests {
    private let now = Timestamp(seconds: 1_790_000_000)
    private let stripeSecret = Array("whsec_dGVudXJlLXN0cmlwZS10ZXN0LXNlY3JldC0wMDAx".utf8)
    private let stripeBody = Array(#"{"id":"evt_1","object":"event","type":"invoice.paid"}"#.utf8)
    private let stripeCode = "be3d4e53c3b77babe955c2602ec33f3656d3b4b17b442dee728e4ff1d9bd55e2"
    private let paddleSecret = Array("pdl_ntfset_01test_secretsecretsecret".utf8)
    private let paddleBody = Array(#"{"event_id":"evt_01","event_type":"transaction.completed"}"#.utf8)
    private let paddleCode = "9cdbf4fa3fb79b649495e96db0ebfdf76de6f40030d2dacad880d1e719dbcf06"

    private func stripe(_ header: String, body: [UInt8]? = nil, secrets: [[UInt8]]? = nil, after: Int64 = 0) -> Bool {
        ProviderSignature.verifiesStripe(
            header: Array(header.utf8), body: body ?? stripeBody, secrets: secrets ?? [stripeSecret],
            now: now.adding(seconds: after))
    }

    private func paddle(_ header: String, after: Int64 = 0) -> Bool {
        ProviderSignature.verifiesPaddle(
            header: Array(header.utf8), body: paddleBody, secrets: [paddleSecret], now: now.adding(seconds: after))
    }

    @Test func `the signature of Stripe's test vector is valid`() {
        #expect(stripe("t=1790000000,v1=\(stripeCode)"))
    }

    @Test func `the signature of Paddle's test vector is valid`() {
        #expect(paddle("ts=1790000000;h1=\(paddleCode)"))
    }

    @Test func `a generated Stripe header equals the test vector's`() {
        let header = ProviderSignature.stripeHeader(body: stripeBody, secret: stripeSecret, at: now)
        #expect(header == "t=1790000000,v1=\(stripeCode)")
    }

    @Test func `a generated Paddle header equals the test vector's`() {
        let header = ProviderSignature.paddleHeader(body: paddleBody, secret: paddleSecret, at: now)
        #expect(header == "ts=1790000000;h1=\(paddleCode)")
    }

    @Test func `a payment message's signature header is valid if any of its signatures matches`() {
        let other = String(repeating: "0", count: 64)
        #expect(stripe("t=1790000000,v1=\(other),v0=1,v1=\(stripeCode)"))
        #expect(paddle("ts=1790000000;h1=\(other);h1=\(paddleCode)"))
    }

    @Test func `a Stripe signature is valid if any of several secrets matches`() {
        #expect(stripe("t=1790000000,v1=\(stripeCode)", secrets: [Array("whsec_new".utf8), stripeSecret]))
    }

    @Test func `no Stripe signature is valid without a secret or with an empty one`() {
        #expect(!stripe("t=1790000000,v1=\(stripeCode)", secrets: []))
        #expect(!stripe("t=1790000000,v1=\(stripeCode)", secrets: [[]]))
    }

    @Test func `a Stripe message with a changed body, time or signature is refused`() {
        #expect(!stripe("t=1790000000,v1=\(stripeCode)", body: stripeBody + [0x20]))
        #expect(!stripe("t=1790000001,v1=\(stripeCode)"))
        #expect(!stripe("t=1790000000,v1=\(stripeCode.dropLast())"))
        #expect(!stripe("t=1790000000,v0=\(stripeCode)"))
    }

    @Test func `Stripe's signature is valid for 300 seconds before and after its time`() {
        for (after, isValid) in [(300, true), (301, false), (-300, true), (-301, false)] as [(Int64, Bool)] {
            #expect(stripe("t=1790000000,v1=\(stripeCode)", after: after) == isValid)
        }
    }

    @Test func `Paddle's signature is valid for three days before and after its time`() {
        for (after, isValid) in [(259_200, true), (259_201, false), (-259_200, true), (-259_201, false)]
            as [(Int64, Bool)]
        {
            #expect(paddle("ts=1790000000;h1=\(paddleCode)", after: after) == isValid)
        }
    }

    @Test func `a Stripe signature header over 4 KiB is refused`() {
        let padding = String(repeating: "x", count: 4 << 10)
        #expect(!stripe("t=1790000000,v1=\(stripeCode),\(padding)"))
    }

    @Test func `a Stripe signature header with two times is refused`() {
        #expect(!stripe("t=1790000000,t=1790000000,v1=\(stripeCode)"))
    }

    @Test(arguments: ["", "t=1", "t=x,v1=00", "v1=00", "t=1790000000,v1=00", "t=1790000000,v1=%,t=1790000000"])
    func `a header isn't in Stripe's format unless it has exactly one time and a signature of full length`(
        _ header: String
    ) {
        let whole = header.split(separator: "%", omittingEmptySubsequences: false).joined(separator: stripeCode)
        #expect(!ProviderSignature.isStripeHeader(Array(whole.utf8)))
    }

    @Test func `a signature header is identified as Stripe's or Paddle's without the secret`() {
        let code = String(repeating: "0", count: 64)
        #expect(ProviderSignature.isStripeHeader(Array("t=1,v1=\(code)".utf8)))
        #expect(ProviderSignature.isPaddleHeader(Array("ts=1;h1=\(code)".utf8)))
        #expect(!ProviderSignature.isPaddleHeader(Array("t=1,v1=\(code)".utf8)))
    }

    @Test func `a malformed Stripe signature header is refused`() {
        for header in ["", "t", "t=", "=", ",,", "t=-1,v1=\(stripeCode)", "t=99999999999999999999,v1=\(stripeCode)"] {
            #expect(!stripe(header))
        }
    }
}
