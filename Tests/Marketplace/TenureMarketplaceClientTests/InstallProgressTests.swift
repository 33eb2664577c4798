import TenureMarketplaceClient
import Testing

/// The progress, rate and remaining time that an installation shows.
@Suite struct InstallProgressTests {
    private static func measured(
        _ steps: [(InstallProgress.Phase, Int64, Int64?, Duration)]
    ) -> [InstallProgress] {
        var progress = InstallProgress()
        return steps.map { phase, bytes, total, now in
            progress.measure(phase, bytes: bytes, of: total, at: now)
            return progress
        }
    }

    @Test func `an installation's progress stays between 0 and 1 and never decreases`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var progress = InstallProgress()
            var last = 0.0
            for _ in 0..<50 {
                let numbers: [Int64] = [.min, -1, 0, 1, 50, 99, 100, 101, .max]
                let phases = InstallProgress.Phase.allCases.filter { $0 != .done }
                progress.measure(
                    phases.randomElement(using: &generator)!, bytes: numbers.randomElement(using: &generator)!,
                    of: [nil, -5, 0, 100, 200, .max].randomElement(using: &generator)!,
                    at: .milliseconds(Int.random(in: -5000...5000, using: &generator)))
                #expect(progress.fraction >= last && progress.fraction < 1)
                #expect(progress.bytes >= 0 && progress.bytes <= progress.total ?? .max)
                #expect(progress.rate.map { $0.isFinite && $0 >= 0 } ?? true)
                #expect(progress.timeLeft.map { $0 >= .zero && $0 <= .seconds(604_800) } ?? true)
                last = progress.fraction
            }
        }
    }

    @Test func `a steady download reports its rate and remaining time`() {
        let measured = Self.measured([
            (.asking, 0, nil, .zero), (.downloading, 0, 1000, .seconds(1)), (.downloading, 100, 1000, .seconds(2)),
            (.downloading, 200, nil, .seconds(3)), (.downloading, 200, 1000, .milliseconds(3100)),
            (.verifying, 1000, 1000, .seconds(12)), (.done, 1000, 1000, .seconds(13)),
        ])
        #expect(measured.map(\.rate) == [nil, nil, 100, 100, 100, nil, nil])
        #expect(measured.map(\.timeLeft) == [nil, nil, .seconds(9), .seconds(8), .seconds(8), nil, nil])
        #expect(measured.map(\.fraction) == [0, 0, 0.099, 0.198, 0.198, 0.99, 1])
        #expect(measured.map(\.total) == [nil, 1000, 1000, 1000, 1000, 1000, 1000])
    }

    @Test func `the reported download rate approaches a changed rate by half every five seconds`() {
        let measured = Self.measured([
            (.downloading, 0, 10_000, .zero), (.downloading, 1000, 10_000, .seconds(5)),
            (.downloading, 1000, 10_000, .seconds(10)),
        ])
        #expect(measured.map(\.rate) == [nil, 200, 100])
    }

    @Test func `a restarted download keeps its progress and resets its rate`() {
        let measured = Self.measured([
            (.downloading, 0, 1000, .zero), (.downloading, 500, 1000, .seconds(1)),
            (.verifying, 500, 1000, .seconds(2)),
            (.downloading, 0, 1000, .seconds(3)), (.asking, 0, 1000, .seconds(4)),
        ])
        #expect(measured.map(\.fraction) == [0, 0.495, 0.495, 0.495, 0.495])
        #expect(measured[3].rate == nil)
        #expect(measured[3].bytes == 0)
        #expect(measured.map(\.phase) == [.downloading, .downloading, .verifying, .downloading, .downloading])
    }

    @Test func `the progress of an ended installation doesn't change`() {
        var progress = InstallProgress()
        progress.measure(.downloading, bytes: 10, of: 100, at: .zero)
        progress.measure(.failed, bytes: 20, of: 100, at: .seconds(1))
        #expect(progress.phase == .downloading)
        progress.fail("No answer.")
        let failed = progress
        progress.measure(.done, bytes: 100, of: 100, at: .seconds(2))
        progress.fail("Another sentence.")
        #expect(progress == failed)
        #expect(progress.failure == "No answer.")
        #expect(progress.fraction == 0.099)

        var done = InstallProgress()
        done.measure(.done, bytes: 0, of: nil, at: .zero)
        done.fail("Too late.")
        #expect(done.phase == .done && done.failure == nil && done.fraction == 1)
    }
}
