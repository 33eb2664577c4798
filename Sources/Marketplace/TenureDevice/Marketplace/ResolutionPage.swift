import TenureHTTPClient

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
        let answer = try await ask(.get(url, fields: ["Accept": "text/html"]))
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
        /// Whether the line is a heading.
        let isHeading: Bool
    }

    /// Reads a page's HTML.
    static func lines(of html: String) -> [Line] {
        var lines: [Line] = []
        var text = ""
        var isHeading = false
        func end() {
            let words = unescaped(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !words.isEmpty { lines.append(Line(text: words, isHeading: isHeading)) }
            text = ""
        }
        var rest = html[...]
        while let next = rest.first {
            guard next == "<" else {
                let piece = rest.prefix { $0 != "<" }
                text += piece
                rest = rest.dropFirst(piece.count)
                continue
            }
            if rest.hasPrefix("<!--") {
                rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
                continue
            }
            let tag = rest.prefix { $0 != ">" }
            rest = rest.dropFirst(tag.count + 1)
            let isEnd = tag.hasPrefix("</")
            let name = tag.dropFirst(isEnd ? 2 : 1).prefix { $0.isLetter || $0.isNumber }.lowercased()
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
    /// Its menus have about a hundred lines, and say nothing about the page.
    private static func isChoiceOfView(_ tag: Substring) -> Bool {
        tag.hasPrefix("<form") && tag.contains("class=\"view\"")
    }

    private static let inline: Set<String> = [
        "a", "abbr", "b", "code", "em", "i", "kbd", "small", "span", "strong", "time", "u", "mark",
    ]

    static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " "]
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            guard let end = rest.prefix(12).firstIndex(of: ";") else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            let name = rest[rest.index(after: mark)..<end]
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            let scalar = name.hasPrefix("#") ? number.flatMap(Unicode.Scalar.init).map(String.init) : nil
            result += names[String(name)] ?? scalar ?? "&\(name);"
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}

extension Substring {
    /// Returns the text after the next end tag with that name; empty if there isn't one.
    fileprivate func behind(theEndOf name: String) -> Substring {
        var rest = self
        while let end = rest.firstRange(of: "</") {
            rest = rest[end.upperBound...]
            if rest.prefix(name.count).lowercased() == name { return rest.drop { $0 != ">" }.dropFirst() }
        }
        return ""
    }
}
