/// The page of a license for somebody without a session: how to get in.
package struct ClosedView: Sendable, Hashable {
    package init() {}

    /// The page; the same for everyone.
    package var page: Page {
        Page(title: "Your license") {
            Tag.h1 { "Your license" }
            Tag.section(.class("card")) {
                Tag.p {
                    "This page opens with a one-time link. Ask support for one: it shows the devices of your license."
                }
            }
        }
    }
}
