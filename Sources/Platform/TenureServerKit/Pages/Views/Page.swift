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
                    Tag.a(.class("skip"), .href(PageLink(to: Self.main))) { Self.skip(in: frame.language) }
                    top(frame)
                    Tag.main(.id(Self.main)) { content }
                    bottom(frame)
                }
            })
    }

    private static let main = ElementID("main")
    private static let skip = Spoken("Skip to the content", "본문으로 건너뛰기")

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
        Tag.nav(.class("who"), .label(Spoken("Language", "언어")(in: frame.language))) {
            for language in frame.site.languages where language != frame.language {
                Tag.a(.href(PageLink(frame.path(in: language))), .lang(language)) { language.ownName }
            }
        }
    }

    private func whose(_ session: PageFrame.Session, _ frame: PageFrame) -> Markup {
        let (before, name): (Spoken, String) =
            switch session.whose {
            case .person(let name): (Spoken("Signed in as", "로그인:"), name)
            case .license(let key): (Spoken("License", "라이선스"), key)
            }
        let close = frame.site.hasAccounts ? Spoken("Sign out", "로그아웃") : Spoken("Close", "닫기")
        return Tag.div(.class("who")) {
            Tag.p {
                before(in: frame.language) + " "
                Tag.bdi { name }
            }
            Tag.form(.post, .action(frame.path("sign-out"))) {
                session.hiddenCode
                Tag.button(.class("text"), .type("submit")) { close(in: frame.language) }
            }
        }
    }

    private func bottom(_ frame: PageFrame) -> Markup {
        let reference = frame.session?.reference
        let subject =
            "\(frame.marketplace): \(frame.site.matter(in: frame.language))" + (reference.map { " (\($0))" } ?? "")
        let letter = frame.supportEmail.flatMap { PageLink(mailTo: $0, subject: subject) }
        if letter == nil, reference == nil { return .nothing }
        return Tag.footer(.class("bottom")) {
            Tag.div {
                if let letter, let mailbox = frame.supportEmail {
                    Tag.p {
                        Spoken("Still stuck? Write to", "도움이 더 필요하시면 다음 주소로 문의하세요:")(in: frame.language) + " "
                        Tag.a(.href(letter)) { mailbox }
                        Spoken(".", "")(in: frame.language)
                    }
                }
                if let reference {
                    Tag.p {
                        Spoken("Reference for support:", "고객센터 문의 번호:")(in: frame.language) + " "
                        Tag.span(.class("reference")) { reference.description }
                    }
                }
            }
        }
    }
}
