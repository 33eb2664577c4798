/// The HTML elements that a page may contain. None of these elements can run code.
package enum Tag: String, Sendable, Hashable {
    case html, head, meta, title, link, body
    case header, main, footer, section, article, aside, nav, div, span
    case h1, h2, h3, p, strong, ul, ol, li, dl, dt, dd, a, time, bdi
    case img, select, option
    case form, label, input, button, details, summary

    /// Whether the element is void, which means that it has no content and no end tag.
    package var isVoid: Bool {
        switch self {
        case .meta, .link, .input, .img: true
        default: false
        }
    }

    /// Creates an element with content.
    package func callAsFunction(_ attributes: Attribute..., @Markup.Builder content: () -> Markup) -> Markup {
        .element(self, attributes, content())
    }

    /// Creates an element without content.
    package func callAsFunction(_ attributes: Attribute...) -> Markup {
        .element(self, attributes, .nothing)
    }

    /// Creates a term and its value for a `dl` element.
    package static func fact(_ label: String, @Markup.Builder value: () -> Markup) -> Markup {
        Tag.div {
            Tag.dt { label }
            Tag.dd { value() }
        }
    }
}
