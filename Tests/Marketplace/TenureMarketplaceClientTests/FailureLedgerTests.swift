import TenureCore
import TenureMarketplaceClient
import Testing

/// The next step after a failed request, as a table.
@Suite struct FailureLedgerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int?
        var code: String?
        var type: String?
        var attempt = 1
        var hasRefreshed = false
        var canRefresh = true
        var retryAfter: String?
        let step: FailureStep
        var testDescription: String {
            "\(status.map(String.init) ?? "nothing") \(code ?? "-") \(type ?? "-") \(attempt)"
        }
    }

    private static let problem = "application/problem+json; charset=utf-8"
    private static let table: [Row] = [
        Row(status: 401, step: .refreshToken),
        Row(status: 401, type: "text/html", step: .refreshToken),
        Row(status: 401, canRefresh: false, step: .signIn(Given.ada)),
        Row(status: 401, attempt: 2, hasRefreshed: true, step: .signIn(Given.ada)),
        Row(status: 403, code: "token_invalid", step: .refreshToken),
        Row(status: 403, type: problem, step: .refreshToken),
        Row(status: 403, type: "Application/JSON", step: .refreshToken),
        Row(status: 403, type: problem, hasRefreshed: true, step: .signIn(Given.ada)),
        Row(status: 403, type: problem, canRefresh: false, step: .signIn(Given.ada)),
        Row(status: 403, type: "text/html", step: .retry(after: 1)),
        Row(status: 403, type: "text/html; note=application/json", canRefresh: false, step: .retry(after: 1)),
        Row(status: 403, type: "text/html", attempt: 3, hasRefreshed: true, step: .retry(after: 16)),
        Row(status: 403, step: .retry(after: 1)),
        Row(status: 407, type: "text/html", canRefresh: false, step: .retry(after: 1)),
        Row(status: 402, code: "purchase_required", step: .pay(Given.game)),
        Row(status: 402, attempt: 9, step: .pay(Given.game)),
        Row(status: nil, step: .retry(after: 1)),
        Row(status: 408, step: .retry(after: 1)),
        Row(status: 429, attempt: 2, step: .retry(after: 4)),
        Row(status: 429, retryAfter: "7", step: .retry(after: 7)),
        Row(status: 429, retryAfter: "0", step: .retry(after: 0)),
        Row(status: 503, retryAfter: "60", step: .retry(after: 60)),
        Row(status: 503, retryAfter: "61", step: .giveUp(.notBefore(Given.now.adding(seconds: 61)))),
        Row(
            status: 503, retryAfter: "99999999999999999999999",
            step: .giveUp(.notBefore(Given.now.adding(seconds: 86_400)))),
        Row(status: 503, attempt: 2, retryAfter: "-5", step: .retry(after: 4)),
        Row(status: 503, retryAfter: "soon", step: .retry(after: 1)),
        Row(status: 503, retryAfter: "", step: .retry(after: 1)),
        Row(status: 503, retryAfter: "Sat, 21 Nov 2026 08:00:30 GMT", step: .retry(after: 30)),
        Row(status: 503, retryAfter: "Sat, 21 Nov 2026 07:00:00 GMT", step: .retry(after: 0)),
        Row(status: 503, retryAfter: "Sat, 41 Nov 2026 07:00:00 GMT", step: .retry(after: 1)),
        Row(status: 500, attempt: 3, step: .retry(after: 16)),
        Row(status: 599, attempt: 4, step: .giveUp(.attemptsSpent)),
        Row(status: 401, attempt: 4, step: .giveUp(.attemptsSpent)),
        Row(status: 500, attempt: .max, step: .giveUp(.attemptsSpent)),
        Row(status: 500, attempt: -3, step: .retry(after: 1)),
        Row(status: 400, step: .giveUp(.refused(400))),
        Row(status: 404, type: problem, step: .giveUp(.refused(404))),
        Row(status: 302, step: .giveUp(.refused(302))),
    ]

    private static func failure(_ row: Row) -> FailedRequest {
        FailedRequest(
            account: Given.ada, item: Given.game, status: row.status, code: row.code, contentType: row.type,
            retryAfter: row.retryAfter, attempt: row.attempt, hasRefreshed: row.hasRefreshed)
    }

    @Test(arguments: table)
    func `after a failed marketplace request, its response and earlier attempts select the next step`(_ row: Row) {
        var ledger = FailureLedger()
        let step = ledger.step(
            after: Self.failure(row), canRefresh: row.canRefresh, canShowUI: true, at: Given.now)
        #expect(step == row.step)
        #expect(ledger.owed.isEmpty)
    }

    @Test(arguments: table)
    func `without a UI, a prompt is stored instead of shown, and every other step is the same as with a UI`(_ row: Row)
    {
        var ledger = FailureLedger()
        let step = ledger.step(
            after: Self.failure(row), canRefresh: row.canRefresh, canShowUI: false, at: Given.now)
        let owed: OwedPrompt? =
            switch row.step {
            case .signIn(let account): .signIn(account)
            case .pay(let item): .pay(Given.ada, item)
            default: nil
            }
        #expect(step == (owed.map { .giveUp(.owed($0)) } ?? row.step))
        #expect(ledger.takeOwed() == (owed.map { [$0] } ?? []))
        #expect(ledger.owed.isEmpty)
    }

    @Test func `failed requests are repeated at most ten times an hour for each account`() {
        var ledger = FailureLedger()
        func step(_ status: Int, _ account: AccountID, _ seconds: Int64) -> FailureStep {
            ledger.step(
                after: FailedRequest(account: account, status: status), canRefresh: true, canShowUI: true,
                at: Given.now.adding(seconds: seconds))
        }
        for second in 0..<10 { #expect(step(503, Given.ada, Int64(second)) == .retry(after: 1)) }
        #expect(step(503, Given.ada, 10) == .giveUp(.hourSpent))
        #expect(step(401, Given.ada, 11) == .giveUp(.hourSpent))
        #expect(step(402, Given.ada, 12) == .pay(nil))
        #expect(step(503, Given.bob, 13) == .retry(after: 1))
        #expect(step(503, Given.ada, 3599) == .giveUp(.hourSpent))
        #expect(step(503, Given.ada, 3600) == .retry(after: 1))
        #expect(step(503, Given.ada, 3600) == .giveUp(.hourSpent))
        // Retries that are dated in the future don't count, so setting the clock back doesn't block the account.
        #expect(step(503, Given.ada, -9000) == .retry(after: 1))
    }

    @Test func `each prompt about failed requests is stored once, and signing in removes the account's sign-in prompt`()
    {
        var ledger = FailureLedger()
        func fail(_ status: Int, _ account: AccountID) {
            _ = ledger.step(
                after: FailedRequest(account: account, status: status), canRefresh: false, canShowUI: false,
                at: Given.now)
        }
        for _ in 0..<3 { fail(401, Given.ada) }
        fail(402, Given.ada)
        fail(401, Given.bob)
        #expect(ledger.owed == [.signIn(Given.ada), .pay(Given.ada, nil), .signIn(Given.bob)])
        ledger.didSignIn(Given.ada)
        #expect(ledger.takeOwed() == [.pay(Given.ada, nil), .signIn(Given.bob)])
    }

    @Test func `at most 64 prompts about failed requests are stored, and the newest is the last`() throws {
        var ledger = FailureLedger()
        for number in 0..<100 {
            let account = try #require(AccountID("person \(number)"))
            _ = ledger.step(
                after: FailedRequest(account: account, status: 401), canRefresh: false, canShowUI: false, at: Given.now)
        }
        #expect(ledger.owed.count == 64)
        #expect(ledger.owed.last == .signIn(try #require(AccountID("person 99"))))
    }

    @Test func `the marketplace client's ledger of failed requests is read back unchanged from its text`() throws {
        var ledger = FailureLedger()
        let odd = try #require(AccountID("caf\u{E9} 1"))
        for (status, account) in [(503, Given.ada), (503, odd), (401, odd), (402, Given.ada)] {
            _ = ledger.step(
                after: FailedRequest(account: account, item: status == 402 ? Given.game : nil, status: status),
                canRefresh: false, canShowUI: false, at: Given.now)
        }
        #expect(FailureLedger(text: ledger.text) == ledger)
        #expect(ledger.owed == [.signIn(odd), .pay(Given.ada, Given.game)])
        #expect(ledger.text.split(separator: "\n").count == 5)
    }

    @Test(arguments: [
        "", "tenure-failures 1", "tenure-failures 2\n", "tenure-failures 1\nsign-in 616\n",
        "tenure-failures 1\nsign-in \n", "tenure-failures 1\nsign-in ff\n", "tenure-failures 1\nsign-in 616461",
        "tenure-failures 1\nrepeat x 616461\n", "tenure-failures 1\npay 616461\n",
        "tenure-failures 1\nother 616461\n", "tenure-failures 1\n\n",
        "tenure-failures 1\n" + String(repeating: "sign-in 616461\n", count: 65),
    ])
    func `a malformed or too long text of a failure ledger is refused`(_ text: String) {
        #expect(FailureLedger(text: text) == nil)
    }
}
