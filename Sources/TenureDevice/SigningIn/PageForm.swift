import TenureFormats

/// The first form of a page: where it goes, and what is in it.
struct PageForm: Sendable, Hashable {
    /// Where it is sent, as the page has it.
    let action: String
    /// Names and values of its fields that are not buttons, in the page's order.
    let fields: [Field]

    /// A field.
    struct Field: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// Reads a page; nil where it has no form that says where it goes.
    init?(_ html: String) {
        guard let start = html.firstRange(of: "<form") else { return nil }
        let rest = html[start.upperBound...]
        let form = rest.firstRange(of: "</form").map { rest[..<$0.lowerBound] } ?? rest
        guard let action = Self.attributes(form.prefix { $0 != ">" })["action"] else { return nil }
        self.action = action
        var fields: [Field] = []
        for part in form.split(separator: "<") where part.hasPrefix("input") {
            let found = Self.attributes(part.prefix { $0 != ">" })
            guard let name = found["name"], found["type"] != "submit" else { continue }
            fields.append(Field(name: name, value: found["value"] ?? ""))
        }
        self.fields = fields
    }

    /// The fields, with those of the person filled in.
    func filled(_ account: String, _ proof: SignInProof) -> [(String, String)] {
        fields.map { field in
            switch (field.name, proof) {
            case ("account", _): (field.name, account)
            case ("password", .password(let password)): (field.name, password)
            case ("link", .link(let link)): (field.name, link)
            default: (field.name, field.value)
            }
        }
    }

    /// The absolute address that it is sent to, from that of the page.
    func url(on page: String) -> String {
        action.hasPrefix("/") ? (WebURL(page)?.origin ?? "") + action : action
    }

    private static func attributes(_ tag: Substring) -> [String: String] {
        var found: [String: String] = [:]
        var rest = tag
        while let mark = rest.firstRange(of: "=\"") {
            let name = rest[..<mark.lowerBound].split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
            let value = rest[mark.upperBound...].prefix { $0 != "\"" }
            found[name.lowercased()] = PageText.unescaped(String(value))
            rest = rest[mark.upperBound...].dropFirst(value.count + 1)
        }
        return found
    }
}
