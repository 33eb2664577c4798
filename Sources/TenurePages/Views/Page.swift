import TenureCore

/// One page as a value: what it is called, what it says, and the status it is sent with.
package struct Page: Sendable, Hashable {
    /// The status of the answer.
    package let status: Int
    /// What the window is called.
    package let title: String
    /// What stands between the page's top and its end.
    package let content: Markup

    /// Makes a page.
    package init(status: Int = 200, title: String, @MarkupBuilder content: () -> Markup) {
        self.status = status
        self.title = title
        self.content = content()
    }
}

extension Page {
    /// The whole document: the page within what all pages have around them.
    package func document(in frame: PageFrame) -> [UInt8] {
        MarkupWriter.document(
            Tag.html(.lang("en")) {
                head(frame)
                Tag.body {
                    Tag.a(.class("skip"), .href(PageLink(to: Self.main))) { "Skip to the content" }
                    top(frame)
                    Tag.main(.id(Self.main)) { content }
                    bottom(frame)
                }
            })
    }

    private static let main = ElementID("main")

    private func head(_ frame: PageFrame) -> Markup {
        Tag.head {
            Tag.meta(.meta("charset", "utf-8"))
            Tag.meta(.meta("name", "viewport"), .meta("content", "width=device-width, initial-scale=1"))
            Tag.meta(.meta("name", "color-scheme"), .meta("content", "light dark"))
            Tag.meta(.meta("name", "robots"), .meta("content", "noindex"))
            Tag.title { "\(title) · \(frame.marketplace)" }
            Tag.link(.meta("rel", "icon"), .href(.noIcon))
            Markup.style(.pages)
        }
    }

    private func top(_ frame: PageFrame) -> Markup {
        Tag.header {
            for notice in frame.notices { Tag.p(.class("notice")) { notice.words } }
            Tag.div(.class("top")) {
                Tag.p(.class("market")) { Tag.bdi { frame.marketplace } }
                if let session = frame.session { whose(session, frame) }
            }
        }
    }

    private func whose(_ session: PageFrame.Session, _ frame: PageFrame) -> Markup {
        Tag.div(.class("who")) {
            Tag.p {
                switch session.whose {
                case .account(let account):
                    "Signed in as "
                    Tag.bdi { account.text }
                case .license(let key):
                    "License "
                    Tag.bdi { key }
                }
            }
            Tag.form(.post, .action(frame.path("sign-out"))) {
                session.hiddenCode
                Tag.button(.class("text"), .type("submit")) { frame.site == .resolution ? "Sign out" : "Close" }
            }
        }
    }

    private func bottom(_ frame: PageFrame) -> Markup {
        let reference = frame.session?.reference
        let subject = "\(frame.marketplace): \(frame.site.matter)" + (reference.map { " (\($0))" } ?? "")
        let letter = frame.supportEmail.flatMap { PageLink(mailTo: $0, subject: subject) }
        if letter == nil, reference == nil { return .nothing }
        return Tag.footer(.class("bottom")) {
            Tag.div {
                if let letter, let mailbox = frame.supportEmail {
                    Tag.p {
                        "Still stuck? Write to "
                        Tag.a(.href(letter)) { mailbox }
                        "."
                    }
                }
                if let reference {
                    Tag.p {
                        "Reference for support: "
                        Tag.span(.class("reference")) { reference.description }
                    }
                }
            }
        }
    }
}
