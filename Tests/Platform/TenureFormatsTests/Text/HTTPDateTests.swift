import TenureCore
import TenureFormats
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `each date format of RFC 9110 is read`(text: String) {
        #expect(HTTPDate.read(text) == Timestamp(seconds: 784_111_777))
    }

    @Test func `a two-digit year in an HTTP date means 1970 to 2069`() {
        #expect(HTTPDate.read("Friday, 01-Jan-38 00:00:00 GMT") == Timestamp(text: "2038-01-01T00:00:00Z"))
        #expect(HTTPDate.read("Tuesday, 31-Dec-69 23:59:59 GMT") == Timestamp(text: "2069-12-31T23:59:59Z"))
        #expect(HTTPDate.read("Thursday, 01-Jan-70 00:00:00 GMT") == Timestamp(seconds: 0))
    }

    @Test(arguments: [
        "", "120", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func `text that isn't in a format of HTTP dates, or names an impossible date, isn't read as an HTTP date`(
        text: String
    ) {
        #expect(HTTPDate.read(text) == nil)
    }

    @Test func `a text of thousands of words isn't read as a date`() {
        #expect(HTTPDate.read(String(repeating: " 1", count: 5000)) == nil)
    }
}
