/// A piece of a page.
///
/// Markup comes from tags and attributes alone; a value from anywhere is text and is escaped when it is written, so
/// there is no way to put a value into a page unescaped.
package indirect enum Markup: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Words, whatever they hold.
    case text(String)
    /// An element with what is in it; nothing for an element that takes nothing.
    case element(Tag, [Attribute], Markup)
    /// Pieces one after the other.
    case sequence([Markup])
    /// The page's style sheet.
    case style(StyleSheet)

    /// Nothing at all.
    package static let nothing = Markup.sequence([])

    /// Words.
    package init(stringLiteral text: String) { self = .text(text) }
}

/// Puts pieces of a page together in the order they are written.
@resultBuilder
package enum MarkupBuilder {
    /// Takes a piece as it is.
    package static func buildExpression(_ piece: Markup) -> Markup { piece }
    /// Takes text as words.
    package static func buildExpression(_ text: String) -> Markup { .text(text) }
    /// Joins pieces.
    package static func buildBlock(_ pieces: Markup...) -> Markup { .sequence(pieces) }
    /// A piece that may be absent.
    package static func buildOptional(_ piece: Markup?) -> Markup { piece ?? .nothing }
    /// The first of two.
    package static func buildEither(first piece: Markup) -> Markup { piece }
    /// The second of two.
    package static func buildEither(second piece: Markup) -> Markup { piece }
    /// One piece for each of several.
    package static func buildArray(_ pieces: [Markup]) -> Markup { .sequence(pieces) }
}
