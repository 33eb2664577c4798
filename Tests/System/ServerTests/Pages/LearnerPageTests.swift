import TenureContent
import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureContentServer

@Suite struct `The page of a learner` {
    static let start = "/content/acme/learner"

    /// Returns a learner in a course, with one lesson on a tablet and another on a phone.
    private func learner(_ catalog: String = Learner.contents) async throws -> (Learner, EnrolmentID) {
        let learner = try await Learner(at: Vendor(catalog))
        let enrolment = try await learner.enrols(days: 365)
        #expect(await learner.gets("mck-1", with: try learner.token(1, named: "Tablet")).status == 200)
        learner.vendor.clock.advance(seconds: 7200)
        #expect(await learner.gets("mck-2", with: try learner.token(2, named: "Phone")).status == 200)
        return (learner, enrolment)
    }

    @Test func `a link to the learner page opens one session, after confirmation`() async throws {
        let (learner, _) = try await learner()
        let link = try await learner.link()
        #expect(link.hasPrefix("\(Self.start)/link/"))
        for _ in 0..<2 {
            let page = await learner.get(link)
            #expect(page.status == 200 && page.headers["Set-Cookie"] == nil && page.page.isWellFormed)
            #expect(page.page.posts.map { $0.attributes["action"] } == [link])
        }
        let opened = await learner.post(link, [:])
        #expect(opened.status == 303 && opened.headers["Location"] == Self.start)
        let cookie = try #require(opened.headers["Set-Cookie"])
        #expect(cookie.contains("Path=\(Self.start); HttpOnly; SameSite=Strict"))

        let page = await learner.get()
        #expect(page.page.isWellFormed)
        #expect(
            page.page.outline == [
                "h1 Your content", "h2 Your devices", "h2 Phone", "h2 Tablet", "h2 Algebra", "h3 Lesson 1",
                "h3 Lesson 2",
            ])
        #expect(page.text.contains("3 of 3 plays left") && page.text.contains("2 of 2"))
        #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
        #expect(page.headers["Cache-Control"] == "no-store" && page.headers["Referrer-Policy"] == "no-referrer")

        let other = try await Learner(at: learner.vendor)
        #expect(await other.post(link, [:]).status == 410)
        let events = try await learner.events().suffix(2)
        #expect(events.map(\.kind) == [.holderLinkMade, .holderSessionOpened])
        #expect(events.map(\.actor) == [.operator("test"), .holder])
        let reference = try #require(events.last?.facts.first { $0.name == SupportReference.evidenceName })
        #expect(page.text.contains(reference.value.text))
        #expect(!events.contains { event in event.facts.contains { link.contains($0.value.text) } })
        let references = Set(events.map(\.holderRef))
        #expect(references == [try learner.catalog.secrets.holderRef("ada", of: Learner.tenant)])
    }

    @Test func `lessons of a course with the same status share one entry on the learner page`() async throws {
        let learner = try await Learner(at: Vendor(Learner.contents))
        let enrolment = try await learner.enrols(days: 365)
        let token = try await learner.token(1, named: "Tablet")
        for lesson in ["mck-1", "mck-2"] {
            let answer = await learner.gets(lesson, with: token)
            #expect(answer.status == 200)
        }
        try await learner.act(.pause, on: enrolment)
        learner.vendor.clock.advance(days: 31)
        try await learner.enter()
        let text = await learner.get().page.text
        #expect(
            text.matches(of: /Lesson 1Lesson 2LockedWhyIt expired on/).count == 2, "on the device and in the course")
    }

    @Test func `the learner page says why content is locked, for how long and what to do`() async throws {
        let (learner, enrolment) = try await learner()
        try await learner.act(.pause, on: enrolment)
        learner.vendor.clock.advance(days: 20)
        try await learner.enter()
        let before = await learner.get().page.text
        #expect(before.contains("Why it won’t be renewedYour enrolment is paused."))
        #expect(before.contains("PlayableUntil") && before.contains("(in 10 days)") && !before.contains("Locked"))

        learner.vendor.clock.advance(days: 10)
        learner.leaves()
        try await learner.enter()
        let locked = await learner.get().page.text
        let end = Timestamp(seconds: 1_800_000_000).adding(days: 30).forPeople
        #expect(locked.contains("LockedWhyIt expired on \(end). Your enrolment is paused."))
        #expect(locked.contains("How longUntil the vendor changes it.What to doWrite to support"))

        try await learner.act(.resume, on: enrolment)
        let due = await learner.get().page.text
        #expect(
            due.contains("Needs renewalWhyIt expired on \(end).How longUntil the device connects to the server."))
        #expect(due.contains("Connect the device to the internet and open it there"))
    }

    /// Sends a request as Kollus's player on a phone does.
    private func plays(
        _ learner: Learner, _ kind: KollusItem.Kind, isExpired: Bool = false
    ) async throws {
        let context = ContentContext(catalog: learner.catalog, clock: learner.vendor.clock, randomness: .system)
        let item = KollusItem(kind: kind, key: "mck-1", user: "ada", player: "phone", isForceExpired: isExpired)
        _ = try await context.answerKollus([item], of: Learner.tenant, unknown: .leave)
    }

    @Test
    func `the learner page shows a Kollus download without usage, and as expired once the player reports its end`()
        async throws
    {
        let learner = try await Learner(at: Vendor(Learner.contents))
        let enrolment = try await learner.enrols()
        try await plays(learner, .download)
        try await learner.enter()
        let plain = await learner.get().text
        #expect(plain.contains("3 plays, usage not reported") && !plain.contains("3 of 3"))
        #expect(await learner.get(query: "lang=ko").text.contains("재생 횟수 3회 (사용량 보고 없음)"))

        try await learner.act(.pause, on: enrolment)
        try await plays(learner, .check, isExpired: true)
        let expired = await learner.get().page.text
        let time = learner.vendor.clock.now().forPeople
        #expect(expired.contains("LockedWhyIts player reported on \(time) that it had expired."))
        try await learner.act(.resume, on: enrolment)
        #expect(await learner.get().page.text.contains("Needs renewalWhyIts player reported on"))
        try await plays(learner, .check, isExpired: true)
        #expect(await learner.get().page.text.contains("PlayableUntil"))
    }

    @Test func `the learner page has the tenant's support address and, by default, the tenant's language`() async throws
    {
        let head = #"{"id": "acme", "name": "Acme", "#
        let listed = head + #""language": "ko", "supportEmail": "help@acme.example", "#
        let learner = try await Learner(at: Vendor(Learner.contents.replacing(head, with: listed)))
        try await learner.enter()
        let page = await learner.get()
        #expect(page.page.all("html").first?.attributes["lang"] == "ko")
        #expect(page.text.contains("help@acme.example"))
        learner.language = "en-US"
        #expect(await learner.get().text.contains("Your content"))
        learner.language = "nl"
        #expect(await learner.get().text.contains("내 콘텐츠"))
        // A file that mentions neither setting leaves both unchanged.
        try await learner.vendor.apply(Learner.contents)
        let later = await learner.get()
        #expect(later.text.contains("help@acme.example") && later.text.contains("내 콘텐츠"))
    }

    @Test func `a learner can release devices as often as the policy allows`() async throws {
        let (learner, _) = try await learner()
        let phone = try await learner.token(2)
        try await learner.enter()
        let form = try await learner.form(for: "Phone")
        #expect(await learner.post("\(Self.start)/release", form).page.outline == ["h1 Phone has been released"])
        #expect(await learner.post("\(Self.start)/release", form).status == 200, "repeating it changes nothing")
        #expect(await learner.gets("mck-1", with: phone).reasons == ["device_released"])

        let events = try await learner.events()
        let event = try #require(events.last { $0.kind == .contentReturned })
        #expect(event.actor == .holder && events.count { $0.kind == .contentReturned } == 1)
        #expect(event.facts.map(\.name) == ["content", "device", "releasedBy", SupportReference.evidenceName])

        let page = await learner.get()
        #expect(
            page.page.outline.contains("h2 Tablet") && !page.page.outline.contains("h2 Phone")
                && page.page.all("details").isEmpty)
        let next = learner.vendor.clock.now().adding(days: 10).forPeople
        #expect(page.text.contains("You may release another one from \(next)."))
        let tablet = ["code": form["code"] ?? "", "device": String(repeating: "01", count: 32)]
        let refused = await learner.post("\(Self.start)/release", tablet)
        #expect(refused.status == 409 && refused.text.contains(next))
    }

    @Test func `a device with content that was removed from the course can still be released`() async throws {
        let (learner, _) = try await learner()
        try await learner.vendor.apply(
            Learner.contents.replacing(#""items": ["mck-1", "mck-2"]"#, with: #""items": ["mck-2"]"#))
        try await learner.enter()
        #expect(await learner.get().page.outline.dropFirst(2).prefix(2) == ["h2 Phone", "h2 Tablet"])
        #expect(try await learner.releases("Tablet").page.outline == ["h1 Tablet has been released"])
        #expect(await learner.get().text.contains("You may release another one from"))
    }

    @Test func `a learner can't release devices without a release rule in the policy`() async throws {
        let rule = #""selfRelease": {"cooldownDays": 10, "perYear": 2}"#
        let (learner, _) = try await learner(Learner.contents.replacing(rule, with: #""graceHours": 0"#))
        try await learner.enter()
        let page = await learner.get()
        #expect(
            page.page.outline.dropFirst(2).prefix(2) == ["h2 Phone", "h2 Tablet"] && page.page.all("details").isEmpty)
        #expect(page.text.contains("Only support can release devices here"))
    }

    @Test func `a learner page's form without a CSRF token, from another site or without a session changes nothing`()
        async throws
    {
        let (learner, _) = try await learner()
        try await learner.enter()
        let form = try await learner.form(for: "Phone")
        let release = "\(Self.start)/release"
        #expect(await learner.post(release, form, site: "cross-site").status == 403)
        #expect(await learner.post(try learner.link(), [:], site: "cross-site").status == 403)
        #expect(await learner.post(release, form.filter { $0.key != "code" }).status == 403)
        #expect(await learner.post(release, form.merging(["code": "x"]) { $1 }).status == 403)
        for device in ["x", String(repeating: "07", count: 32), "02"] {
            #expect(await learner.post(release, form.merging(["device": device]) { $1 }).status == 409)
        }
        let stranger = try await Learner(at: learner.vendor)
        #expect(await stranger.post(release, form).status == 403)
        learner.vendor.clock.advance(seconds: 1800)
        #expect(await learner.post(release, form).status == 403)
        #expect(await learner.get().status == 403)
        #expect(await learner.get().status == 200, "the cookie was cleared")
        #expect(!(try await learner.events()).contains { $0.kind == .contentReturned })
    }

    @Test func `a learner can neither see nor release another learner's devices`() async throws {
        let (ada, _) = try await learner()
        let eve = try await Learner("eve", at: ada.vendor)
        try await ada.enter()
        try await eve.enter()
        let code = try #require(await eve.get().page.all("input").first?.attributes["value"])
        #expect(await eve.get().page.outline == ["h1 Your content", "h2 Your devices"])
        let foreign = ["code": code, "device": String(repeating: "01", count: 32)]
        #expect(await eve.post("\(Self.start)/release", foreign).status == 409)
        #expect(await ada.get().page.outline.contains("h2 Tablet"))
    }

    @Test func `an expired, ended or unknown link opens no learner page`() async throws {
        let (learner, _) = try await learner()
        let (late, ended) = (try await learner.link(hours: 1), try await learner.link(hours: 9))
        learner.vendor.clock.advance(seconds: 3600)
        try await learner.enter()
        #expect(
            try await learner.context.endHolderCredentials(of: "ada", on: nil, at: Learner.tenant) == 4,
            "two devices, a link and a session")
        for link in [late, ended, "\(Self.start)/link/x"] {
            let answer = await learner.post(link, [:])
            #expect(answer.status == 410 && answer.headers["Set-Cookie"] == nil)
        }
        #expect(await learner.get().status == 403, "the session was ended too")
        #expect(await learner.get().page.outline == ["h1 Your content"])
        #expect(await learner.get("\(Self.start)/release").headers["Location"] == Self.start)
        #expect(await learner.get("/content/nobody/learner").status == 404)
    }

    @Test func `a link to one tenant's learner page opens no session at another tenant`() async throws {
        let second = Learner.contents.replacing(#""id": "acme", "name": "Acme""#, with: #""id": "other", "name": "O""#)
        let both = Learner.contents.dropLast(2) + "," + second.dropFirst(#"{"tenants": ["#.count)
        let learner = try await Learner(at: Vendor(String(both)))
        let link = try await learner.link()
        #expect(await learner.post(link.replacing("/acme/", with: "/other/"), [:]).status == 410)
        #expect(await learner.post(link, [:]).status == 303)
    }

    @Test func `signing out on the learner page ends the session`() async throws {
        let (learner, _) = try await learner()
        try await learner.enter()
        let form = try await learner.form(for: "Phone")
        #expect(await learner.post("\(Self.start)/sign-out", ["code": form["code"] ?? ""]).status == 200)
        #expect(learner.cookie == nil)
        #expect(await learner.post("\(Self.start)/release", form).status == 403)
        #expect(try await learner.events().last?.kind == .holderSessionClosed)
    }

    @Test func `the learner page escapes markup in names of devices and contents`() async throws {
        let evil = "<script>alert(1)</script>'&"
        let learner = try await Learner(
            at: Vendor(Learner.contents.replacing(#""title": "Film""#, with: #""title": "\#(evil)""#)))
        try await learner.enrols(.content(ContentID("mck-3")!))
        #expect(await learner.gets("mck-3", with: try learner.token(1, named: evil)).status == 200)
        try await learner.enter()
        let page = await learner.get().page
        #expect(page.isWellFormed && page.all("script").isEmpty)
        #expect(page.outline == ["h1 Your content", "h2 Your devices", "h2 \(evil)", "h2 Content", "h3 \(evil)"])
    }

    @Test(arguments: [
        (nil, "", "en"), ("ko-KR,ko;q=0.9,en;q=0.8", "", "ko"), ("en-US,ko;q=0.9", "", "en"),
        ("nl, ko;q=0.1", "", "ko"), ("de-AT", "", "de"), ("ja", "", "ja"), ("fr-CH, en", "", "fr"),
        ("es-419", "", "es"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "", "zh-Hans"), ("zh-TW,zh;q=0.9,en;q=0.8", "", "en"),
        ("en", "lang=zh-Hans", "zh-Hans"),
        ("ko;q=0", "", "en"), ("ko", "lang=en", "en"), ("en", "lang=ko", "ko"), ("en", "lang=tlh", "en"),
        (";;q=,ko;q=x", "", "en"),
    ]) func `the learner page uses the chosen language, otherwise the browser's, otherwise the default language`(
        _ accepted: String?, _ query: String, _ expected: String
    ) async throws {
        let (learner, _) = try await learner()
        learner.language = accepted
        try await learner.enter()
        let page = await learner.get(query: query)
        #expect(page.page.isWellFormed && page.page.all("html").first?.attributes["lang"] == expected)
        let titles = [
            "en": "Your content", "de": "Ihre Inhalte", "ko": "내 콘텐츠", "ja": "ご利用のコンテンツ", "fr": "Vos contenus",
            "es": "Su contenido",
            "zh-Hans": "您的内容",
        ]
        let dates = [
            "en": "14 February 2027", "de": "14. Februar 2027", "ko": "2027년 2월 14일", "ja": "2027年2月14日",
            "fr": "14 février 2027", "es": "14 de febrero de 2027", "zh-Hans": "2027年2月14日",
        ]
        #expect(page.text.contains(try #require(titles[expected])))
        #expect(page.text.contains(try #require(dates[expected])))
        let chosen = query.isEmpty || query.hasSuffix("tlh") ? nil : "?\(query)"
        let forms = page.page.posts.compactMap { $0.attributes["action"] }
        #expect(forms.allSatisfy { $0.hasSuffix(chosen ?? "release") || $0.hasSuffix(chosen ?? "sign-out") })
    }
}
