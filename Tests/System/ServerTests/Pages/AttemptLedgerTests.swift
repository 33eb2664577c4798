import TenureCore
import TenureServerKit
import Testing

@Suite struct `Password attempts` {
    private let now = SampleApps.now

    @Test
    func `once an account name's password attempts are used up, further ones are refused until the window ends`() {
        var ledger = AttemptCounter(perName: 3, total: 100, window: 900)
        for _ in 0..<3 { #expect(ledger.authenticate(SampleApps.device(1), at: now) == .admitted) }
        #expect(ledger.authenticate(SampleApps.device(1), at: now.adding(seconds: 1)) == .refused(retryAfter: 899))
        #expect(ledger.authenticate(SampleApps.device(2), at: now) == .admitted)
        #expect(ledger.authenticate(SampleApps.device(1), at: now.adding(seconds: 899)) == .refused(retryAfter: 1))
        #expect(ledger.authenticate(SampleApps.device(1), at: now.adding(seconds: 900)) == .admitted)
    }

    @Test func `clearing an account name's password attempts allows another one`() {
        var ledger = AttemptCounter(perName: 1, total: 100, window: 900)
        #expect(ledger.authenticate(SampleApps.device(1), at: now) == .admitted)
        ledger.forget(SampleApps.device(1))
        #expect(ledger.authenticate(SampleApps.device(1), at: now) == .admitted)
        #expect(ledger.authenticate(SampleApps.device(1), at: now) != .admitted)
    }

    @Test func `a password attempt that is withdrawn within its window isn't counted`() {
        var ledger = AttemptCounter(perName: 2, total: 3, window: 900)
        for _ in 0..<9 {
            #expect(ledger.authenticate(SampleApps.device(1), at: now) == .admitted)
            ledger.takeBack(SampleApps.device(1), at: now)
        }
        for _ in 0..<2 { #expect(ledger.authenticate(SampleApps.device(1), at: now) == .admitted) }
        #expect(ledger.authenticate(SampleApps.device(1), at: now) != .admitted)
        ledger.takeBack(SampleApps.device(2), at: now)
        ledger.takeBack(SampleApps.device(1), at: now.adding(seconds: 900))
        #expect(ledger.authenticate(SampleApps.device(1), at: now) != .admitted)
    }

    @Test func `the number of password attempts for all account names together is limited per minute`() {
        var ledger = AttemptCounter(perName: 5, total: 4, window: 120)
        var most = 0
        for second in 0..<600 {
            let name = SampleApps.device(UInt8(second % 251))
            _ = ledger.authenticate(name, at: now.adding(seconds: Int64(second)))
            most = max(most, ledger.size)
        }
        #expect(most <= 4 * 3)
        var fresh = AttemptCounter(perName: 5, total: 2, window: 900)
        for number in 0..<2 { #expect(fresh.authenticate(SampleApps.device(UInt8(number)), at: now) == .admitted) }
        #expect(fresh.authenticate(SampleApps.device(9), at: now.adding(seconds: 20)) == .refused(retryAfter: 40))
        #expect(fresh.authenticate(SampleApps.device(9), at: now.adding(seconds: 60)) == .admitted)
    }

    @Test func `after the clock was set back, a new window for password attempts begins`() {
        var ledger = AttemptCounter(perName: 1, total: 100, window: 900)
        #expect(ledger.authenticate(SampleApps.device(1), at: now) == .admitted)
        #expect(ledger.authenticate(SampleApps.device(1), at: now.adding(days: -30)) == .admitted)
    }
}
