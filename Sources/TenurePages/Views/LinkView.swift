/// The page that a one-time link opens: a button, so that a preview of the link does not use it up.
package struct LinkView: Sendable, Hashable {
    /// The link's text as it came.
    package let text: String

    /// Describes the page of a link.
    package init(text: String) { self.text = text }

    private func what(_ frame: PageFrame) -> String {
        switch frame.site {
        case .resolution: "It shows what holds for your account at \(frame.marketplace)."
        case .holder: "It shows the devices of your license, and you can free the place of one that you no longer use."
        }
    }

    /// The page; the same for every link, whether it works or not.
    package func page(in frame: PageFrame) -> Page {
        Page(title: "Your one-time link") {
            Tag.div {
                Tag.h1 { "Your one-time link" }
                Tag.p(.class("lead")) { what(frame) }
            }
            Tag.section(.class("card")) {
                Tag.p {
                    "The link works once. "
                    frame.site == .resolution
                        ? "You stay signed in on this device for half an hour."
                        : "The page stays open on this device for half an hour."
                }
                Tag.form(.post, .action(frame.path("link"))) {
                    Tag.input(.type("hidden"), .name("link"), .value(text))
                    Tag.button(.type("submit")) { "Continue" }
                }
            }
        }
    }
}
