import TenureThreads
import Testing

@testable import TenureContentServer

/// When completions try the store again after it stopped responding.
@Suite struct StoreCircuitBreakerTests {
    private static func moment(_ milliseconds: UInt64) -> SteadyTime {
        SteadyTime(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000)
    }

    /// Returns which of the given times, in milliseconds, allow a request.
    private static func allowed(_ breaker: inout StoreCircuitBreaker, at moments: UInt64...) -> [UInt64] {
        moments.filter { breaker.allowsRequest(at: moment($0)) }
    }

    @Test func `after a store timeout, one Kollus completion every two seconds tries the store again`() {
        var breaker = StoreCircuitBreaker()
        let well = Self.allowed(&breaker, at: 0, 1)
        #expect(well == [0, 1])
        breaker.recordResponse(false, at: Self.moment(300))
        // The request at 2,300 ms is the retry. The others don't wait for it.
        let retried = Self.allowed(&breaker, at: 301, 2_299, 2_300, 2_301)
        #expect(retried == [2_300])
        breaker.recordResponse(false, at: Self.moment(2_600))
        let again = Self.allowed(&breaker, at: 4_500, 4_600)
        #expect(again == [4_600])
        breaker.recordResponse(true, at: Self.moment(4_601))
        let recovered = Self.allowed(&breaker, at: 4_602, 4_603)
        #expect(recovered == [4_602, 4_603])
    }

    @Test func `another Kollus completion may try the store two seconds after a retry without a response`() {
        var breaker = StoreCircuitBreaker()
        breaker.recordResponse(false, at: Self.moment(0))
        let retried = Self.allowed(&breaker, at: 2_000, 3_999, 4_000)
        #expect(retried == [2_000, 4_000])
    }
}
