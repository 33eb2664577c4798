import TenureCore

/// An HTML attribute of an element. Its value is escaped when the page is written.
///
/// There are no attributes for event handlers or inline styles, because every page's Content-Security-Policy blocks
/// them.
package struct Attribute: Sendable, Hashable {
    package let name: String
    package let value: String

    private init(_ name: StaticString, _ value: String) {
        self.name = name.description
        self.value = value
    }

    /// The element's CSS classes.
    package static func `class`(_ names: StaticString) -> Attribute { Attribute("class", names.description) }
    package static func id(_ name: ElementID) -> Attribute { Attribute("id", name.text) }
    /// The input that a `label` element belongs to.
    package static func `for`(_ name: ElementID) -> Attribute { Attribute("for", name.text) }
    /// The element whose text labels this one.
    package static func labelled(by name: ElementID) -> Attribute { Attribute("aria-labelledby", name.text) }
    /// The element whose text describes this one.
    package static func described(by name: ElementID) -> Attribute { Attribute("aria-describedby", name.text) }
    /// A label for screen readers.
    package static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
    /// Hides a purely decorative element from screen readers.
    package static let decorative = Attribute("aria-hidden", "true")
    /// The element's ARIA role.
    package static func role(_ role: StaticString) -> Attribute { Attribute("role", role.description) }
    /// The language of the element's text.
    package static func lang(_ language: PageLanguage) -> Attribute { Attribute("lang", language.rawValue) }
    /// The target of a link.
    package static func href(_ link: PageLink) -> Attribute { Attribute("href", link.text) }
    /// The image's address.
    package static func src(_ path: PagePath) -> Attribute { Attribute("src", path.text) }
    /// The text in place of an image; empty if the image repeats the text next to it.
    package static func alt(_ text: String) -> Attribute { Attribute("alt", text) }
    /// Marks the chosen option of a list.
    package static let selected = Attribute("selected", "")
    /// The path that a form is submitted to.
    package static func action(_ path: PagePath) -> Attribute { Attribute("action", path.text) }
    /// Submits a form with POST, for forms that change something.
    package static let post = Attribute("method", "post")
    /// The machine-readable form of a date.
    package static func datetime(_ text: String) -> Attribute { Attribute("datetime", text) }
    /// The field's name in the submitted form.
    package static func name(_ name: StaticString) -> Attribute { Attribute("name", name.description) }
    /// The name of a field that repeats a query parameter of the page.
    package static func field(_ name: String) -> Attribute { Attribute("name", name) }
    /// The value of the field.
    package static func value(_ text: String) -> Attribute { Attribute("value", text) }
    /// The type of a field or button.
    package static func type(_ type: StaticString) -> Attribute { Attribute("type", type.description) }
    /// The kind of value that the browser may fill in automatically, such as `username`.
    package static func autocomplete(_ hint: StaticString) -> Attribute { Attribute("autocomplete", hint.description) }
    /// Turns off automatic capitalization.
    package static let uncapitalised = Attribute("autocapitalize", "none")
    /// Turns off the spell checker.
    package static let unspelled = Attribute("spellcheck", "false")
    /// The maximum number of characters.
    package static func longest(_ count: Int) -> Attribute { Attribute("maxlength", String(count)) }
    /// Makes a field mandatory.
    package static let required = Attribute("required", "")
    /// Makes a button submit the form without validation by the browser.
    package static let unchecked = Attribute("formnovalidate", "")
    /// An attribute of a `link` or `meta` element.
    package static func meta(_ name: StaticString, _ value: StaticString) -> Attribute {
        Attribute(name, value.description)
    }
}

/// The id of an element in its page.
package struct ElementID: Sendable, Hashable {
    package let text: String

    /// Creates an id for the only element with this name.
    package init(_ name: StaticString) { text = name.description }

    /// Creates an id for one of several elements with this name.
    package init(_ name: StaticString, _ number: Int) { text = "\(name)-\(number)" }
}
