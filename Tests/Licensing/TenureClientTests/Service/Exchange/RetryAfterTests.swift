import TenureClient
import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import Testing

@Suite struct RetryAfterTests {
    /// The client's time, 9 September 2001, 01:46:40 UTC: years before the server's dates of 2026 below.
    private let now = Timestamp(seconds: 1_000_000_000)

    private func seconds(_ headers: Headers) -> Int64? { RetryAfter.seconds(in: headers, now: now) }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("86400", 86_400), ("86401", 86_400), ("99999999999999999999", 86_400),
        ] as [(String, Int64)])
    func `a Retry-After in seconds is limited to a day`(text: String, expected: Int64) {
        #expect(seconds(["Retry-After": text]) == expected)
    }

    @Test(arguments: ["-1", "1.5", "soon", "", "+5"])
    func `a Retry-After that is neither seconds nor a date is ignored`(text: String) {
        #expect(seconds(["Retry-After": text]) == nil)
    }

    @Test func `a Retry-After date is measured from the response's Date`() {
        let dates: Headers = [
            "Retry-After": "Sat, 21 Nov 2026 08:01:00 GMT", "Date": "Sat, 21 Nov 2026 08:00:00 GMT",
        ]
        #expect(seconds(dates) == 60)
    }

    @Test func `without a Date field, a Retry-After date is measured from now and limited to a day`() {
        #expect(seconds(["Retry-After": "Sun, 09 Sep 2001 01:47:10 GMT"]) == 30)
        #expect(seconds(["Retry-After": "Sat, 08 Sep 2001 01:47:10 GMT"]) == 0)
        #expect(seconds(["Retry-After": "Sat, 21 Nov 2026 08:01:00 GMT"]) == RetryAfter.limit)
    }

    @Test func `a response without Retry-After has no retry time`() {
        #expect(seconds([:]) == nil)
    }
}
