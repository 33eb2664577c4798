import TenureFormats
package import TenureHTTPClient

/// The first form of a page, such as the one on which a person signs in; it knows what forms are made of, and no scripts.
package struct PageForm: Sendable, Hashable {
    /// Its fields that are not buttons, in the page's order.
    package let fields: [Field]
    private let action: String

    /// A field.
    package struct Field: Sendable, Hashable {
        /// What it is sent as.
        package let name: String
        /// What kind it is, such as `password`; `text` where the page does not say.
        package let type: String
        /// What is in it.
        package let value: String
    }

    /// Reads a page; nil where it has no form.
    package init?(_ html: String) {
        guard let start = html.firstRange(of: "<form") else { return nil }
        let rest = html[start.lowerBound...]
        let form = rest.firstRange(of: "</form").map { rest[..<$0.lowerBound] } ?? rest
        let tags = form.split(separator: "<").map { tag in
            String(tag.prefix { $0 != ">" }.map { $0.isWhitespace ? " " : $0 })
        }
        action = tags.first.flatMap { Self.attribute("action", of: $0) } ?? ""
        fields = tags.filter { $0.lowercased().hasPrefix("input") }.compactMap { tag in
            let type = Self.attribute("type", of: tag)?.lowercased() ?? "text"
            guard let name = Self.attribute("name", of: tag), type != "submit" else { return nil }
            return Field(name: name, type: type, value: Self.attribute("value", of: tag) ?? "")
        }
    }

    /// The fields as they are sent: what is answered for one, else what is in it.
    package func filled(_ text: (Field) -> String?) -> [(String, String)] {
        fields.map { ($0.name, text($0) ?? $0.value) }
    }

    /// The absolute address that it is sent to, from that of the page.
    package func url(on page: String) -> String {
        if action.contains("://") { return action }
        let bare = page.prefix { $0 != "?" && $0 != "#" }
        if action.isEmpty || action.hasPrefix("?") { return bare + action }
        if action.hasPrefix("/") { return (WebURL(page)?.origin ?? "") + action }
        return bare[...(bare.lastIndex(of: "/") ?? bare.startIndex)] + action
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        guard let place = tag.firstRange(of: " \(name)=") else { return nil }
        let rest = tag[place.upperBound...]
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            return PageText.unescaped(String(rest.prefix { !$0.isWhitespace }))
        }
        return PageText.unescaped(String(rest.dropFirst().prefix { $0 != quote }))
    }
}

extension HTTPRequest {
    /// A POST of a form.
    package static func form(_ url: String, _ members: [(String, String)], fields: HTTPFields = [:]) -> HTTPRequest {
        var fields = fields
        fields.add("Content-Type", "application/x-www-form-urlencoded")
        return HTTPRequest(method: "POST", url: url, fields: fields, body: Array(PercentEncoding.form(members).utf8))
    }
}

extension HTTPResponse {
    /// The cookies that it sets, as the next request shows them; nil where there are none.
    package var cookies: String? {
        let cookies = fields.fields.filter { $0.name.lowercased() == "set-cookie" }
            .map { String($0.value.prefix { $0 != ";" }) }
        return cookies.isEmpty ? nil : cookies.joined(separator: "; ")
    }
}
