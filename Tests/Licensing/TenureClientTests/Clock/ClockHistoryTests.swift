import Foundation
import TenureClient
import TenureCore
import Testing

@Suite struct ClockHistoryTests {
    /// The number of histories, which the environment variable `TENURE_CLOCK_HISTORIES` overrides.
    private static let count =
        ProcessInfo.processInfo.environment["TENURE_CLOCK_HISTORIES"].flatMap { UInt64($0) } ?? 2_000

    @Test
    func
        `random clock changes lengthen a trial by at most an hour, and shorten it only if its recorded start is early`()
    {
        var corrections = 0
        for seed in 0..<Self.count {
            var history = ClockHistory(seed: seed)
            for _ in 0..<40 {
                guard let complaint = history.step() else { continue }
                Issue.record("seed \(seed), bound: \(history.isBound): \(complaint) after \(history.steps)")
                return
            }
            corrections += history.corrections
        }
        // Histories without corrections would test nothing.
        #expect(corrections > Int(Self.count) / 4)
    }
}
