/// The page that a one-time link opens: a button, so that a preview of the link does not use it up.
package struct LinkView: Sendable, Hashable {
    /// The link's text as it came.
    package let text: String

    /// Describes the page of a link.
    package init(text: String) { self.text = text }

    /// The page; the same for every link, whether it works or not.
    package func page(in frame: PageFrame) -> Page {
        Page(title: "Your one-time link") {
            Tag.div {
                Tag.h1 { "Your one-time link" }
                Tag.p(.class("lead")) { "It shows what holds for your account at \(frame.marketplace)." }
            }
            Tag.section(.class("card")) {
                Tag.p {
                    "The link works once. You stay signed in on this device for half an hour."
                }
                Tag.form(.post, .action(frame.path("link"))) {
                    Tag.input(.type("hidden"), .name("link"), .value(text))
                    Tag.button(.type("submit")) { "Continue" }
                }
            }
        }
    }
}
