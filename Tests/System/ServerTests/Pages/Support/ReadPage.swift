import TenureStore

/// Parses a page by the strict rules of the server's pages: every element except void ones is closed, and every value
/// is quoted.
struct ReadPage {
    struct Element {
        let tag: String
        let attributes: [String: String]
        /// The enclosing tags, outermost first.
        let within: [String]
        var text = ""
    }

    private(set) var elements: [Element] = []
    private(set) var isWellFormed = true

    /// Parses a document. The style sheet is skipped.
    init(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        var open: [Int] = []
        guard rest.hasPrefix("<!doctype html>\n") else {
            isWellFormed = false
            return
        }
        rest = rest.dropFirst("<!doctype html>\n".count)
        while let next = rest.firstIndex(of: "<") {
            for index in open { elements[index].text += Self.unescaped(rest[..<next]) }
            rest = rest[next...].dropFirst()
            guard let end = rest.firstIndex(of: ">") else {
                isWellFormed = false
                return
            }
            let inside = rest[..<end]
            rest = rest[rest.index(after: end)...]
            if inside.hasPrefix("/") {
                guard let last = open.popLast(), elements[last].tag == inside.dropFirst() else {
                    isWellFormed = false
                    return
                }
                continue
            }
            let tag = String(inside.prefix { $0 != " " })
            elements.append(
                Element(tag: tag, attributes: attributes(of: inside), within: open.map { elements[$0].tag }))
            if tag == "style" { rest = rest[(rest.firstRange(of: "</style>")?.upperBound ?? rest.endIndex)...] }
            if !["meta", "link", "input", "img", "style"].contains(tag) { open.append(elements.count - 1) }
        }
        isWellFormed = isWellFormed && open.isEmpty
    }

    func all(_ tags: String...) -> [Element] { elements.filter { tags.contains($0.tag) } }

    /// The forms with the method POST, so without the one for language and time zone.
    var posts: [Element] { all("form").filter { $0.attributes["method"] == "post" } }

    /// The headings in order, each with its level.
    var outline: [String] {
        all("h1", "h2", "h3").map { "\($0.tag) \($0.text)" }
    }

    var text: String { elements.first { $0.tag == "body" }?.text ?? "" }

    private mutating func attributes(of inside: Substring) -> [String: String] {
        var found: [String: String] = [:]
        var rest = inside.drop { $0 != " " }
        while let start = rest.firstIndex(where: { $0 != " " }) {
            rest = rest[start...]
            guard let equals = rest.firstRange(of: "=\""),
                let close = rest[equals.upperBound...].firstIndex(of: "\"")
            else {
                isWellFormed = false
                return found
            }
            let name = String(rest[..<equals.lowerBound])
            if found[name] != nil { isWellFormed = false }
            found[name] = Self.unescaped(rest[equals.upperBound..<close])
            rest = rest[rest.index(after: close)...]
        }
        return found
    }

    private static func unescaped(_ text: Substring) -> String {
        var text = String(text)
        for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.split(separator: name, omittingEmptySubsequences: false).joined(separator: character)
        }
        return text
    }
}
