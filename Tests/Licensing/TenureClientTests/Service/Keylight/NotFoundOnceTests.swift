import TenureClient
import TenureCore
import Testing

@Suite struct NotFoundOnceTests {
    private func seen(_ activation: String, _ second: Int64, after earlier: NotFoundOnce?) -> (Bool, NotFoundOnce) {
        let (counts, remembered) = NotFoundOnce.seen(activation, at: Timestamp(seconds: second), after: earlier)
        return (counts, remembered)
    }

    @Test func `not-found responses are a refusal only from five minutes after the first one`() {
        let (first, remembered) = seen("a", 1_000, after: nil)
        #expect(!first)
        for (second, counts) in [(1_000, false), (1_299, false), (1_300, true), (9_999, true)] as [(Int64, Bool)] {
            let (again, stored) = seen("a", second, after: remembered)
            #expect(again == counts, "at \(second)")
            #expect(stored == remembered)
        }
    }

    @Test func `another activation or a clock set back restarts the delay before a not-found response is a refusal`() {
        let (_, remembered) = seen("a", 1_000, after: nil)
        #expect(
            seen("b", 9_999, after: remembered) == (false, NotFoundOnce(activation: "b", since: .init(seconds: 9_999))))
        #expect(seen("a", 500, after: remembered) == (false, NotFoundOnce(activation: "a", since: .init(seconds: 500))))
    }
}
