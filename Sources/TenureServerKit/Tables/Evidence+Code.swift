import Foundation
package import TenureCore

extension Event {
    /// The facts of an event as JSON: one object with one member for each, a date as `{"at": POSIX seconds}`.
    package static func code(_ facts: [Reason.Evidence]) -> String {
        var code = "["
        for fact in facts {
            let value =
                switch fact.value {
                case .number(let number): String(number)
                case .date(let date): "{\"at\":\(date.seconds)}"
                case .text(let text): quoted(text)
                }
            code += (code.utf8.count > 1 ? ",{" : "{") + quoted(fact.name) + ":" + value + "}"
        }
        return code + "]"
    }

    /// Reads what ``code(_:)`` writes; nil for anything else.
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

/// Text as a JSON string, quotes included.
package func quoted(_ text: String) -> String {
    // Most texts are what they are.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) { return "\"" + text + "\"" }
    var out = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + "\""
}
