import TenureClient
import Testing

@MainActor @Suite struct HistoryTests {
    @Test func `in 2,000 random histories the state matches the specification`() async {
        var seen: [String: Int] = [:]
        for seed in 0..<2_000 as Range<UInt64> {
            var history = History(seed: seed)
            if let failure = await history.live(12) {
                Issue.record("seed \(seed): \(failure)")
                return
            }
            seen.merge(history.seen, uniquingKeysWith: +)
        }
        // A history that stays in one state would test no other.
        for state in ["trial", "licensed", "limited", "free_tier", "expired", "invalid"] {
            #expect(seen[state, default: 0] > 200, "\(seen)")
        }
    }
}
