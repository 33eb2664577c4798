/// The page that a one-time link opens.
///
/// The link is used only when a person presses the button. So a program that fetches the link for a preview doesn't
/// use it up.
package struct LinkView: Sendable, Hashable {
    /// The link's secret, as the client sent it.
    package let text: String

    /// A sentence about the pages that the link opens.
    let shows: Spoken
    /// Whether the form is submitted to the link's own path instead of the common path for all links.
    var isSentToItself = false

    package init(text: String, shows: Spoken) {
        self.text = text
        self.shows = shows
    }

    /// The page, which doesn't reveal whether the link is still valid.
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
