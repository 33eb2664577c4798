import Testing

@testable import TenureServerKit

@Suite struct PrometheusTextTests {
    @Test(arguments: [
        ("acme", "acme"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("a\r\nb", "a\r\\nb"),
        ("\"\u{301}", "\\\"\u{301}"),
    ])
    func `quotes, backslashes and line feeds of a metric's label are escaped, whatever Character they belong to`(
        label: String, written: String
    ) {
        var text = PrometheusText()
        text.family("requests", .counter, "Requests.")
        text.sample(["tenant": label], 1)
        #expect(text.text == "# HELP requests Requests.\n# TYPE requests counter\nrequests{tenant=\"\(written)\"} 1\n")
    }
}
