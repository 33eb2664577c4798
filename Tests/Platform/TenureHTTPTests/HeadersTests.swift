import TenureHTTP
import Testing

@Suite struct HeadersTests {
    @Test(arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
    func `a header field is found in any letter case`(name: String) {
        let headers: Headers = ["Accept": "a", "Content-Type": "b"]
        #expect(headers[name] == "b")
    }

    @Test func `only the ASCII letters of field names are compared case-insensitively`() {
        let headers: Headers = ["a[": "1"]
        #expect(headers["a{"] == nil)
        #expect(headers["A["] == "1")
    }

    @Test func `fields of one name stay separate and in order`() {
        var headers: Headers = ["A": "1"]
        headers.add("b", "2")
        headers.add("a", "3")
        #expect(headers["a"] == "1")
        #expect(headers.values("a") == ["1", "3"])
        headers.set("A", "4")
        #expect(headers.values("a") == ["4"])
        #expect(headers.fields.map(\.name) == ["b", "A"])
    }
}
