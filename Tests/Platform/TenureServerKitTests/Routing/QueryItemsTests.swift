import TenureHTTP
import TenureServerKit
import Testing

@Suite struct QueryItemsTests {
    static let rows: [(String, [String: String]?)] = [
        ("", [:]), ("&&", [:]), ("a=1&b=2", ["a": "1", "b": "2"]), ("a", ["a": ""]), ("a=", ["a": ""]),
        ("=1", ["": "1"]), ("a=1=2", ["a": "1=2"]), ("a=b+c%20d%2B", ["a": "b c d+"]), ("%61=%5b%5D", ["a": "[]"]),
        ("a=%ED%95%9C&b=\u{301}", ["a": "한", "b": "\u{301}"]), ("a=1&a=2", nil), ("%61=1&a=2", nil), ("a=%", nil),
        ("a=%2", nil), ("a=%+1", nil), ("a=%-1", nil), ("a=%G0", nil), ("a=%FF", nil),
    ]

    @Test(arguments: rows) func `a query or form with a malformed or repeated parameter is refused as a whole`(
        text: String, members: [String: String]?
    ) {
        let read = QueryItems(text)?.items
        #expect(read.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.name, $0.value) }) } == members)
    }

    @Test(arguments: [1, 15, 16, 17, 18, 1_000])
    func `a repeated query parameter is refused among 1 to 1,000 parameters`(count: Int) {
        let names = (0..<count).map { "n\($0)" }
        let query = names.joined(separator: "&")
        #expect(QueryItems(query)?.items.map(\.name) == names)
        for repeated in [0, count / 2, count - 1] { #expect(QueryItems("\(query)&n\(repeated)=1") == nil) }
    }

    @Test(
        arguments: [
            ("a=1&b=2&a=3", .repeated("a")), ("%61=1&a=1", .repeated("a")), ("a&a", .repeated("a")),
            ("a=1&b=%", .malformed),
            ("\u{301}=1&\u{301}=2", .repeated("\u{301}")),
        ] as [(String, QueryItems.Fault)]) func `a repeated parameter is distinguished from a malformed query`(
            text: String, fault: QueryItems.Fault
        )
    {
        #expect(throws: fault) { try QueryItems(parsing: text) }
    }

    @Test func `names of query parameters are compared byte for byte`() {
        let items = QueryItems("\u{E9}=1&e\u{301}=2&\u{212A}=3&K=4")
        #expect(items?.items.map(\.value) == ["1", "2", "3", "4"])
        #expect(items?["K"] == "4")
    }
}
