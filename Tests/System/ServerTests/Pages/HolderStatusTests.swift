import TenureCore
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Texts of the license page` {
    static let (perpetual, rented, soft) = ("NOTE-PRO0-0000-0001", "NOTE-RENT-0000-0002", "NOTE-SOFT-0000-0003")
    static let catalog = Vendor.catalog.replacing(
        #""name": "Acme", "#,
        with: #""name": "Acme", "supportURL": "https://acme.example/help/", "#
    ).replacing(
        #""keyPrefix": "NOTE", "#,
        with: #""name": "Acme Notes", "keyPrefix": "NOTE", "renewURL": "https://acme.example/renew", "#
    ).replacing(
        #"{"id": "rent", "#,
        with: #"{"id": "rent", "name": "Rent", "renewURL": "https://acme.example/rent?license={license}", "#)

    private func holder() async throws -> Holder { Holder(at: try await Vendor(Self.catalog)) }

    @Test func `the license page shows product, plan, status and end of a working license`() async throws {
        let holder = try await holder()
        let new = try await holder.page(of: Self.perpetual)
        #expect(new.contains("Acme Notes") && new.contains("Not activated yet") && new.contains("It never expires"))
        #expect(new.contains("Your license isn’t active on any device. You can use it on up to 2 devices."))
        #expect(!new.contains("Renew"), "a perpetual license has nothing to renew")

        #expect(await holder.vendor.activate(Self.rented).status == 200)
        let active = try await holder.page(of: Self.rented)
        let end = Timestamp(seconds: 1_800_000_000).adding(days: 30).forPeople
        #expect(active.contains("ActiveYour licensePlanRentKey") && active.contains("Valid until\(end) (in 30 days)"))
        #expect(active.contains("1 of 1 device in use.") && !active.contains("Why it doesn’t work"))
        let links = await holder.get("/portal/acme").page.all("a").compactMap { $0.attributes["href"] }
        let renewal = links.first { $0.hasPrefix("https://acme.example/rent?license=") }
        #expect(renewal?.split(separator: "=").last.flatMap { LicenseID(text: String($0)) } != nil)
        #expect(links.contains("https://acme.example/help/"))
        #expect(active.contains("Visit acme.example/help."))
    }

    @Test func `the license page explains grace, expiry and reduced mode with dates and remedies`() async throws {
        let holder = try await holder()
        let start = holder.vendor.clock.now()
        for key in [Self.rented, Self.soft] { #expect(await holder.vendor.activate(key).status == 200) }
        holder.vendor.clock.advance(days: 31)
        let (end, use) = (start.adding(days: 30).forPeople, start.adding(days: 32).forPeople)
        let grace = try await holder.page(of: Self.rented)
        #expect(grace.contains("In grace period"))
        #expect(grace.contains("It expired on \(end) and keeps working until \(use)."))
        #expect(grace.contains("What helpsRenew it before then"))

        let reduced = try await holder.page(of: Self.soft)
        #expect(reduced.contains("Expired") && reduced.contains("Your license expired on \(end)."))
        #expect(
            reduced.contains("What still worksAcme Notes still works in a reduced mode.Your license expired on"),
            "what works comes first")
        #expect(!reduced.contains("Why it doesn’t work"))
        let links = await holder.get("/portal/acme").page.all("a").compactMap { $0.attributes["href"] }
        #expect(links.contains("https://acme.example/renew"), "the product's address applies")

        holder.vendor.clock.advance(days: 2)
        let over = try await holder.page(of: Self.rented)
        #expect(over.contains("Your license expired on \(end), and its grace period ended on \(use)."))
        #expect(over.contains("When this changesAs soon as it’s renewed."))
    }

    @Test func `the license page says who suspended or revoked a license, and what can be done`() async throws {
        let holder = try await holder()
        _ = try await holder.vendor.act(.suspend, on: Self.rented)
        let suspended = try await holder.page(of: Self.rented)
        #expect(suspended.contains("SuspendedYour license") && suspended.contains("Acme has suspended your license."))
        #expect(suspended.contains("When this changesWhen Acme reinstates it."))
        #expect(!suspended.contains("Valid until") && suspended.contains("Your license isn’t active on any device."))
        _ = try await holder.vendor.act(.revoke, on: Self.rented)
        let revoked = try await holder.page(of: Self.rented)
        #expect(revoked.contains("Acme has revoked your license.") && revoked.contains("can issue a new license"))
        #expect(
            !revoked.contains("Renew") && !revoked.contains("Valid until") && !revoked.contains("You can use it on"))
        _ = try await holder.vendor.act(.giveBack, on: Self.soft)
        #expect(try await holder.page(of: Self.soft).contains("Your license has been returned."))
    }

    @Test func `the license page shows the operator's reason only if it is shared with the holder`() async throws {
        let holder = try await holder()
        _ = try await holder.vendor.act(
            .suspend, because: StatedReason("card <declined>", isTold: true), on: Self.rented)
        let suspended = try await holder.page(of: Self.rented)
        #expect(suspended.contains("Acme’s reasoncard <declined>What helpsContact support to settle this."))
        _ = try await holder.vendor.act(.revoke, because: StatedReason("known for fraud"), on: Self.rented)
        let revoked = try await holder.page(of: Self.rented)
        #expect(revoked.contains("Acme has revoked your license.What helpsAsk support for the reason."))
        #expect(!revoked.contains("declined") && !revoked.contains("fraud") && !revoked.contains("reason:"))
    }

    @Test
    func `the page of a license that was stopped for a refund or dispute says so, in English and German`() async throws
    {
        let vendor = try await holder().vendor
        /// Stops the license for its order, and returns its page in two languages.
        func pages(_ cause: OrderStop.Cause, _ key: String, revokes: Bool = false) async throws -> [String] {
            let license = try await vendor.store.findLicenses(key)[0]
            let stop = OrderStop(because: cause, by: Actor(Actor.Kind("order"), "sub_1"))
            let decision =
                revokes ? stop.revoke(license, at: vendor.clock.now()) : stop.suspend(license, at: vendor.clock.now())
            try await vendor.save([RowWrite](try #require(decision.outcome), over: license))
            return [
                try await Holder(at: vendor).page(of: key),
                try await Holder(at: vendor).page(of: key, language: "de"),
            ]
        }
        let refunded = try await pages(.refund, Self.rented)
        #expect(refunded[0].contains("Acme has suspended your license, because the payment was refunded."))
        #expect(refunded[0].contains("What helpsContact support to settle this."))
        #expect(refunded[1].contains("weil die Zahlung erstattet wurde."))
        let disputed = try await pages(.dispute, Self.soft)
        #expect(disputed[0].contains("because the payment is disputed."))
        #expect(disputed[0].contains("When this changesWhen the dispute is decided in Acme’s favor"))
        #expect(disputed[1].contains("weil die Zahlung beanstandet wurde."))
        let revoked = try await pages(.refund, Self.perpetual, revokes: true)
        #expect(revoked[0].contains("Acme has revoked your license, because the payment was refunded."))
        #expect(revoked[1].contains("widerrufen, weil die Zahlung erstattet wurde."))
    }

    @Test func `a license that was paid with test money is marked as a test license`() async throws {
        let holder = try await holder()
        #expect(try await !holder.page(of: Self.perpetual).contains("Test license"))
        let key = "NOTE-TEST-0000-0004"
        let policy = try #require(PolicyID("pro"))
        let product = try #require(try await holder.vendor.store.findLicenses(Self.perpetual).first).product
        let now = holder.vendor.clock.now()
        let issued = License.issue(
            id: try #require(LicenseID(number: 4_711)), product: product,
            key: try #require(LicenseKeyText(key)).stored(under: nil),
            terms: LicenseTerms(policy: policy, term: .perpetual(from: now)), isTest: true, by: .operator("test"),
            at: now)
        try await holder.vendor.save([RowWrite](issued))
        #expect(try await Holder(at: holder.vendor).page(of: key).contains("Not activated yetTest license"))
        #expect(try await Holder(at: holder.vendor).page(of: key, language: "de").contains("Testlizenz"))
    }

    @Test func `the license page distinguishes devices with the same name by their ids`() async throws {
        let holder = try await holder()
        for hash in ["a", "b"] {
            let hash = String(repeating: hash, count: 64)
            #expect(await holder.vendor.activate(Self.perpetual, name: "Mac", hash: hash).status == 200)
        }
        let text = try await holder.page(of: Self.perpetual)
        let license = try await holder.vendor.store.findLicenses(Self.perpetual)[0]
        for device in try await holder.vendor.store.activations(of: license.id, includingReleased: false) {
            let shown = try holder.vendor.names.shown(device.id).description
            #expect(text.contains("Mac (\(shown.suffix(4).uppercased()))"))
        }
        #expect(text.contains("Your license can’t be activated on another device at the moment."))
    }

    @Test(arguments: [
        ("de", "Ihre Lizenz"), ("ko-KR", "내 라이선스"), ("ja", "ご利用中のライセンス"), ("nl", "Your license"),
        ("fr", "Votre licence"),
        ("es-MX", "Su licencia"), ("zh-SG", "您的许可证"), ("zh-HK", "Your license"),
    ])
    func `the license page is in the browser's language, or in English if the server has no texts in that language`(
        _ language: String, _ title: String
    ) async throws {
        let holder = try await holder()
        #expect(try await holder.page(of: Self.perpetual, language: language).contains(title))
    }
}
