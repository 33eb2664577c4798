import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureStore
import TenureTesting
import Testing

@testable import TenureLicensingServer
@testable import TenureServerKit

/// A shop whose tenant sends letters.
struct MailingShop {
    let shop: Shop

    static let catalog = Vendor.catalog
        .replacing(
            #""name": "Acme","#, with: #""name": "Acme", "language": "de", "mail": {"from": "keys@acme.example"},"#
        )
        .replacing(
            #"{"id": "notes", "keyPrefix": "NOTE","#,
            with:
                #"{"id": "notes", "name": "Notes", "keyPrefix": "NOTE", "activationURL": "notes://activate?key={key}","#
        )

    init(_ catalog: String = Self.catalog) async throws {
        shop = try await Shop(catalog: catalog)
        try await LicensingContext(catalog: vendor.server.catalog, clock: vendor.clock).makeKeyRoots()
    }

    var vendor: Vendor { shop.vendor }

    /// Issues licenses whose keys are mailed.
    func issue(
        _ members: String = #""holderEmail": "ada@example.com""#, key: String? = nil
    ) async -> Answer {
        await shop.post("licenses", #"{"product": "notes", "policy": "pro", "mail": true, \#(members)}"#, key: key)
    }

    /// The letters, oldest first.
    func letters() async throws -> [Mail] {
        try await vendor.store.all(Mail.table.all).sorted { $0.createdAt < $1.createdAt }
    }

    /// Composes a letter as the job that sends letters does.
    func compose(_ mail: Mail) async throws -> MailKind.Composition {
        let catalog = vendor.server.catalog
        let kinds = KeyLetter(licensing: LicensingContext(catalog: catalog, clock: vendor.clock)).kinds
        let kind = try #require(kinds.first { $0.name.text == mail.kind })
        let tenant = try #require(catalog.current.catalog.tenants[mail.tenant])
        return try await kind.compose(
            mail, MailKind.Context(tenant: tenant, baseURL: nil, now: vendor.clock.now()))
    }

    /// Returns the text of the only letter. Throws if there is another letter, or if the letter is superseded.
    func text() async throws -> MailKind.Text {
        let letters = try await letters()
        try #require(letters.count == 1)
        guard case .letter(let text) = try await compose(letters[0]) else {
            throw ServerError(.init("superseded"), "The letter isn't sent.")
        }
        return text
    }
}

@Suite struct KeyLetterTests {
    let mailing: MailingShop

    init() async throws { mailing = try await MailingShop() }

    private var shop: Shop { mailing.shop }

    @Test func `an order that requests mail saves one letter with each license key on a line of its own`() async throws
    {
        let issued = await mailing.issue(
            #""holderEmail": "Ada@example.com", "holderName": "Ada", "count": 3, "order": "A1""#)
        #expect(issued.status == 201)
        let keys = issued.all("licenses").compactMap { $0.text("licenseKey") }
        let letter = try #require(try await mailing.letters().first)
        #expect(letter.address == "Ada@example.com" && letter.language == .german && letter.order == "A1")
        #expect(letter.kind == "keys" && letter.licenses.count == 3)
        let text = try await mailing.text()
        #expect(text.subject == "Ihre Lizenzschlüssel für Notes" && text.recipient == "Ada")
        let lines = text.body.split(separator: "\n").map(String.init)
        #expect(keys.count == 3 && keys.allSatisfy(lines.contains))
        #expect(!text.body.contains("notes://"))
    }

    @Test func `a letter with a single key has the app's activation link`() async throws {
        let key = try #require(await mailing.issue().first("licenses")?.text("licenseKey"))
        #expect(try await mailing.text().body.contains("\nnotes://activate?key=\(key)\n"))
    }

    @Test func `neither a stored letter nor its job contains the license key`() async throws {
        let key = try #require(await mailing.issue().first("licenses")?.text("licenseKey"))
        let rows = try await mailing.letters().map { "\($0)" }
        #expect(!rows.contains { $0.contains(key) })
        let jobs = try await mailing.vendor.store.jobs([.waiting], limit: 10)
        #expect(jobs.count == 1 && !jobs.contains { $0.payload.contains(key) || $0.payload.contains("ada@") })
    }

    @Test func `an order that is repeated with its idempotency key saves one letter`() async throws {
        let first = await mailing.issue(key: "order-1")
        let second = await mailing.issue(key: "order-1")
        #expect(first.status == 201 && second.bytes == first.bytes)
        #expect(try await mailing.letters().count == 1)
    }

    @Test func `an order that requests mail but has no e-mail address issues no license`() async throws {
        for members in [#""holder": "ada""#, #""order": "A1""#] {
            let answer = await mailing.issue(members)
            #expect(answer.status == 422 && answer.code == "holder_email_missing")
        }
        #expect(try await mailing.letters().isEmpty)
        #expect(await shop.get("licenses?policy=pro").all("licenses").count == 2)
        #expect(await mailing.issue(#""holder": " ada@example.com ""#).status == 201)
        #expect(try await mailing.letters().map(\.address) == ["ada@example.com"])
    }

    @Test func `an order that requests mail is refused if its tenant has no sender address`() async throws {
        let mailing = try await MailingShop(Vendor.catalog)
        let answer = await mailing.issue()
        #expect(answer.status == 422 && answer.code == "mail_not_set_up")
        let unknown = await shop.post("licenses", #"{"product": "notes", "policy": "no", "mail": true}"#)
        #expect(unknown.code == "policy_unknown")
    }

    @Test(arguments: [
        ("rekey", "{}"), ("rekey", #"{"keepDevices": true, "mail": true}"#), ("revoke", ""), ("suspend", ""),
        ("change", #"{"holderEmail": "eve@example.com"}"#), ("transfer", #"{"holder": "eve@example.com"}"#),
    ])
    func `a waiting letter is superseded once its license has another key or address, or is suspended or revoked`(
        act: String, body: String
    ) async throws {
        let id = try #require(await mailing.issue().first("licenses")?.text("id"))
        let letter = try #require(try await mailing.letters().first)
        #expect(await shop.post("licenses/\(id)/\(act)", body).status == 200)
        #expect(try await mailing.compose(letter) == .superseded)
    }

    @Test func `removing a license's e-mail address removes its waiting letters, and no others`() async throws {
        let id = try #require(await mailing.issue().first("licenses")?.text("id"))
        #expect(await mailing.issue().status == 201)
        let removed = await shop.post("licenses/\(id)/change", #"{"holderEmail": null}"#)
        #expect(removed.status == 200)
        let letters = try await mailing.letters()
        #expect(letters.count == 1 && !letters.contains { $0.licenses.contains { $0.license.description == id } })
    }

    @Test func `a transfer removes waiting letters to the former holder, and no others`() async throws {
        let id = try #require(await mailing.issue(#""holder": "ada@example.com""#).first("licenses")?.text("id"))
        #expect(await mailing.issue().status == 201)
        #expect(await shop.post("licenses/\(id)/transfer", #"{"holder": "eve@example.com"}"#).status == 200)
        let letters = try await mailing.letters()
        #expect(letters.count == 1 && !letters.contains { $0.licenses.contains { $0.license.description == id } })
    }

    @Test func `a license key can still be mailed after the product's key prefix has changed`() async throws {
        let key = try #require(await mailing.issue().first("licenses")?.text("licenseKey"))
        try await mailing.vendor.apply(
            MailingShop.catalog.replacing(#""keyPrefix": "NOTE""#, with: #""keyPrefix": "NEW""#))
        #expect(try await mailing.text().body.contains("\n\(key)\n"))
    }

    @Test(arguments: [
        (#"{"mail": true}"#, "halten bei der nächsten Prüfung an"),
        (#"{"mail": true, "keepDevices": true}"#, "laufen mit dem alten Schlüssel weiter"),
        (
            #"{"mail": true, "keepDevices": true, "activatedBefore": "2026-01-31T00:00:00Z"}"#,
            "Geräte, die vor dem 31. Januar 2026"
        ),
    ])
    func `a replacement key is mailed on request, and the letter says whether devices continue to work`(
        body: String, sentence: String
    ) async throws {
        let key = "NOTE-PRO0-0000-0001"
        let id = try #require(try await mailing.vendor.store.findLicenses(key).first).id
        #expect(await shop.post("licenses/\(id)/rekey", body).code == "holder_email_missing")
        #expect(await shop.post("licenses/\(id)/change", #"{"holderEmail": "ada@example.com"}"#).status == 200)
        let rekeyed = await shop.post("licenses/\(id)/rekey", body, key: "again")
        #expect(await shop.post("licenses/\(id)/rekey", body, key: "again").bytes == rekeyed.bytes)
        let new = try #require(rekeyed.text("licenseKey"))
        let text = try await mailing.text()
        #expect(text.body.contains("\n\(new)\n") && text.body.contains(sentence))
        #expect(text.subject == "Ihr neuer Lizenzschlüssel für Notes")
    }

    @Test(arguments: Language.allCases)
    func `a letter in each language has the key, the app's link and no placeholder`(language: Language) async throws {
        let mailing = try await MailingShop(
            MailingShop.catalog.replacing(#""language": "de""#, with: #""language": "\#(language.rawValue)""#))
        let key = try #require(await mailing.issue().first("licenses")?.text("licenseKey"))
        let text = try await mailing.text()
        #expect(text.body.contains("\n\(key)\n") && text.body.contains("notes://activate?key=\(key)"))
        #expect(!(text.subject + text.body.replacing(key, with: "")).contains("{"))
    }
}

/// Mailing a license's key again.
@Suite struct SendKeyTests {
    let mailing: MailingShop

    init() async throws { mailing = try await MailingShop() }

    private func send(_ id: String, key: String? = nil) async -> Answer {
        await mailing.shop.post("licenses/\(id)/send-key", "", key: key)
    }

    @Test func `a license key that is mailed again is unchanged, and a repeated request mails nothing more`()
        async throws
    {
        let license = try #require(await mailing.issue().first("licenses"))
        let id = try #require(license.text("id"))
        mailing.vendor.clock.advance(seconds: 1)
        let sent = await send(id, key: "once")
        #expect(sent.status == 202 && sent.text("to") == "ada@example.com")
        #expect(await send(id, key: "once").bytes == sent.bytes)
        let letters = try await mailing.letters()
        #expect(letters.count == 2 && letters.last?.id.description == sent.text("mail"))
        let last = try #require(letters.last)
        guard case .letter(let text) = try await mailing.compose(last) else {
            Issue.record("the letter isn't sent")
            return
        }
        let key = try #require(license.text("licenseKey"))
        #expect(text.body.contains("\n\(key)\n"))
    }

    @Test func `a randomly generated license key can't be mailed again`() async throws {
        let issued = await mailing.shop.post(
            "licenses", #"{"product": "notes", "policy": "pro", "holderEmail": "ada@example.com"}"#)
        let id = try #require(issued.first("licenses")?.text("id"))
        let answer = await send(id)
        #expect(answer.status == 422 && answer.code == "key_not_kept")
        // A key replacement without mail makes a random key.
        let mailed = try #require(await mailing.issue().first("licenses")?.text("id"))
        #expect(await mailing.shop.post("licenses/\(mailed)/rekey", "{}").status == 200)
        #expect(await send(mailed).code == "key_not_kept")
    }

    @Test(arguments: ["revoke", "suspend", "return"])
    func `a suspended, revoked or returned license's key isn't mailed`(act: String) async throws {
        let id = try #require(await mailing.issue().first("licenses")?.text("id"))
        #expect(await mailing.shop.post("licenses/\(id)/\(act)", "").status == 200)
        #expect(await !send(id).reasons.isEmpty)
        #expect(try await mailing.letters().count == 1)
    }

    @Test func `at most five letters an hour are saved for one address, in any letter case`() async throws {
        let first = try #require(await mailing.issue().first("licenses")?.text("id"))
        let second = try #require(
            await mailing.issue(#""holderEmail": "ADA@example.com""#).first("licenses")?.text("id"))
        for id in [first, second, first] { #expect(await send(id).status == 202) }
        let refused = await send(second)
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "3600")
        mailing.vendor.clock.advance(seconds: 3600)
        #expect(await send(second).status == 202)
    }

    @Test func `the key of another tenant's license can't be mailed`() async throws {
        try await mailing.vendor.apply(
            #"""
            {"tenants": [{"id": "bolt", "products": [{"id": "nuts", "keyPrefix": "NUTS", "policies": [{"id": "pro"}],
              "licenses": [{"key": "NUTS-PRO0-0000-0001", "policy": "pro", "holderEmail": "bo@example.com"}]}]}]}
            """#)
        let licenses = try await mailing.vendor.store.all(License.table.all)
        let other = try #require(licenses.first { $0.product.tenant == TenantID("bolt") })
        #expect(await send(other.id.description).status == 404)
    }

    @Test func `a license key isn't mailed if another master key encrypted its root, and new keys get a new root`()
        async throws
    {
        let license = try #require(await mailing.issue().first("licenses"))
        let id = try #require(license.text("id"))
        let (vendor, other) = (mailing.vendor, try MasterKey(bytes: [UInt8](repeating: 9, count: 32)))
        for root in try await vendor.store.all(KeyRoot.table.all) {
            let bytes = try other.seal([UInt8](repeating: 1, count: 32), labelled: root.sealLabel)
            try await vendor.save([.replace(root, by: root.with(sealedBytes: bytes))])
        }
        #expect(await send(id).code == "key_not_kept")
        for _ in 1...2 {
            try await LicensingContext(catalog: vendor.server.catalog, clock: vendor.clock).makeKeyRoots()
        }
        #expect(await send(id).code == "key_not_kept")
        let tenant = try #require(TenantID("acme"))
        #expect(try await vendor.store.all(KeyRoot.table.all).count { $0.tenant == tenant } == 2)
        let new = try #require(await mailing.issue().first("licenses")?.text("id"))
        #expect(await send(new).status == 202)
    }
}

/// Showing a license's key to the operator.
@Suite struct ShowKeyTests {
    private static let catalog = MailingShop.catalog.replacing(
        #""name": "Notes","#, with: #""name": "Notes", "showKeys": true,"#)

    private func show(_ id: String, of mailing: MailingShop) async -> Answer {
        await mailing.shop.post("licenses/\(id)/show-key", "")
    }

    @Test func `a derived license key is shown, and an event without the key records it`() async throws {
        let mailing = try await MailingShop(Self.catalog)
        let license = try #require(await mailing.issue().first("licenses"))
        let (id, key) = (try #require(license.text("id")), try #require(license.text("licenseKey")))
        let shown = await show(id, of: mailing)
        #expect(shown.status == 200 && shown.text("licenseKey") == key && shown.text("id") == id)
        let events = try await mailing.vendor.store.all(EventRecord.table.all).filter {
            $0.event.kind == .licenseKeyShown
        }
        #expect(events.count == 1 && !events.contains { "\($0)".contains(key) })
    }

    @Test func `a random license key can't be shown, because the store contains only its hash`() async throws {
        let mailing = try await MailingShop(Self.catalog)
        let issued = await mailing.shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#)
        let answer = await show(try #require(issued.first("licenses")?.text("id")), of: mailing)
        #expect(answer.status == 422 && answer.code == "key_not_kept")
    }

    @Test func `a license key isn't shown if its product doesn't allow it`() async throws {
        let mailing = try await MailingShop()
        let answer = await show(try #require(await mailing.issue().first("licenses")?.text("id")), of: mailing)
        #expect(answer.status == 422 && answer.code == "key_not_kept")
        #expect(answer.text("detail")?.contains("showKeys") == true)
    }

    @Test func `after a rekey, show-key returns the new key if it is derived, and is refused otherwise`() async throws {
        let mailing = try await MailingShop(Self.catalog)
        let id = try #require(await mailing.issue().first("licenses")?.text("id"))
        let new = await mailing.shop.post("licenses/\(id)/rekey", #"{"mail": true}"#).text("licenseKey")
        #expect(await show(id, of: mailing).text("licenseKey") == new)
        #expect(await mailing.shop.post("licenses/\(id)/rekey", "{}").status == 200)
        #expect(await show(id, of: mailing).code == "key_not_kept")
    }
}

@Suite struct ActivationURLTests {
    @Test(arguments: [
        "notes://activate?key={key}", "com.example.notes://activate/?key={key}", "notes://activate?from=mail&key={key}",
        "https://acme.example/activate#{key}", "https://acme.example/a?b=c#key={key}",
    ])
    func `an activation URL may be an app's link with the key, or a web page with the key in the fragment`(url: String)
    {
        #expect(ActivationURL.fault(of: url) == nil)
    }

    @Test(arguments: [
        "notes://activate", "notes://activate?key={key}{key}", "notes://activate?key={key}&key=1",
        "notes://activate?code={key}", "notes://other?key={key}", "notes://activate?key={key}#a",
        "{key}://activate?key=1",
        "http://acme.example/#{key}", "https://acme.example/?key={key}", "https://acme.example/{key}#a",
        "https://{key}/#a", "https://u@acme.example/#{key}", "https:///#{key}", "https://acme.example/#{key}#a",
        "javascript://activate?key={key}", "mailto://activate?key={key}", "notes://activate?key={key}&a=b c",
        "notes://activate?key={key}&a=\r\nBcc:", "notes://activate?key={KEY}", "Notes://activate?key={key}",
    ])
    func `an activation URL that is malformed, has a disallowed scheme or would send the key to a server is refused`(
        url: String
    ) {
        #expect(ActivationURL.fault(of: url) != nil)
    }
}
