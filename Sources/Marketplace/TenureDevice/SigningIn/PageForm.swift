import TenureFormats
import TenureHTTPClient

/// The first form of an HTML page, such as the sign-in form, as a page without scripts has it.
struct PageForm: Sendable, Hashable {
    /// The form's fields except buttons, in the page's order.
    let fields: [Field]
    private let action: String

    /// A form field.
    struct Field: Sendable, Hashable {
        /// The name under which the value is sent.
        let name: String
        /// The field's type, such as `password`; `text` if the page doesn't say.
        let type: String
        /// The value in the page, which a user may change.
        let value: String
    }

    /// Reads a page's HTML; returns `nil` if it has no form.
    init?(_ html: String) {
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

    /// Returns the names and values to send; `text` returns a field's new value, or `nil` to keep its own.
    func filled(_ text: (Field) -> String?) -> [(String, String)] {
        fields.map { ($0.name, text($0) ?? $0.value) }
    }

    /// The absolute URL that the form is sent to, given the page's URL.
    func url(on page: String) -> String {
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
    /// Creates a POST request with form data.
    static func form(_ url: String, _ members: [(String, String)], fields: HTTPFields = [:]) -> HTTPRequest {
        var fields = fields
        fields.add("Content-Type", "application/x-www-form-urlencoded")
        return HTTPRequest(method: "POST", url: url, fields: fields, body: Array(PercentEncoding.form(members).utf8))
    }
}

extension HTTPResponse {
    /// The cookies that the response sets, as the next request sends them; `nil` if it sets none.
    var cookies: String? {
        let cookies = fields.fields.filter { $0.name.lowercased() == "set-cookie" }
            .map { String($0.value.prefix { $0 != ";" }) }
        return cookies.isEmpty ? nil : cookies.joined(separator: "; ")
    }
}
