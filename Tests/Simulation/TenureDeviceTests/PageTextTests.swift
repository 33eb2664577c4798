import Testing

@testable import TenureDevice

struct PageTextTests {
    @Test func `an HTML page is converted into headings and lines of text`() {
        let html = """
            <!doctype html><html><head><title>T</title><style>p{}</style></head><body>
            <!-- <p>hidden</p> --><h1>License &amp; <em>you</em></h1><p>One
              line&#8230; &#x41;<br>next</p><script>if (a < b) {}</script><ul><li>first</li><li>second &unknown;</li></ul>
            """
        #expect(
            PageText.lines(of: html) == [
                .init(text: "License & you", isHeading: true), .init(text: "One line… A", isHeading: false),
                .init(text: "next", isHeading: false), .init(text: "first", isHeading: false),
                .init(text: "second &unknown;", isHeading: false),
            ])
    }

    @Test func `a page's form for language and time zone isn't part of the page's text`() {
        let html = """
            <p>Help</p><form class="view" action="/"><label>Language</label><select><option>English</option></select>
            <button>Apply</button></form><form method="post"><button>Release</button></form>
            """
        #expect(PageText.lines(of: html).map(\.text) == ["Help", "Release"])
    }

    @Test(arguments: ["", "<", "<p", "&", "&#;", "&#x110000;", "<!--", "<script>", "</p></p>"])
    func `a malformed HTML page gives at most one line of text`(html: String) {
        #expect(PageText.lines(of: html).count <= 1)
    }
}
