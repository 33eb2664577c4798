import FoundationEssentials
package import TenureCore

extension Event {
    /// Encodes facts as a JSON array of objects. Each object has one member, which is the fact's name and value.
    ///
    /// A date is encoded as `{"at": SECONDS}`, in POSIX seconds.
    package static func code(_ facts: [Reason.Evidence]) -> String {
        // Every change that records events runs this, so the capacity is reserved to avoid repeated allocations.
        var code = ""
        code.reserveCapacity(48 * facts.count + 2)
        code += "["
        for fact in facts {
            code += code.utf8.count > 1 ? ",{" : "{"
            code.append(quoted: fact.name)
            code += ":"
            switch fact.value {
            case .number(let number): code += String(number)
            case .date(let date):
                code += "{\"at\":"
                code += String(date.seconds)
                code += "}"
            case .text(let text): code.append(quoted: text)
            }
            code += "}"
        }
        code += "]"
        return code
    }

    /// Decodes facts that ``code(_:)`` encoded; `nil` if the text is invalid.
    package static func facts(code: String) -> [Reason.Evidence]? {
        if code == "[]" { return [] }
        guard let stored = try? JSONDecoder().decode([[String: StoredFact]].self, from: Data(code.utf8)) else {
            return nil
        }
        var facts: [Reason.Evidence] = []
        for fact in stored {
            guard fact.count == 1, let (name, value) = fact.first else { return nil }
            facts.append(Reason.Evidence(name, value.value))
        }
        return facts
    }
}

private struct StoredFact: Decodable {
    let value: Reason.Evidence.Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            value = .number(number)
        } else if let text = try? container.decode(String.self) {
            value = .text(text)
        } else {
            let date = try container.decode([String: Int64].self)
            guard date.count == 1, let seconds = date["at"] else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither a fact nor a date")
            }
            value = .date(Timestamp(seconds: seconds))
        }
    }
}

/// Returns a text as a JSON string, including the quotes.
package func quoted(_ text: String) -> String {
    var code = ""
    code.append(quoted: text)
    return code
}

extension String {
    /// Appends a text as a JSON string, including the quotes.
    fileprivate mutating func append(quoted text: String) {
        self += "\""
        // Most texts need no escaping.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
            self += text
        } else {
            for scalar in text.unicodeScalars { append(escaped: scalar) }
        }
        self += "\""
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": self += "\\\""
        case "\\": self += "\\\\"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            self += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: unicodeScalars.append(scalar)
        }
    }
}
