import TenureCore
import TenureFormats
import TenureHTTP

/// The first form of an HTML page, such as the sign-in form, without the effect of scripts.
struct PageForm: Sendable, Hashable {
    /// The form's fields except buttons, in the page's order.
    let fields: [Field]
    private let action: String

    struct Field: Sendable, Hashable {
        /// The name under which the value is sent.
        let name: String
        /// The field's type, such as `password`; `text` if the page names none.
        let type: String
        /// The value in the page, which a user may change.
        let value: String
    }

    /// Reads a page's HTML; returns `nil` if it has no form.
    init?(_ html: String) {
        guard let rest = html.cut(at: "<form")?.after else { return nil }
        let form = rest.cut(at: "</form")?.before ?? rest
        let tags = "form\(form)".split(atByte: "<").map { tag in
            let bytes = tag.utf8.prefix { $0 != UInt8(ascii: ">") }
            return String(decoding: bytes.map { (0x09...0x0D).contains($0) ? 0x20 : $0 }, as: UTF8.self)
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
        if action.cut(at: "://") != nil { return action }
        let bare = page.before(anyByteOf: "?#")
        if action.isEmpty || action.hasPrefix("?") { return bare + action }
        if action.hasPrefix("/") { return (WebURL(page)?.origin ?? "") + action }
        return (bare.cut(atLastByte: "/")?.before ?? "") + "/" + action
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        guard let rest = tag.cut(at: " \(name)=")?.after else { return nil }
        for quote in ["\"", "'"] {
            if let quoted = rest.text(after: quote) {
                return PageText.unescaped(String(quoted.before(anyByteOf: quote)))
            }
        }
        return PageText.unescaped(String(rest.before(anyByteOf: " ")))
    }
}

extension OutgoingRequest {
    /// Creates a POST request with form data.
    static func form(_ url: String, _ members: [(String, String)], headers: Headers = [:]) -> OutgoingRequest {
        var headers = headers
        headers.add("Content-Type", "application/x-www-form-urlencoded")
        let body = Array(PercentEncoding.form(members).utf8)
        return OutgoingRequest(method: "POST", url: url, headers: headers, body: body)
    }
}

extension Response {
    /// The cookies that the response sets, as the next request sends them; `nil` if it sets none.
    var cookies: String? {
        let cookies = headers.fields.filter { $0.name.lowercased() == "set-cookie" }
            .map { String($0.value.before(anyByteOf: ";")) }
        return cookies.isEmpty ? nil : cookies.joined(separator: "; ")
    }
}
