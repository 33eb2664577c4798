import TenureCore
package import TenureServerKit

extension Shape where Value == Int64 {
    /// The cursor of a list of events.
    static var eventCursor: Shape {
        .text(
            "the value of `next` from the previous page", like: "0", schema: .text(pattern: "^(0|[1-9][0-9]{0,17})$")
        ) { text in
            guard let number = Int64(text), number >= 0, String(number) == text else { return nil }
            return number
        }
    }
}

extension Shape where Value == EventKindPattern {
    /// A kind of event that this server records, or a family of kinds.
    static var eventKind: Shape {
        .text(
            "a kind of event, such as license.renewed, or a family, such as license.*", like: "license.*",
            longest: 64, schema: .choice(Register.eventPatterns)
        ) { text in EventKindPattern(text).flatMap { Register.knows($0) ? $0 : nil } }
    }
}

extension Register {
    /// The valid filters by kind: each kind, and each family such as `license.*`.
    static let eventPatterns: [String] = {
        let kinds = events.flatMap(\.kinds).map(\.text)
        return kinds + Set(kinds.map { $0.prefix { $0 != "." } + ".*" }).sorted()
    }()

    /// Whether a pattern matches any kind of event.
    package static func knows(_ pattern: EventKindPattern) -> Bool {
        events.flatMap(\.kinds).contains(where: pattern.matches)
    }
}
