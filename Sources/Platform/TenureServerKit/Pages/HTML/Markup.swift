/// A piece of a page.
///
/// Markup comes only from tags and attributes. All other values are text, which is escaped when it's written, so values
/// can't get into a page unescaped.
package indirect enum Markup: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Text, escaped when it's written.
    case text(String)
    /// An element with its content, which is ``nothing`` for a void element.
    case element(Tag, [Attribute], Markup)
    /// A sequence of pieces.
    case sequence([Markup])
    /// The page's style sheet.
    case style(StyleSheet)

    /// An empty piece.
    package static let nothing = Markup.sequence([])

    /// Creates text.
    package init(stringLiteral text: String) { self = .text(text) }
}

extension Markup {
    /// Builds markup from pieces in the order in which they are written.
    @resultBuilder
    package enum Builder {
        /// Uses a piece as it is.
        package static func buildExpression(_ piece: Markup) -> Markup { piece }
        /// Turns a string into text.
        package static func buildExpression(_ text: String) -> Markup { .text(text) }
        package static func buildBlock(_ pieces: Markup...) -> Markup { .sequence(pieces) }
        package static func buildOptional(_ piece: Markup?) -> Markup { piece ?? .nothing }
        package static func buildEither(first piece: Markup) -> Markup { piece }
        package static func buildEither(second piece: Markup) -> Markup { piece }
        package static func buildArray(_ pieces: [Markup]) -> Markup { .sequence(pieces) }
    }
}
