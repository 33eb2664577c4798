package import TenureCore
package import TenureHTTP

extension PageFrame {
    /// The names of the query parameters for the language and the time zone that the person chose.
    static let languageItem: StaticString = "lang", zoneItem: StaticString = "zone"

    /// Returns a copy in the language and the time zone of a request.
    ///
    /// The values in the URL come first, then those of an earlier choice in a cookie. Without a choice, the language
    /// is the available one that the browser prefers, or else the tenant's, and the zone is UTC.
    package func speaking(to request: Request, else tenants: Language? = nil) -> PageFrame {
        var frame = self
        let items = QueryItems(request.query)
        let cookie = ViewCookie(in: request)
        let chosen = items?["\(Self.languageItem)"].flatMap { PageLanguage(rawValue: $0) }
        let zone = items?["\(Self.zoneItem)"].flatMap { PageZone(named: $0) }
        if let chosen, site.languages.contains(chosen) {
            frame.locale.language = chosen
            frame.isLanguageChosen = true
        } else {
            frame.locale.language =
                cookie?.language
                ?? PageLanguage(accepting: request.headers["Accept-Language"], of: site.languages, else: tenants)
        }
        frame.locale.zone = zone ?? cookie?.zone ?? .utc
        if chosen != nil || zone != nil {
            frame.choice = ViewCookie(language: frame.language, zone: frame.locale.zone).field(in: request)
        }
        frame.here = here(request)
        if frame.here != nil {
            frame.query = (items?.items ?? []).filter {
                !["\(Self.languageItem)", "\(Self.zoneItem)"].contains($0.name)
            }
            .prefix(Self.mostItems).map { QueryItem(name: $0.name, value: $0.value) }
        }
        return frame
    }

    /// A query parameter of the page, which the form for language and time zone repeats.
    struct QueryItem: Sendable, Hashable {
        let name: String
        let value: String
    }

    private static let mostItems = 16

    /// Returns the page's path segments below the start page; `nil` for the response to a form, whose address shows no
    /// page.
    private func here(_ request: Request) -> [String]? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        let segments = request.path.split(atByte: "/").map(String.init)
        let start = site.segments(of: tenant)
        // The catalog may define another path for the start page.
        guard segments.starts(with: start), !request.path.contains(byte: "%") else { return [] }
        return Array(segments.dropFirst(start.count))
    }
}

/// The cookie that remembers a person's choice of language and time zone on all pages of the server, for a year.
struct ViewCookie: Sendable, Hashable {
    let language: PageLanguage
    let zone: PageZone

    private static let name = "tenure_view"
    private static let lifetime = 31_536_000

    init(language: PageLanguage, zone: PageZone) {
        self.language = language
        self.zone = zone
    }

    /// Reads the first well-formed cookie of a request; `nil` if no cookie is well-formed.
    init?(in request: Request) {
        for value in HeaderText.cookies(Self.name, in: request.headers.values("Cookie")) {
            guard let (language, zone) = value.cut(at: ":"), let language = PageLanguage(rawValue: String(language)),
                let zone = PageZone(named: String(zone))
            else { continue }
            self.init(language: language, zone: zone)
            return
        }
        return nil
    }

    /// The `Set-Cookie` value.
    func field(in request: Request) -> String {
        "\(Self.name)=\(language.rawValue):\(zone.name); Max-Age=\(Self.lifetime); Path=/; HttpOnly; SameSite=Lax"
            + (request.wantsSecureCookies ? "; Secure" : "")
    }
}
