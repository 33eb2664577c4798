/// The page that a one-time link opens.
///
/// The link is used only when a person presses the button, so a preview of the link doesn't use it up.
package struct LinkView: Sendable, Hashable {
    /// The link's secret, as received.
    package let text: String

    /// A sentence that says what the link leads to.
    let shows: Spoken
    /// Whether the form is submitted to the link's own path instead of one path for all links.
    var isSentToItself = false

    package init(text: String, shows: Spoken) {
        self.text = text
        self.shows = shows
    }

    /// The page; it doesn't show whether the link still works.
    package func page(in frame: PageFrame) -> Page {
        let language = frame.language
        let title = FrameText.linkTitle(in: language)
        let stay: FrameText = frame.site.hasAccounts ? .linkStaysSignedIn : .linkStaysOpen
        return Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { shows(in: language) }
            }
            Tag.section(.class("card")) {
                Tag.p { FrameText.linkWorksOnce(in: language) + " " + stay(in: language) }
                Tag.form(.post, .action(isSentToItself ? frame.path("link", text) : frame.path("link"))) {
                    if !isSentToItself { Tag.input(.type("hidden"), .name("link"), .value(text)) }
                    Tag.button(.type("submit")) { FrameText.goOn(in: language) }
                }
            }
        }
    }
}
