import TenureHTTPClient
import Testing

struct HTTPFieldsTests {
    @Test func `names are compared without regard to case, and the first field answers`() {
        var fields: HTTPFields = ["Retry-After": "5"]
        fields.add("retry-after", "9")
        #expect(fields["RETRY-AFTER"] == "5")
        #expect(fields["Retry"] == nil)
        #expect(fields.fields.count == 2)
    }
}
