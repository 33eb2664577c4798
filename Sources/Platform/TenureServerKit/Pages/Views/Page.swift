import TenureCore

/// A page for people, without the header and footer that all pages share.
package struct Page: Sendable, Hashable {
    /// The HTTP status.
    package let status: Int
    /// The window's title.
    package let title: String
    /// The content between the page's header and footer.
    package let content: Markup

    package init(status: Int = 200, title: String, @Markup.Builder content: () -> Markup) {
        self.status = status
        self.title = title
        self.content = content()
    }
}

extension Page {
    /// The complete HTML document, including the header and footer.
    package func document(in frame: PageFrame) -> [UInt8] {
        MarkupWriter.document(
            Tag.html(.lang(frame.language)) {
                head(frame)
                Tag.body {
                    Tag.a(.class("skip"), .href(PageLink(to: Self.main))) { FrameText.skip(in: frame.language) }
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
            for notice in frame.notices { Tag.p(.class("notice")) { notice.words(in: frame.language) } }
            Tag.div(.class("top")) {
                Tag.p(.class("market")) { Tag.bdi { frame.marketplace } }
                if frame.site.languages.count > 1 { choice(frame) }
                if let session = frame.session { whose(session, frame) }
            }
        }
    }

    /// The links to the same page in other languages.
    private func choice(_ frame: PageFrame) -> Markup {
        Tag.nav(.class("who"), .label(FrameText.language(in: frame.language))) {
            for language in frame.site.languages where language != frame.language {
                Tag.a(.href(PageLink(frame.path(in: language))), .lang(language)) { language.ownName }
            }
        }
    }

    private func whose(_ session: PageFrame.Session, _ frame: PageFrame) -> Markup {
        let (text, name): (FrameText, String) =
            switch session.whose {
            case .person(let name): (.signedInAs, name)
            case .license(let key): (.license, key)
            }
        let close: FrameText = frame.site.hasAccounts ? .signOut : .close
        return Tag.div(.class("who")) {
            Tag.p { text.markup(in: frame.language, with: ["name": Tag.bdi { name }]) }
            Tag.form(.post, .action(frame.path("sign-out"))) {
                session.hiddenCode
                Tag.button(.class("text"), .type("submit")) { close(in: frame.language) }
            }
        }
    }

    private func bottom(_ frame: PageFrame) -> Markup {
        let support = support(frame)
        let reference = frame.session?.reference
        if support == nil, reference == nil { return .nothing }
        return Tag.footer(.class("bottom")) {
            Tag.div {
                if let support { Tag.p { support } }
                if let reference {
                    Tag.p {
                        FrameText.supportReference.markup(
                            in: frame.language,
                            with: ["reference": Tag.span(.class("reference")) { reference.description }])
                    }
                }
            }
        }
    }

    /// The sentence that names the ways to support; `nil` if the vendor has named none.
    private func support(_ frame: PageFrame) -> Markup? {
        let reference = frame.session.map { " (\($0.reference))" } ?? ""
        let subject = "\(frame.marketplace): \(frame.site.matter(in: frame.language))" + reference
        let email = frame.supportEmail.flatMap { mailbox in
            PageLink(mailTo: mailbox, subject: subject).map { letter in Tag.a(.href(letter)) { mailbox } }
        }
        let site = frame.supportURL.map { link in Tag.a(.href(link)) { link.shortText } }
        return switch (email, site) {
        case (let email?, let site?):
            FrameText.supportBoth.markup(in: frame.language, with: ["email": email, "site": site])
        case (let email?, nil): FrameText.supportEmail.markup(in: frame.language, with: ["email": email])
        case (nil, let site?): FrameText.supportSite.markup(in: frame.language, with: ["site": site])
        case (nil, nil): nil
        }
    }
}
