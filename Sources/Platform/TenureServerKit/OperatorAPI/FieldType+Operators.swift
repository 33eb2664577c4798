package import TenureCore

extension FieldType where Value == Int64 {
    /// The cursor of a list of events: a sequence number in decimal digits.
    static var eventCursor: FieldType {
        .text(
            "the value of `next` from the previous page", like: "0", schema: .text(pattern: "^(0|[1-9][0-9]{0,17})$")
        ) { text in
            guard let number = Int64(text), number >= 0, String(number) == text else { return nil }
            return number
        }
    }
}

extension FieldType where Value == EventFilter.KindPattern {
    /// A kind of event, or a family of kinds, that the server's features declare.
    static func eventKind(of registry: Registry) -> FieldType {
        .text(
            "a kind of event, such as license.renewed, or a family, such as license.*", like: "license.*",
            longest: 64, schema: .choice(registry.eventPatterns)
        ) { text in EventFilter.KindPattern(text).flatMap { registry.knows($0) ? $0 : nil } }
    }
}

extension FieldType where Value == AccountID {
    /// An account's id: 1 to 128 bytes without control characters.
    package static var accountID: FieldType<AccountID> {
        .text(
            "1 to 128 bytes without control characters", like: "ada",
            schema: .text(length: 1...128, pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]+$")
        ) { AccountID($0) }
    }
}
