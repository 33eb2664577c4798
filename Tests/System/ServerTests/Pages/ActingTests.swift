import TenureCore
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Acting on the resolution page` {
    private let license = SampleApps.license(1)

    private func state(of license: AppLicense, _ person: Person) async throws -> License.State? {
        try await person.store.appLicense(license.id)?.recordedState
    }

    @Test func `releasing a device twice on the resolution page records one event, with the account as its actor`()
        async throws
    {
        let person = try await Person()
        try await person.save(.insert(license))
        await person.signIn()
        let fields = ["code": await person.code(), "license": license.id.description]
        for _ in 0..<2 {
            let response = await person.post("/resolve/acme/release", fields)
            #expect(response.status == 200 && response.page.outline == ["h1 The device has been released"])
        }
        #expect(try await state(of: license, person) == .returned)
        let events = try await person.events().filter { $0.kind == .appLicenseReturned }
        #expect(events.count == 1)
        #expect(events.first?.actor == .account(SampleApps.account.account))
        let page = await person.get("/resolve/acme").page
        #expect(page.outline.contains("h3 This device has been released"))
        let reference = events.first?.facts.first { $0.name == SupportReference.evidenceName }?.value.text
        #expect(try page.text.contains(#require(reference)))
    }

    @Test(arguments: ["release", "renew"])
    func `a release or renewal without the session's CSRF token is refused and changes nothing`(
        _ act: String
    ) async throws {
        let person = try await Person()
        try await person.save(.insert(license))
        let path = "/resolve/acme/\(act)"
        let id = license.id.description
        #expect(await person.post(path, ["license": id, "code": "x"]).status == 403)
        await person.signIn()
        let stale = await person.code()
        await person.signIn()
        let own = await person.code()
        let before = try await person.events().count
        #expect(await person.post(path, ["license": id]).status == 403)
        #expect(await person.post(path, ["license": id, "code": "wrong"]).status == 403)
        #expect(await person.post(path, ["license": id, "code": stale]).status == 403)
        let crossSite = await person.post(path, ["license": id, "code": own], ["Sec-Fetch-Site": "cross-site"])
        #expect(crossSite.status == 403)
        person.clock.advance(seconds: 1800)
        #expect(await person.post(path, ["license": id, "code": own]).status == 403)
        #expect(try await state(of: license, person) == .active)
        #expect(try await person.events().count == before)
    }

    @Test(arguments: ["release", "renew"])
    func `releasing or renewing another account's license gets the same response as an unknown one`(
        _ act: String
    ) async throws {
        let person = try await Person()
        let base = SampleApps.license(5)
        let foreign = AppLicense(
            id: base.id, tenant: base.tenant, asset: base.asset, account: AccountID("bob"), device: base.device,
            request: base.request, issuedAt: base.issuedAt, term: base.term, termRequest: base.termRequest)
        try await person.save(.insert(foreign))
        await person.signIn()
        let code = await person.code()
        let before = try await person.events().count
        let answers = [
            await person.post("/resolve/acme/\(act)", ["code": code, "license": foreign.id.description]),
            await person.post(
                "/resolve/acme/\(act)", ["code": code, "license": SampleApps.license(77).id.description]),
            await person.post("/resolve/acme/\(act)", ["code": code, "license": "nonsense"]),
        ]
        #expect(answers.allSatisfy { $0.status == 404 && $0.body == answers[0].body })
        #expect(try await state(of: foreign, person) == .active)
        #expect(try await person.events().count == before)
    }

    @Test(arguments: [License.State.suspended, .revoked])
    func `an app license that the vendor suspended or revoked can't be returned by its account`(
        _ stopped: License.State
    ) async throws {
        let person = try await Person()
        try await person.save(.insert(SampleApps.license(1, state: stopped, stopped: -1)))
        await person.signIn()
        let fields = ["code": await person.code(), "license": license.id.description]
        #expect(await person.post("/resolve/acme/release", fields).status == 409)
        #expect(try await state(of: license, person) == stopped)
    }

    @Test func `a renewal request on the resolution page is recorded as an event and confirmed with a link to the app`()
        async throws
    {
        let person = try await Person()
        try await person.save(.insert(SampleApps.license(1, endsIn: -2)))
        await person.signIn()
        let fields = ["code": await person.code(), "license": license.id.description]
        let response = await person.post("/resolve/acme/renew", fields)
        #expect(response.status == 200 && response.page.outline == ["h1 Your request has been saved"])
        #expect(response.page.all("a").contains { $0.attributes["href"] == "https://market.example/camping" })
        let event = try #require(try await person.events().last)
        #expect(event.kind == .accountRenewalAsked && event.subject.license == license.id)
        #expect(event.subject.app == SampleApps.item && event.actor == .account(SampleApps.account.account))
    }

    @Test func `a renewal request on the resolution page after the subscription has ended gets a page that says so`()
        async throws
    {
        let person = try await Person()
        let ended = SampleApps.grant(until: SampleApps.now.adding(days: -1))
        try await person.save(.insert(SampleApps.license(1, endsIn: -1)), .replace(SampleApps.grant(), by: ended))
        await person.signIn()
        let code = await person.code()
        let response = await person.post("/resolve/acme/renew", ["code": code, "license": license.id.description])
        #expect(response.status == 200 && response.page.text.contains("Your subscription has ended"))
    }

    @Test func `after thirty actions in fifteen minutes, an account gets 429`() async throws {
        let person = try await Person()
        try await person.save(.insert(license))
        await person.signIn()
        let fields = ["code": await person.code(), "license": license.id.description]
        for _ in 0..<30 { #expect(await person.post("/resolve/acme/renew", fields).status == 200) }
        #expect(await person.post("/resolve/acme/renew", fields).status == 429)
    }

    @Test func `a form over the size limit gets 413`() async throws {
        let person = try await Person()
        await person.signIn()
        let long = await person.post("/resolve/acme/release", ["license": String(repeating: "a", count: 20_000)])
        #expect(long.status == 413)
    }
}
