import TenureCore
import TenureCrypto
import TenureHTTP
import TenureLicensingServer
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Signing in` {
    @Test(arguments: ["ada", "ada@example.com", "ADA@EXAMPLE.COM", " ada\t", "ADA", "Ada\u{A0}", " ada@example.com "])
    func `a password opens a session for an account id or its e-mail address`(_ name: String) async throws {
        let person = try await Person()
        try await person.save(.insert(SampleApps.license(endsIn: -3)))
        let response = await person.signIn(name)
        #expect(response.status == 303)
        #expect(response.headers["Location"] == "/resolve/acme?appleItemID=6483539426")
        let page = await person.get("/resolve/acme?appleItemID=6483539426").page
        #expect(page.outline == ["h1 Camping on your devices", "h2 The license has expired"])
        let event = try #require(try await person.events().last)
        #expect(event.kind == .accountSessionOpened && event.actor == .account(SampleApps.account.account))
        let reference = event.facts.first { $0.name == SupportReference.evidenceName }?.value.text
        #expect(try page.text.contains(#require(reference)))
    }

    @Test func `a wrong password, an unknown account and one without a password get the same response`() async throws {
        let person = try await Person()
        let wrong = await person.signIn("ada", "wrong")
        #expect(wrong.status == 403 && wrong.headers["Set-Cookie"] == nil)
        for name in ["eve", "bob"] {
            let response = await person.signIn(name, "wrong")
            #expect(response.status == 403 && response.headers == wrong.headers)
            #expect(response.text.replacing(#"value="\#(name)""#, with: #"value="ada""#) == wrong.text)
        }
        #expect(await person.signIn("", "").status == 403)
        #expect(await person.signIn("ada", "").status == 403)
        #expect(await person.signIn("ada", String(repeating: "a", count: 2000)).status == 403)
        #expect(try await person.events().isEmpty)
    }

    @Test(arguments: ["ada", "eve"])
    func `after five failed sign-ins, a name gets 429 for 15 minutes, whether or not the account exists`(
        _ name: String
    ) async throws {
        let person = try await Person()
        for _ in 0..<5 { #expect(await person.signIn(name, "wrong").status == 403) }
        let refused = await person.signIn(name)
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "900")
        person.clock.advance(seconds: 900)
        #expect(await person.signIn(name).status == (name == "ada" ? 303 : 403))
    }

    @Test func `wrong passwords from one source don't lock out another source`() async throws {
        let person = try await Person()
        for _ in 0..<5 { #expect(await person.signIn("ada", "wrong", from: "203.0.113.9").status == 403) }
        #expect(await person.signIn("ada", from: "203.0.113.9").status == 429)
        #expect(await person.signIn("ada", from: "203.0.113.10").status == 303)
        for number in 0..<125 {
            #expect(await person.signIn("nobody \(number)", "wrong", from: "203.0.113.9").status == 403)
        }
        #expect(await person.signIn("ada", from: "203.0.113.10").status == 303, "many names don't block other accounts")
    }

    @Test func `an account id that matches byte for byte takes precedence over one that differs in letter case`()
        async throws
    {
        let person = try await Person()
        let hash = try PasswordHash.make(of: Array("another one".utf8), passes: 1, memory: 8192)
        for id in ["ADA", "M\u{FC}ller"] {
            let ref = AccountRef(tenant: SampleApps.tenant, account: try #require(AccountID(id)))
            try await person.save(.insert(Account(ref: ref, passwordHash: hash, createdAt: SampleApps.now)))
        }
        #expect(await person.signIn("ADA", "another one").status == 303)
        #expect(await person.signIn("ada").status == 303)
        #expect(await person.signIn("Ada").status == 403, "it could be either")
        #expect(await person.signIn("mu\u{308}ller ", "another one").status == 303)
    }

    @Test func `a password is accepted in composed and in decomposed Unicode form`() async throws {
        let person = try await Person()
        let ref = AccountRef(tenant: SampleApps.tenant, account: try #require(AccountID("eva")))
        let hash = try PasswordHash.make(of: Array("gr\u{FC}n wie \u{D55C}".utf8), passes: 1, memory: 8192)
        try await person.save(.insert(Account(ref: ref, passwordHash: hash, createdAt: SampleApps.now)))
        for typed in ["gr\u{FC}n wie \u{D55C}", "gru\u{308}n wie \u{1112}\u{1161}\u{11AB}"] {
            #expect(await person.signIn("eva", typed).status == 303)
        }
        #expect(await person.signIn("eva", " gr\u{FC}n wie \u{D55C}").status == 403, "passwords aren't trimmed")
    }

    @Test func `sign-in attempts are counted together whatever the name's letter case and surrounding white space`()
        async throws
    {
        let person = try await Person()
        for name in ["ada", "ADA", " ada", "ada ", "Ada"] { #expect(await person.signIn(name, "wrong").status == 403) }
        #expect(await person.signIn("ada").status == 429)
    }

    @Test func `a valid session cookie is used even if the request has another one that is invalid`() async throws {
        let person = try await Person()
        await person.signIn()
        let own = try #require(person.cookie)
        let stale = "tenure_session=\(SessionToken.random().text)"
        for cookie in ["\(stale); \(own)", "\(own); \(stale)", "\u{600};\(own)"] {
            person.takes(cookie)
            #expect(await person.get("/resolve/acme").text.contains("name=\"code\""), "\(cookie)")
        }
        // Signing out needs the code of the open session, and ends it.
        person.takes("\(stale); \(own)")
        let code = await person.code()
        #expect(await person.post("/resolve/acme/sign-out", ["code": code]).status == 200)
        person.takes(own)
        #expect(await person.code().isEmpty)
    }

    @Test func `a form from another site opens no session`() async throws {
        let person = try await Person()
        let fields = ["account": "ada", "password": Person.password]
        let response = await person.post("/resolve/acme/sign-in", fields, ["Sec-Fetch-Site": "cross-site"])
        #expect(response.status == 403 && response.headers["Set-Cookie"] == nil)
        #expect(try await person.events().isEmpty)
    }

    @Test func `a sign-in while the queue for password hashing is full gets 503 with a retry time`() async throws {
        let person = try await Person(waiting: 0)
        let response = await person.signIn()
        #expect(response.status == 503 && response.headers["Retry-After"] == "5")
        #expect(response.page.outline == ["h1 Just a moment"])
    }

    @Test func `a session ends after half an hour, and the page says so`() async throws {
        let person = try await Person()
        await person.signIn()
        person.clock.advance(seconds: 1799)
        #expect(await person.get("/resolve/acme").page.text.contains("Signed in as ada"))
        person.clock.advance(seconds: 1)
        let response = await person.get("/resolve/acme")
        #expect(response.page.text.contains("half an hour") && !response.page.text.contains("Signed in"))
        #expect(response.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    }

    @Test func `a session isn't valid at another marketplace`() async throws {
        let person = try await Person()
        await person.signIn()
        #expect(!(await person.get("/resolve/other").page.text.contains("Signed in")))
    }

    @Test func `signing out ends the session for everyone who has its cookie`() async throws {
        let person = try await Person()
        await person.signIn()
        #expect(await person.post("/resolve/acme/sign-out", [:]).status == 403)
        let code = await person.code()
        let thief = person.cookie
        let response = await person.post("/resolve/acme/sign-out", ["code": code])
        #expect(response.status == 200 && person.cookie == nil)
        #expect(try await person.events().last?.kind == .accountSessionClosed)
        person.takes(thief)
        #expect(!(await person.get("/resolve/acme").page.text.contains("Signed in")))
    }
}

@Suite struct `One-time links` {
    @Test func `a one-time link opens one session, when its button is pressed and not when it is viewed`() async throws
    {
        let person = try await Person()
        try await person.link("secret-link")
        for _ in 0..<2 { #expect(await person.get("/resolve/acme/link/secret-link").status == 200) }
        let first = await person.post("/resolve/acme/link", ["link": "secret-link"])
        #expect(first.status == 303 && first.headers["Location"] == "/resolve/acme")
        #expect(await person.get("/resolve/acme").page.text.contains("Signed in as ada"))
        person.leaves()
        let second = await person.post("/resolve/acme/link", ["link": "secret-link"])
        #expect(second.status == 410 && second.headers["Set-Cookie"] == nil)
        let events = try await person.events()
        #expect(events.map(\.kind) == [.accountSessionOpened])
        #expect(events[0].facts.first?.value.text == "link")
    }

    @Test func `of many concurrent uses of a one-time link, one succeeds`() async throws {
        let person = try await Person()
        try await person.link("secret-link")
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                let requestHandler = person.requestHandler
                group.addTask {
                    await requestHandler.respond(
                        to: Request(
                            method: "POST", path: "/resolve/acme/link",
                            headers: ["Content-Type": "application/x-www-form-urlencoded"],
                            body: Array("link=secret-link".utf8))
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [303] + [Int](repeating: 410, count: 7))
    }

    @Test func `an expired, unknown or missing one-time link, or one of another marketplace, opens no session`()
        async throws
    {
        let person = try await Person()
        try await person.link("old", seconds: 60)
        try await person.link("ours")
        person.clock.advance(seconds: 60)
        #expect(await person.post("/resolve/acme/link", ["link": "old"]).status == 410)
        #expect(await person.post("/resolve/acme/link", ["link": "never"]).status == 410)
        #expect(await person.post("/resolve/acme/link", [:]).status == 410)
        #expect(await person.post("/resolve/other/link", ["link": "ours"]).status == 410)
        #expect(
            await person.post("/resolve/acme/link", ["link": "ours"], ["Sec-Fetch-Site": "cross-site"]).status == 403)
        #expect(await person.post("/resolve/acme/link", ["link": "ours"]).status == 303)
    }

    @Test func `a session token isn't accepted as a one-time link, nor a one-time link's token as a session`()
        async throws
    {
        let person = try await Person()
        await person.signIn()
        let token = try #require(person.cookie?.split(separator: "=").last.map(String.init))
        #expect(await person.post("/resolve/acme/link", ["link": token]).status == 410)
        let link = String(repeating: "A", count: 43)
        try await person.link(link)
        person.takes("tenure_session=\(link)")
        #expect(!(await person.get("/resolve/acme").page.text.contains("Signed in")))
    }
}
