import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureTesting
import Testing

@Suite struct `A vendor's look` {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D]
    static let catalog = Vendor.catalog.replacing(
        #""name": "Acme", "#,
        with: """
            "name": "Acme", "brand": {"name": "ACME Apps", "logo": "logo.png", "accent": "#7a1fa2", \
            "homepage": "https://acme.example/"},
            """)

    /// A file beside the catalog.
    struct OneFile: NearbyFiles {
        let bytes: [UInt8]?

        func isFolder(_ path: String) throws(CatalogReader.FileError) -> Bool { false }

        func bytes(of path: String, in folder: String?, limit: Int) throws(CatalogReader.FileError) -> [UInt8]? {
            if let bytes, bytes.count > limit { throw CatalogReader.FileError("is too large") }
            return bytes
        }
    }

    private func problems(_ catalog: String = catalog, logo: [UInt8]? = png) -> [String] {
        do throws(CatalogFileError) {
            _ = try FeatureSet.tenure.catalogFile(
                parsing: Array(catalog.utf8), files: OneFile(bytes: logo))
            return []
        } catch {
            return error.problems.map { "\($0.pointer): \($0.message)" }
        }
    }

    private func holder() async throws -> Holder {
        let vendor = try await Vendor()
        try await ApplyCatalog(.tenure, store: vendor.store, master: vendor.master, clock: vendor.clock).apply(
            try FeatureSet.tenure.catalogFile(
                parsing: Array(Self.catalog.utf8), files: OneFile(bytes: Self.png)),
            by: .operator("test")
        ) { _, _ in }
        return Holder(at: vendor)
    }

    @Test func `the license page shows the vendor's name, logo, color and homepage`() async throws {
        let holder = try await holder()
        let page = await holder.get("/portal/acme")
        let logo = try #require(page.page.all("img").first?.attributes["src"])
        #expect(page.page.isWellFormed && page.page.all("header").first?.text.contains("ACME Apps") == true)
        #expect(page.page.all("link").first?.attributes["href"] == logo, "the logo is the icon, too")
        #expect(page.page.all("a").contains { $0.attributes["href"] == "https://acme.example/" })
        #expect(page.text.contains("--accent: #7a1fa2"))
        let policy = try #require(page.headers["Content-Security-Policy"])
        #expect(policy.split(separator: "'sha256-").count == 3)

        let image = await holder.get(logo)
        #expect(image.status == 200 && image.body.bytes == Self.png)
        #expect(image.headers["Content-Type"] == "image/png")
        #expect(image.headers["X-Content-Type-Options"] == "nosniff")
        #expect(image.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(await holder.get("/logos/acme/" + String(repeating: "0", count: 64)).status == 404)
        #expect(await holder.get("/logos/nobody/x").status == 404)

        // A file that doesn't mention the look leaves it unchanged.
        try await holder.vendor.apply(Vendor.catalog)
        #expect(await holder.get("/portal/acme").page.all("img").count == 1)
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg'/>", "<svg><\u{483} x:script>alert(1)</script></svg>", "\u{FEFF}<svg/>",
        "<html/>", "", "GIF89a", "\u{89}PNG\r\n\u{1A}\n", "RIFF0000WAVE", "RIFF",
    ]) func `a file that isn't a PNG, JPEG or WebP image is refused as a logo`(_ text: String) {
        let found = problems(logo: Array(text.utf8))
        #expect(
            found == ["/tenants/0/brand/logo: must be a PNG, JPEG or WebP image; export an SVG as one of them"])
    }

    @Test(
        arguments: [
            (png, "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("RIFF0000WEBPVP8 ".utf8), "image/webp"),
        ] as [([UInt8], String)]) func `a PNG, JPEG or WebP image is accepted as a logo`(
            _ bytes: [UInt8], _ type: String
        )
    {
        #expect(problems(logo: bytes) == [])
        #expect(LogoFile.mediaType(of: bytes) == type)
    }

    @Test func `a missing or too large logo file is refused`() {
        #expect(problems(logo: nil) == ["/tenants/0/brand/logo: there is no file logo.png"])
        let large = Self.png + [UInt8](repeating: 0, count: LogoFile.largest)
        #expect(problems(logo: large) == ["/tenants/0/brand/logo: is too large"])
    }

    @Test(arguments: [
        (##""accent": "#7a1fa2""##, nil), (##""accent": "#ffe000""##, "/tenants/0/brand/accent: has a contrast of 1.2"),
        (##""accent": "purple""##, "/tenants/0/brand/accent: must be a color"),
        (##""accent": "#7a1fa2", "accentDark": "#c58af9""##, nil),
        (##""accent": "#7a1fa2", "accentDark": "#3a0f52""##, "/tenants/0/brand/accentDark: has a contrast of 1."),
        (##""accentDark": "#c58af9""##, "/tenants/0/brand: needs \"accent\""),
        (#""homepage": "http://acme.example""#, "/tenants/0/brand/homepage: must be a URL that starts with https://"),
        (#""homepage": "javascript:alert(1)""#, "/tenants/0/brand/homepage: must be a URL that starts with https://"),
    ]) func `a brand is refused for an invalid or unreadable color, a dark accent alone or a homepage without https`(
        _ member: String, _ problem: String?
    ) {
        let catalog = Vendor.catalog.replacing(#""name": "Acme", "#, with: #""name": "Acme", "brand": {\#(member)}, "#)
        let found = problems(catalog)
        #expect(found.count == (problem == nil ? 0 : 1))
        #expect(problem.map { found.first?.hasPrefix($0) == true } ?? true, "\(found)")
    }

    @Test(arguments: ["#000000", "#0a58ca", "#7a1fa2", "#8a0000"])
    func `a readable accent color has a readable variant for dark backgrounds`(
        _ text: String
    ) throws {
        let color = try #require(RGBColor(text))
        #expect(color.isReadable(on: .lightGround) && color.onDark.isReadable(on: .darkGround))
    }

    @Test func `the server's root address shows a page to browsers and JSON to programs`() async throws {
        let holder = try await holder()
        let json = await holder.get("/")
        #expect(json.headers["Content-Type"] == "application/json" && json.text.contains(#""service":"tenure""#))
        #expect(json.headers["Vary"] == "Accept")
        let headers: Headers = ["Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"]
        let request = Request(method: "GET", path: "/", headers: headers)
        let page = await holder.vendor.server.handler.respond(to: request)
        #expect(page.status == 200 && page.page.isWellFormed && page.page.outline == ["h1 Lizenzserver"])
        #expect(page.page.all("header").first?.text.contains("ACME Apps") == true)
    }

    @Test func `a choice of language and time zone is stored in a cookie for all paths`() async throws {
        let holder = try await holder()
        try await holder.enter("NOTE-RENT-0000-0002")
        let form = try #require(await holder.get("/portal/acme").page.all("form").last)
        #expect(form.attributes["action"] == "/portal/acme" && form.attributes["method"] == nil)
        let chosen = await holder.get("/portal/acme", query: "lang=de&zone=Asia/Seoul")
        let field = try #require(chosen.headers.values("Set-Cookie").first)
        #expect(field == "tenure_view=de:Asia/Seoul; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax")
        let end = Timestamp(seconds: 1_800_000_000).adding(days: 30)
        let seoul = try #require(PageZone(named: "Asia/Seoul"))
        let later = await holder.get("/portal/acme", language: "ja")
        #expect(later.text.contains(end.forPeople(in: PageLocale(.german, zone: seoul))))
        #expect(later.headers["Set-Cookie"] == nil && later.page.all("html").first?.attributes["lang"] == "de")
        let odd = await holder.get("/portal/acme", query: "lang=xx&zone=Mars/Olympus")
        #expect(odd.headers["Set-Cookie"] == nil)
    }

    @Test func `the form for language and time zone keeps the page's other query parameters`() async throws {
        let holder = try await holder()
        let page = await holder.get("/portal/acme", query: "a=%22%3E%3Cb&lang=ko").page
        let hidden = page.all("input").filter { $0.attributes["name"] == "a" }
        #expect(page.isWellFormed && hidden.map { $0.attributes["value"] } == ["\"><b"])
    }
}
