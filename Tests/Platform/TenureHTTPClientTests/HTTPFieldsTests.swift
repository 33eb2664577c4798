import TenureHTTPClient
import Testing

struct HTTPFieldsTests {
    @Test func `a field is found in any letter case, and the first one is returned`() {
        var fields: HTTPFields = ["Retry-After": "5"]
        fields.add("retry-after", "9")
        #expect(fields["RETRY-AFTER"] == "5")
        #expect(fields["Retry"] == nil)
        #expect(fields.fields.count == 2)
    }
}
