import TenureCore
import TenureMarketplace
import Testing

/// The stages of a sign-in, from its code to its end.
@Suite struct SignInTests {
    private static let start = Timestamp(seconds: 1_000)
    private static let pair = SignIn.Pair(refresh: digest(20), access: digest(21))
    private static let right = SignIn.CodeProof(isNext: true, isBound: true)

    private static func digest(_ byte: UInt8) -> Digest { Digest([UInt8](repeating: byte, count: 32))! }

    private static func signIn(_ stage: SignIn.Stage, seconds: Int64) -> SignIn {
        SignIn(
            hash: digest(1), account: AccountRef(tenant: TenantID("acme")!, account: AccountID("ada")!),
            means: .password, stage: stage, secret: digest(2),
            binding: stage == .code ? .init(client: digest(3), challenge: digest(4), redirect: "x") : nil,
            createdAt: start, expiresAt: start.adding(seconds: seconds))
    }

    private static let open = signIn(.code, seconds: 60).given { $0.redeem(right, for: pair, at: start) }!

    @Test func `a sign-in code can be redeemed for one minute`() {
        let code = Self.signIn(.code, seconds: 60)
        #expect(code.given { $0.redeem(Self.right, for: Self.pair, at: Self.start.adding(seconds: 59)) } != nil)
        #expect(code.redeem(Self.right, for: Self.pair, at: Self.start.adding(seconds: 60)) == .refused)
        for proof in [SignIn.CodeProof(isNext: false, isBound: true), .init(isNext: true, isBound: false)] {
            #expect(code.redeem(proof, for: Self.pair, at: Self.start) == .refused)
        }
    }

    @Test func `a code that its own client redeems again ends the sign-in, and another client's request doesn't`()
        throws
    {
        let later = Self.start.adding(days: 3)
        let existing = SignIn.CodeProof(isNext: false, isBound: true)
        guard case .ended(let over) = Self.open.redeem(existing, for: Self.pair, at: later) else {
            Issue.record("the sign-in continued")
            return
        }
        #expect(over.endedAt == later && !over.admits(.latest, at: Self.start))
        #expect(over.redeem(existing, for: Self.pair, at: later) == .refused)
        let read = SignIn.CodeProof(isNext: false, isBound: false)
        #expect(Self.open.redeem(read, for: Self.pair, at: later) == .refused)
    }

    @Test func `an access token is accepted for an hour, even if it is refreshed in that time`() throws {
        let hour = Self.start.adding(seconds: 3_600)
        #expect(Self.open.admits(.latest, at: hour.adding(seconds: -1)))
        #expect(!Self.open.admits(.latest, at: hour))
        #expect(!Self.open.admits(.former, at: Self.start))
        let next = try #require(
            Self.open.given { $0.refresh(.newest, isBound: true, for: Self.pair, at: Self.start.adding(seconds: 600)) })
        #expect(next.admits(.former, at: hour.adding(seconds: -1)) && !next.admits(.former, at: hour))
        #expect(next.admits(.latest, at: hour))
    }

    @Test func `a refresh token is accepted only from its own client, for ninety days`() {
        let last = Self.start.adding(days: 90)
        for (isBound, now, works) in [
            (true, last.adding(seconds: -1), true), (true, last, false), (false, Self.start, false),
        ] {
            let answer = Self.open.refresh(.newest, isBound: isBound, for: Self.pair, at: now)
            #expect((answer == .refused) != works)
        }
    }

    @Test
    func `the first use of an access token from a refresh is recorded only within a minute of the refresh`() throws {
        #expect(Self.open.noted(.latest, at: Self.start) == nil, "no earlier token exists")
        let next = try #require(
            Self.open.given { $0.refresh(.newest, isBound: true, for: Self.pair, at: Self.start) })
        let noted = try #require(next.noted(.latest, at: Self.start.adding(seconds: 59)))
        #expect(noted.noted(.latest, at: Self.start.adding(seconds: 59)) == nil)
        #expect(next.noted(.latest, at: Self.start.adding(seconds: 60)) == nil)
        #expect(next.noted(.former, at: Self.start) == nil)
        guard case .ended = noted.refresh(.used, isBound: true, for: Self.pair, at: Self.start.adding(seconds: 1))
        else {
            Issue.record("a used token got another successor although the first one was in use")
            return
        }
    }

    @Test func `a sign-in handoff can be exchanged only once and within fifteen minutes`() throws {
        let handoff = Self.signIn(.handoff, seconds: 900)
        let binding = SignIn.Binding(client: Self.digest(9))
        func exchange(_ signIn: SignIn, isNext: Bool = true, after seconds: Int64 = 0) -> SignIn.Answer {
            signIn.exchange(
                isNext: isNext, bindingTo: binding, for: Self.pair, at: Self.start.adding(seconds: seconds))
        }
        let open = try #require(handoff.given { exchange($0, after: 899) })
        #expect(open.binding == binding && open.stage == .open)
        #expect(exchange(open) == .refused, "the exchange is refused, and nothing that it issued ends")
        #expect(exchange(handoff, after: 900) == .refused)
        #expect(exchange(handoff, isNext: false) == .refused)
        #expect(open.redeem(Self.right, for: Self.pair, at: Self.start) == .refused, "this sign-in had no code")
    }

    @Test func `a sign-in link from the shop can be exchanged for a code once`() throws {
        let link = Self.signIn(.link, seconds: 300)
        let binding = SignIn.Binding(client: Self.digest(3), challenge: Self.digest(4), redirect: "x")
        let late = Self.start.adding(seconds: 299)
        let code = try #require(link.led(isNext: true, to: Self.digest(8), of: binding, at: late))
        #expect(code.stage == .code && code.expiresAt == late.adding(seconds: 60))
        #expect(code.led(isNext: true, to: Self.digest(8), of: binding, at: late) == nil)
        #expect(link.led(isNext: false, to: Self.digest(8), of: binding, at: late) == nil)
        #expect(link.led(isNext: true, to: Self.digest(8), of: binding, at: Self.start.adding(seconds: 300)) == nil)
    }
}

extension SignIn {
    fileprivate func given(_ act: (SignIn) -> Answer) -> SignIn? {
        if case .given(let after) = act(self) { after } else { nil }
    }
}
