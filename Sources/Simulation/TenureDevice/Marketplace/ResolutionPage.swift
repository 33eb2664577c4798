import TenureCore
import TenureHTTP

/// The page that the Resolve button opens, as text.
struct ResolutionPage: Sendable, Hashable {
    /// The opened URL, from the configuration.
    let url: String
    /// The status of the response, which may be an error page.
    let status: Int
    /// The page's headings and lines, without markup.
    let lines: [PageText.Line]
}

extension ServedMarketplace {
    /// Opens the page that the Resolve button leads to, as the system's web view does.
    ///
    /// - Throws: `.unreachable`.
    func openPage(_ url: String) async throws(DeviceError) -> ResolutionPage {
        let answer = try await send(.get(url, headers: ["Accept": "text/html"]))
        return ResolutionPage(url: url, status: answer.status, lines: PageText.lines(of: answer.text))
    }
}

/// The text of a web page, for a terminal: headings and lines, without tags, scripts and styles.
///
/// It handles the markup of Tenure's own pages; other pages may be less readable.
enum PageText {
    /// A line of a page's text.
    struct Line: Sendable, Hashable {
        /// The text, with whitespace collapsed.
        let text: String
        let isHeading: Bool
    }

    /// Returns the headings and lines of a page's HTML.
    static func lines(of html: String) -> [Line] {
        var lines: [Line] = []
        var text = ""
        var isHeading = false
        func end() {
            let words = unescaped(text).unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
                .map { String($0) }.joined(separator: " ")
            if !words.isEmpty { lines.append(Line(text: words, isHeading: isHeading)) }
            text = ""
        }
        var rest = html[...]
        while !rest.isEmpty {
            guard rest.utf8.first == UInt8(ascii: "<") else {
                let piece = rest.before(anyByteOf: "<")
                text += piece
                rest = rest.text(after: String(piece)) ?? ""
                continue
            }
            if let comment = rest.text(after: "<!--") {
                rest = comment.cut(at: "-->")?.after ?? ""
                continue
            }
            let tag = rest.before(anyByteOf: ">")
            rest = rest.cut(at: ">")?.after ?? ""
            let isEnd = tag.text(after: "</") != nil
            let letters = tag.utf8.dropFirst(isEnd ? 2 : 1).prefix {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
            }
            let name = Substring(letters).asciiLowercased
            if !isEnd, hidden.contains(name) || isChoiceOfView(tag) {
                rest = rest.behind(theEndOf: name)
            } else if !inline.contains(name) {
                end()
                if ["h1", "h2", "h3"].contains(name) { isHeading = !isEnd }
            }
        }
        end()
        return lines
    }

    private static let hidden: Set<String> = ["script", "style", "head", "template", "svg", "title"]

    /// Whether a tag begins the form with which a person chooses the page's language and time zone.
    ///
    /// The form's menus have about a hundred lines that aren't part of the page's message.
    private static func isChoiceOfView(_ tag: Substring) -> Bool {
        tag.text(after: "<form")?.cut(at: "class=\"view\"") != nil
    }

    private static let inline: Set<String> = [
        "a", "abbr", "b", "code", "em", "i", "kbd", "small", "span", "strong", "time", "u", "mark",
    ]

    static func unescaped(_ text: String) -> String {
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " "]
        var result = ""
        var rest = text[...]
        while let (before, after) = rest.cut(at: "&") {
            result += before
            rest = after
            // The name of a character reference has at most ten bytes. Without this bound, each `&` would cause a
            // search to the page's end.
            guard let (name, _) = Substring(after.utf8.prefix(11)).cut(at: ";") else {
                result += "&"
                continue
            }
            let digits = name.text(after: "#")
            let number = digits.flatMap { digits in
                digits.text(after: "x").map { UInt32($0, radix: 16) } ?? UInt32(digits)
            }
            let scalar = number.flatMap(Unicode.Scalar.init).map(String.init)
            result += names[String(name)] ?? scalar ?? "&\(name);"
            rest = Substring(after.utf8.dropFirst(name.utf8.count + 1))
        }
        return result + rest
    }
}

extension Substring {
    /// Returns the text after the next end tag with that name; empty if no such tag follows.
    fileprivate func behind(theEndOf name: String) -> Substring {
        var rest = self
        while let (_, after) = rest.cut(at: "</") {
            rest = after
            let isEnd = Substring(rest.utf8.prefix(name.utf8.count)).asciiLowercased == name
            if isEnd { return rest.cut(at: ">")?.after ?? "" }
        }
        return ""
    }
}
