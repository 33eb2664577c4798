import TenureCore

/// A page for people, without the header and footer that all pages share.
package struct Page: Sendable, Hashable {
    package let status: Int
    /// The title of the browser's window or tab.
    package let title: String
    /// The content between the page's header and footer.
    package let content: Markup

    package init(status: Int = 200, title: String, @Markup.Builder content: () -> Markup) {
        self.status = status
        self.title = title
        self.content = content()
    }

    /// Creates a page with one paragraph below its title.
    package init(status: Int = 200, title: String, paragraph: String) {
        self.init(status: status, title: title) {
            Tag.h1 { title }
            Tag.section(.class("card")) { Tag.p { paragraph } }
        }
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
            Tag.title { "\(title) · \(frame.brand.name)" }
            Tag.link(.meta("rel", "icon"), .href(frame.brand.icon))
            Markup.style(.pages)
            if let colors = frame.brand.colors { Markup.style(colors) }
        }
    }

    private func top(_ frame: PageFrame) -> Markup {
        Tag.header {
            for notice in frame.notices { Tag.p(.class("notice")) { notice.words(in: frame.language) } }
            Tag.div(.class("top")) {
                name(frame.brand)
                if let session = frame.session { whose(session, frame) }
            }
        }
    }

    private func name(_ brand: PageBrand) -> Markup {
        let name = Markup.sequence([
            brand.logo.map { Tag.img(.class("logo"), .src($0), .alt("")) } ?? .nothing, Tag.bdi { brand.name },
        ])
        return Tag.p(.class("market")) {
            if let homepage = brand.homepage { Tag.a(.href(homepage)) { name } } else { name }
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
                choice(frame)
            }
        }
    }

    /// The form for choosing the language and the time zone of all pages.
    ///
    /// If the page responds to another form, this form leads to the start page, because the page's own address shows
    /// no page.
    private func choice(_ frame: PageFrame) -> Markup {
        let (language, zone) = (ElementID("view-language"), ElementID("view-zone"))
        if frame.here == nil, !frame.site.hasStartPage { return .nothing }
        let segments = frame.site.segments(of: frame.tenant) + (frame.here ?? [])
        let path = segments.isEmpty ? .root : PagePath(segments)
        return Tag.form(.class("view"), .label(FrameText.view(in: frame.language)), .action(path)) {
            for item in frame.query { Tag.input(.type("hidden"), .field(item.name), .value(item.value)) }
            Tag.div {
                Tag.label(.for(language)) { FrameText.language(in: frame.language) }
                Tag.select(.id(language), .name(PageFrame.languageItem)) {
                    for other in frame.site.languages {
                        option(other.rawValue, other.ownName, isChosen: other == frame.language, .lang(other))
                    }
                }
            }
            Tag.div {
                Tag.label(.for(zone)) { FrameText.timeZone(in: frame.language) }
                Tag.select(.id(zone), .name(PageFrame.zoneItem)) {
                    for other in PageZone.all {
                        option(other.name, other.city, isChosen: other == frame.locale.zone)
                    }
                }
            }
            Tag.button(.class("plain"), .type("submit")) { FrameText.apply(in: frame.language) }
        }
    }

    private func option(_ value: String, _ text: String, isChosen: Bool, _ more: Attribute...) -> Markup {
        .element(.option, [.value(value)] + more + (isChosen ? [.selected] : []), .text(text))
    }

    /// The sentence that links to support; `nil` if the vendor has configured neither an address nor a page.
    private func support(_ frame: PageFrame) -> Markup? {
        let reference = frame.session.map { frame.language.aside($0.reference.description) } ?? ""
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
