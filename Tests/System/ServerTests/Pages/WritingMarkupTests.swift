import TenureServerKit
import Testing

@Suite struct `Writing markup` {
    private func written(_ markup: Markup) -> String {
        let frame = SamplePages.frame(support: nil)
        let document = String(decoding: Page(title: "t") { markup }.document(in: frame), as: UTF8.self)
        let start = document.firstRange(of: #"<main id="main">"#)?.upperBound ?? document.startIndex
        return String(document[start...].prefix(upTo: document.firstRange(of: "</main>")?.lowerBound ?? start))
    }

    @Test(arguments: [
        ("plain", "plain"), ("<b>", "&lt;b&gt;"), ("a & b", "a &amp; b"), ("\"'", "&quot;&#39;"), ("é 漢 🔑", "é 漢 🔑"),
        ("a\u{0}b\u{1B}c\u{85}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"), ("a\n\tb", "a\n\tb"), ("&lt;", "&amp;lt;"),
        ("</main><script>", "&lt;/main&gt;&lt;script&gt;"),
    ]) func `text and attribute values are escaped the same way`(_ text: String, _ expected: String) {
        #expect(written(.text(text)) == expected)
        #expect(written(Tag.input(.value(text))) == "<input value=\"\(expected)\">")
    }

    @Test func `HTML elements get an end tag, except void elements`() {
        let markup = Tag.p(.class("lead")) {
            "a"
            Tag.strong { "b" }
            if true { "c" }
            for letter in ["d", "e"] { Tag.span { letter } }
        }
        #expect(written(markup) == #"<p class="lead">a<strong>b</strong>c<span>d</span><span>e</span></p>"#)
        #expect(written(Tag.input(.required, .longest(3))) == #"<input required="" maxlength="3">"#)
        #expect(written(Tag.p()) == "<p></p>")
    }

    @Test(arguments: [
        "https://market.example", "https://market.example/a?b=c&d=%20#e", "HTTPS://market.example/",
    ]) func `an https URL is accepted as a link`(_ address: String) {
        #expect(PageLink(web: address) != nil)
    }

    @Test(arguments: [
        "", "https://", "http://market.example", "javascript:alert(1)", "data:text/html,x", "//market.example",
        "/here", "market.example", " https://market.example", "https://market.example/a b", "https://märkt.example",
        "https://a\u{0}b", "java\nscript:alert(1)",
    ]) func `text other than an absolute https URL isn't linked`(_ address: String) {
        #expect(PageLink(web: address) == nil)
    }

    @Test func `a URL over 2 KB isn't linked`() {
        #expect(PageLink(web: "https://" + String(repeating: "a", count: 2048)) == nil)
    }

    @Test func `the parts of a mail link are escaped, and a malformed mailbox isn't linked`() {
        let link = PageLink(mailTo: "a?b&c@market.example", subject: "x&body=evil\r\nBcc: y")
        let expected = "mailto:a%3Fb%26c@market.example?subject=x%26body%3Devil%0D%0ABcc%3A%20y"
        #expect(link.map { written(Tag.a(.href($0))) } == "<a href=\"\(expected)\"></a>")
        for mailbox in ["", "a", "@", "a@", "@b", "a@b@c", "a b@c", "ä@c", String(repeating: "a", count: 260) + "@b"] {
            #expect(PageLink(mailTo: mailbox, subject: "x") == nil)
        }
    }

    @Test func `a path's segments and query are escaped, and unset parameters are omitted`() {
        let path = PagePath(["resolve", "a/../b?c#d"], query: [("item", "1&2=3"), ("absent", nil), ("name", "ä b")])
        #expect(path.text == "/resolve/a%2F..%2Fb%3Fc%23d?item=1%262%3D3&name=%C3%A4%20b")
        #expect(PagePath(["resolve"], query: [("absent", nil)]).text == "/resolve")
    }
}
