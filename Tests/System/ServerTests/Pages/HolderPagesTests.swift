import TenureCore
import TenureHTTP
import TenureLicensing
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The page of a license` {
    static let key = "NOTE-PRO0-0000-0001"

    /// Returns a holder whose license has reached its device limit with two devices that are no longer used.
    private func full(_ catalog: String = `Devices that a holder manages`.catalog) async throws -> Holder {
        let vendor = try await Vendor(catalog)
        for (name, hash) in [("Old laptop", "a"), ("Dead desktop", "b")] {
            let hash = String(repeating: hash, count: 64)
            #expect(await vendor.activate(Self.key, name: name, hash: hash).status == 200)
            vendor.clock.advance(seconds: 60)
        }
        #expect(await vendor.activate(Self.key, name: "New", hash: String(repeating: "c", count: 64)).status != 200)
        return Holder(at: vendor)
    }

    @Test func `a link to the license page opens one session, after confirmation`() async throws {
        let holder = try await full()
        let link = try await holder.link()
        for _ in 0..<2 {
            let page = await holder.get("/portal/acme/link/\(link)")
            #expect(page.status == 200 && page.headers["Set-Cookie"] == nil)
            #expect(page.page.all("form").first?.attributes["action"] == "/portal/acme/link")
        }
        let opened = await holder.post("/portal/acme/link", ["link": link])
        #expect(opened.status == 303 && opened.headers["Location"] == "/portal/acme")
        let cookie = try #require(opened.headers["Set-Cookie"])
        #expect(cookie.contains("Path=/portal/acme; HttpOnly; SameSite=Strict"))

        let page = await holder.get("/portal/acme")
        #expect(page.page.isWellFormed)
        #expect(
            page.page.outline == [
                "h1 notes", "h2 Your license", "h2 Your devices", "h3 Dead desktop", "h3 Old laptop",
            ])
        #expect(page.text.contains("2 of 2 devices in use.") && !page.text.contains(Self.key))
        #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
        #expect(page.headers["Cache-Control"] == "no-store" && page.headers["Referrer-Policy"] == "no-referrer")

        let other = Holder(at: holder.vendor)
        #expect(await other.post("/portal/acme/link", ["link": link]).status == 410)
        let used = await other.get("/portal/acme/link/\(link)")
        #expect(used.status == 410 && used.page.outline == ["h1 This link doesn’t work"])
        let events = try await holder.vendor.store.all(EventRecord.table.all).map(\.event)
        #expect(events.suffix(2).map(\.kind) == [.licenseLinkMade, .licenseSessionOpened])
        #expect(events.last?.actor == .holder && events[events.count - 2].actor == .operator("test"))
        let reference = try #require(events.last?.facts.first { $0.name == SupportReference.evidenceName })
        #expect(page.text.contains(reference.value.text))
    }

    @Test func `a device that the holder released receives the reason, and a new device can be activated`() async throws
    {
        let holder = try await full()
        let vendor = holder.vendor
        try await holder.enter()
        let form = try #require(await holder.form(for: "Dead desktop"))
        let released = await holder.post("/portal/acme/release", form)
        #expect(released.status == 200 && released.page.outline == ["h1 Dead desktop has been released"])
        #expect(await holder.post("/portal/acme/release", form).status == 200, "repeating it changes nothing")

        let new = await vendor.activate(Self.key, name: "New", hash: String(repeating: "c", count: 64))
        #expect(new.status == 200)
        let shown = try #require(form["activation"].flatMap { ActivationID(text: $0) })
        let own = try vendor.names.meant(shown)
        let result = await vendor.validate(Self.key, own.description)
        #expect(result.reasons == ["activation_released_by_holder"])
        let stranger = await vendor.validate(Self.key, shown.description)
        #expect(stranger.reasons == ["activation_released"], "the page's id isn't the device's own activation id")
        let events = try await vendor.store.all(EventRecord.table.all).map(\.event)
        let event = try #require(events.last { $0.kind == .activationReleased })
        #expect(event.actor == .holder && events.count { $0.kind == .activationReleased } == 1)
        #expect(event.facts.map(\.name) == ["releasedBy", "askedFrom", SupportReference.evidenceName])
        #expect(event.facts.map(\.value.text).prefix(2) == ["holder", "link"])
    }

    @Test func `the license page says when and how often devices may be released, and refuses earlier releases`()
        async throws
    {
        let holder = try await full()
        try await holder.enter()
        let (first, second) = (await holder.form(for: "Old laptop"), await holder.form(for: "Dead desktop"))
        #expect(await holder.post("/portal/acme/release", try #require(first)).status == 200)
        let next = holder.vendor.clock.now().adding(days: 10).forPeople
        let refused = await holder.post("/portal/acme/release", try #require(second))
        #expect(refused.status == 409 && refused.text.contains("You may release another one from \(next)."))
        let page = await holder.get("/portal/acme")
        #expect(page.text.contains(next) && page.page.all("details").isEmpty)

        holder.vendor.clock.advance(days: 10)
        holder.leaves()
        try await holder.enter()
        #expect(await holder.get("/portal/acme").text.contains("You may release one more device this year."))
        let again = try #require(await holder.form(for: "Dead desktop"))
        #expect(await holder.post("/portal/acme/release", again).status == 200)
        #expect(await holder.get("/portal/acme").text.contains("You have used all device releases for this year."))
    }

    @Test func `a holder can't release devices of a suspended license or without a release rule in the policy`()
        async throws
    {
        let holder = try await full(Vendor.catalog)
        try await holder.enter()
        let page = await holder.get("/portal/acme")
        #expect(page.page.all("article").count == 2 && page.page.all("details").isEmpty)
        #expect(page.text.contains("Only support can release devices"))

        let stopped = try await full()
        try await stopped.enter()
        let form = try #require(await stopped.form(for: "Dead desktop"))
        _ = try await stopped.vendor.act(.suspend, on: Self.key)
        #expect(await stopped.get("/portal/acme").page.all("details").isEmpty)
        let refused = await stopped.post("/portal/acme/release", form)
        #expect(
            refused.status == 409
                && refused.text.contains("While the license doesn’t work, its devices can’t be changed here"))
    }

    @Test func `a license page's form without a CSRF token, from another site or without a session changes nothing`()
        async throws
    {
        let holder = try await full()
        try await holder.enter()
        let form = try #require(await holder.form(for: "Dead desktop"))
        let release = "/portal/acme/release"
        #expect(await holder.post(release, form, site: "cross-site").status == 403)
        #expect(await holder.post(release, form.filter { $0.key != "code" }).status == 403)
        #expect(await holder.post(release, form.merging(["code": "x"]) { $1 }).status == 403)
        #expect(await holder.post(release, form.merging(["activation": "x"]) { $1 }).status == 409)
        let stranger = Holder(at: holder.vendor)
        #expect(await stranger.post(release, form).status == 403)
        holder.vendor.clock.advance(seconds: 1800)
        #expect(await holder.post(release, form).status == 403)
        #expect(await holder.get("/portal/acme").status == 403)
        #expect(await holder.get("/portal/acme").status == 200, "the cookie was cleared")
        let events = try await holder.vendor.store.all(EventRecord.table.all).map(\.event.kind)
        #expect(!events.contains(.activationReleased))
    }

    @Test func `a holder can't release another license's device`() async throws {
        let holder = try await full()
        let foreign = try #require(await holder.vendor.activate("NOTE-RENT-0000-0002").text("instance_id"))
        try await holder.enter()
        let form = try #require(await holder.form(for: "Dead desktop"))
        let answer = await holder.post("/portal/acme/release", form.merging(["activation": foreign]) { $1 })
        #expect(answer.status == 409 && answer.text.contains("isn’t active on that device"))
        #expect(await holder.vendor.validate("NOTE-RENT-0000-0002", foreign).status == 200)
    }

    @Test func `an expired, malformed or missing link opens no license page`() async throws {
        let holder = try await full()
        let link = try await holder.link(hours: 1)
        holder.vendor.clock.advance(seconds: 3600)
        for text in [link, "x", ""] {
            let answer = await holder.post("/portal/acme/link", ["link": text])
            #expect(answer.status == 410 && answer.headers["Set-Cookie"] == nil)
        }
        #expect(await holder.get("/portal/acme/link/\(link)").status == 410)
        #expect(await holder.get("/portal/acme/link/x").status == 410)
        #expect(await holder.get("/portal/nobody").status == 404)
        #expect(await holder.get("/portal/acme").page.outline == ["h1 Your license"])
        #expect(await holder.get("/portal/acme/release").headers["Location"] == "/portal/acme")
    }

    @Test func `signing out on the license page ends the session`() async throws {
        let holder = try await full()
        try await holder.enter()
        let form = try #require(await holder.form(for: "Dead desktop"))
        let cookie = holder.cookie
        #expect(await holder.post("/portal/acme/sign-out", ["code": form["code"] ?? ""]).status == 200)
        #expect(holder.cookie == nil && cookie != nil)
        #expect(await holder.post("/portal/acme/release", form).status == 403)
        let events = try await holder.vendor.store.all(EventRecord.table.all).map(\.event.kind)
        #expect(events.last == .licenseSessionClosed)
    }

    @Test func `the license page shows a device's reported operating system and escapes markup in it`() async throws {
        let vendor = try await Vendor(`Devices that a holder manages`.catalog)
        let systems = [("a", "macOS", "15.1"), ("b", "<script>alert(1)</script>", "'&\\\"")]
        for (device, name, version) in systems {
            let app = try await LeaseApp(vendor, device: Character(device))
            let members = #","system":"\#(name)","systemVersion":"\#(version)""#
            #expect(try await app.activate(Self.key, reporting: members).yes != nil)
        }
        let holder = Holder(at: vendor)
        try await holder.enter()
        let page = await holder.get("/portal/acme")
        #expect(page.page.isWellFormed && page.page.all("script").isEmpty)
        #expect(page.text.contains("macOS 15.1") && page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt; "))
    }

    @Test func `the license page escapes markup in a device's name`() async throws {
        let vendor = try await Vendor(`Devices that a holder manages`.catalog)
        #expect(await vendor.activate(Self.key, name: "<script>alert(1)</script>'&").status == 200)
        let holder = Holder(at: vendor)
        try await holder.enter()
        let page = await holder.get("/portal/acme").page
        #expect(page.isWellFormed && page.all("script").isEmpty)
        #expect(page.outline.last == "h3 <script>alert(1)</script>'&")
    }
}
