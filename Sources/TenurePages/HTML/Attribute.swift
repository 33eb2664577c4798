import TenureCore

/// An attribute of an element. Names are the program's; values are escaped when they are written.
///
/// There is none that runs code or styles an element: the policy sent with each page would refuse both.
package struct Attribute: Sendable, Hashable {
    package let name: String
    package let value: String

    private init(_ name: StaticString, _ value: String) {
        self.name = name.description
        self.value = value
    }

    /// The classes that the style sheet knows it by.
    package static func `class`(_ names: StaticString) -> Attribute { Attribute("class", names.description) }
    /// Its name in the page.
    package static func id(_ name: ElementID) -> Attribute { Attribute("id", name.text) }
    /// The element that a label is for.
    package static func `for`(_ name: ElementID) -> Attribute { Attribute("for", name.text) }
    /// The element whose text names this one.
    package static func labelled(by name: ElementID) -> Attribute { Attribute("aria-labelledby", name.text) }
    /// The element whose text describes this one.
    package static func described(by name: ElementID) -> Attribute { Attribute("aria-describedby", name.text) }
    /// A name for those who do not see the page.
    package static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
    /// Not told to those who do not see the page: it says nothing that the words do not.
    package static let decorative = Attribute("aria-hidden", "true")
    /// What an element stands for.
    package static func role(_ role: StaticString) -> Attribute { Attribute("role", role.description) }
    /// The language of its words.
    package static func lang(_ language: PageLanguage) -> Attribute { Attribute("lang", language.rawValue) }
    /// Where a link goes.
    package static func href(_ link: PageLink) -> Attribute { Attribute("href", link.text) }
    /// Where a form is sent.
    package static func action(_ path: PagePath) -> Attribute { Attribute("action", path.text) }
    /// A form that changes something.
    package static let post = Attribute("method", "post")
    /// The moment that a date means, for programs.
    package static func datetime(_ text: String) -> Attribute { Attribute("datetime", text) }
    /// What a field is called when the form is sent.
    package static func name(_ name: StaticString) -> Attribute { Attribute("name", name.description) }
    /// What a field holds.
    package static func value(_ text: String) -> Attribute { Attribute("value", text) }
    /// What kind of field or button it is.
    package static func type(_ type: StaticString) -> Attribute { Attribute("type", type.description) }
    /// What a browser may fill in.
    package static func autocomplete(_ hint: StaticString) -> Attribute { Attribute("autocomplete", hint.description) }
    /// Typed text starts with no capital of the keyboard's own.
    package static let uncapitalised = Attribute("autocapitalize", "none")
    /// Typed text is no prose that could be misspelt.
    package static let unspelled = Attribute("spellcheck", "false")
    /// The most characters that may be typed.
    package static func longest(_ count: Int) -> Attribute { Attribute("maxlength", String(count)) }
    /// A field that must be filled in.
    package static let required = Attribute("required", "")
    /// A button that sends the form however it is filled in.
    package static let unchecked = Attribute("formnovalidate", "")
    /// What a link, or a `meta` element, is about.
    package static func meta(_ name: StaticString, _ value: StaticString) -> Attribute {
        Attribute(name, value.description)
    }
}

/// The name of an element in its page.
package struct ElementID: Sendable, Hashable {
    package let text: String

    /// A name that occurs once.
    package init(_ name: StaticString) { text = name.description }

    /// A name for one of several.
    package init(_ name: StaticString, _ number: Int) { text = "\(name)-\(number)" }
}
