import TenureCore

/// The words of one sentence in one language, with placeholders such as `{device}`.
package struct Wording: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The words for the number 1; `nil` if the sentence has no number, or if the language has no singular form.
    package let one: String?
    /// The words for any other number, or for a sentence without a number.
    package let other: String

    /// Words that don't depend on a number.
    package init(stringLiteral text: String) {
        one = nil
        other = text
    }

    private init(one: String, other: String) {
        self.one = one
        self.other = other
    }

    /// Words that depend on the number that replaces `{count}`.
    package static func counted(one: String, other: String) -> Wording { Wording(one: one, other: other) }

    /// The words for a number, split into texts and placeholders.
    func pieces(count: Int?) -> [Piece] {
        var pieces: [Piece] = []
        var rest = (count == 1 ? one ?? other : other)[...]
        while let (text, opened) = rest.cut(at: "{"), let (name, after) = opened.cut(at: "}") {
            if !text.isEmpty { pieces.append(.text(String(text))) }
            pieces.append(.placeholder(String(name)))
            rest = after
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    enum Piece: Sendable, Hashable {
        case text(String)
        /// A placeholder with the name of the value that replaces it.
        case placeholder(String)
    }

    /// The names of the placeholders in all forms.
    package var placeholders: Set<String> {
        var names: Set<String> = []
        for piece in pieces(count: 1) + pieces(count: 2) {
            if case .placeholder(let name) = piece { names.insert(name) }
        }
        return names
    }
}
