import TenureClient
import Testing

@MainActor @Suite struct HistoryTests {
    @Test
    func `in 2,000 random device histories, the app's state matches an independent calculation after each step`() async
    {
        var seen: [String: Int] = [:]
        for seed in 0..<2_000 as Range<UInt64> {
            var history = History(seed: seed)
            if let failure = await history.live(12) {
                Issue.record("seed \(seed): \(failure)")
                return
            }
            seen.merge(history.seen, uniquingKeysWith: +)
        }
        // Without this, the histories might never reach some of the states.
        for state in ["trial", "licensed", "limited", "free_tier", "expired", "invalid"] {
            #expect(seen[state, default: 0] > 200, "\(seen)")
        }
    }
}
