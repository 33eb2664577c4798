import TenureCore
import TenureServerKit
import TenureStore
import Testing

/// Tests the number of attempts that one request may make.
@Suite struct RetryPolicyTests {
    @Test func `nested retry loops of a request share eight attempts`() {
        var attempts = RetryPolicy()
        var result = 0
        while attempts.isLeft {
            for _ in 0..<3 where attempts.takeAttempt() { result += 1 }
        }
        #expect(result == 8)
        #expect(!attempts.isLeft)
    }

    @Test
    func `an idempotency key is recognized for 120 days, and is refused if it comes with a different request`() {
        let (key, fingerprint) = (Digest.sha256(of: "key"), Digest.sha256(of: "request"))
        let at = Timestamp(seconds: 1_800_000_000)
        let stored = IdempotentResponse(
            key: key, fingerprint: fingerprint, records: [], actor: .operator("tok_1"), sealed: [1], at: at)
        let request = RepeatableRequest(key: key, fingerprint: fingerprint, by: .operator("tok_1"))
        let other = RepeatableRequest(key: key, fingerprint: .sha256(of: "another request"), by: request.actor)
        let last = at.adding(seconds: IdempotentResponse.lifetime - 1)
        guard case .repeated(let earlier) = request.repetition(of: stored, at: last) else {
            Issue.record("the response isn't repeated")
            return
        }
        #expect(earlier == stored)
        guard case .keyReused = other.repetition(of: stored, at: last) else {
            Issue.record("the key counts as unused")
            return
        }
        if request.repetition(of: stored, at: last.adding(seconds: 1)) != nil {
            Issue.record("an old response is repeated")
        }
        if request.repetition(of: nil as IdempotentResponse?, at: at) != nil { Issue.record("nothing is repeated") }
    }
}
