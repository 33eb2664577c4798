/// A part of an HTML page.
///
/// Only ``Tag`` and ``Attribute`` values become markup. Every string becomes text, which is always escaped. So a page
/// can't contain unescaped values.
package indirect enum Markup: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Text, which is escaped when the page is written.
    case text(String)
    /// An element with its content. A void element has the content ``nothing``.
    case element(Tag, [Attribute], Markup)
    /// Several parts, which are written one after the other.
    case sequence([Markup])
    /// The page's style sheet.
    case style(StyleSheet)

    /// Markup that writes nothing.
    package static let nothing = Markup.sequence([])

    package init(stringLiteral text: String) { self = .text(text) }
}

extension Markup {
    /// Builds markup from parts, which are written one after the other.
    @resultBuilder
    package enum Builder {
        package static func buildExpression(_ piece: Markup) -> Markup { piece }
        /// Turns a string into text, which is escaped when the page is written.
        package static func buildExpression(_ text: String) -> Markup { .text(text) }
        package static func buildBlock(_ pieces: Markup...) -> Markup { .sequence(pieces) }
        package static func buildOptional(_ piece: Markup?) -> Markup { piece ?? .nothing }
        package static func buildEither(first piece: Markup) -> Markup { piece }
        package static func buildEither(second piece: Markup) -> Markup { piece }
        package static func buildArray(_ pieces: [Markup]) -> Markup { .sequence(pieces) }
    }
}
