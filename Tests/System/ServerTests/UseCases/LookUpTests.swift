import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Finding licenses by the keys, orders and holders that customers name.
@Suite struct LookUpTests {
    /// Two licenses of one holder, and one of another holder.
    private struct Given {
        let shop: Shop
        let ids: [String]
        let keys: [String]

        init() async throws {
            shop = try await Shop()
            var (ids, keys): ([String], [String]) = ([], [])
            for body in [
                #"{"product": "notes", "policy": "pro", "holder": "ada@example.com", "order": "A-17"}"#,
                #"{"product": "notes", "policy": "pro", "holder": "ada@example.com"}"#,
                #"{"product": "notes", "policy": "rent", "holder": "adam@example.org", "order": "a-17"}"#,
            ] {
                let license = try #require(await shop.post("licenses", body).first("licenses"))
                ids.append(try #require(license.text("id")))
                keys.append(try #require(license.text("licenseKey")))
            }
            (self.ids, self.keys) = (ids, keys)
        }

        /// Returns the indices of the licenses that a text finds, and whether the match is certain.
        func found(_ text: String) async -> (places: [Int], isCertain: Bool) {
            let answer = await shop.post(
                "licenses/find", String(decoding: JSONWriter.object { $0.member("text", text) }, as: UTF8.self))
            let places = answer.all("licenses").compactMap { $0.text("id").flatMap { ids.firstIndex(of: $0) } }
            return (places.sorted(), answer.body["certain"] == .bool(true))
        }
    }

    @Test func `a look-up by a complete license key or a license id gives a certain match`() async throws {
        let given = try await Given()
        for text in [given.keys[0], given.keys[0].lowercased().replacing("-", with: ""), given.ids[0]] {
            #expect(await given.found(text) == ([0], true), "\(text)")
        }
    }

    @Test func `a look-up by a masked key gives a certain match only if the key is masked as the server displays it`()
        async throws
    {
        let given = try await Given()
        let ending = String(given.keys[1].suffix(4))
        #expect(await given.found("NOTE-****-****-****-\(ending)") == ([1], true))
        for text in ["****-", "*", "…", "...", ". . . ", "NOTE…", "NOTE-..."].map({ $0 + ending.lowercased() }) {
            #expect(await given.found(text) == ([1], false), "\(text) is not as it is shown")
        }
        #expect(await given.found("NOTE-****-****-****-ZZZZ") == ([], false))
        #expect(await given.found("****") == ([], false))
    }

    @Test func `a look-up finds an order reference that contains dots`() async throws {
        let given = try await Given()
        _ = await given.shop.post("licenses/\(given.ids[0])/change", #"{"order": "A..1717"}"#)
        #expect(await given.found("A..1717") == ([0], false))
    }

    @Test
    func `a look-up by a key's last characters, an order reference or the start of a holder gives uncertain matches`()
        async throws
    {
        let given = try await Given()
        #expect(await given.found(String(given.keys[2].suffix(4)).lowercased()) == ([2], false))
        for quoted in ["\"%\"", "“%”.", "%.", "'…%'"] {
            let text = quoted.replacing("%", with: given.keys[2].suffix(4))
            #expect(await given.found(text) == ([2], false), "\(text)")
        }
        #expect(await given.found("A-17") == ([0, 2], false))
        #expect(await given.found("ada@example.com") == ([0, 1], false))
        #expect(await given.found("ADA@Example.com") == ([0, 1], false))
        #expect(await given.found(" ada ") == ([0, 1, 2], false))
        #expect(await given.found("ada@") == ([0, 1], false))
        #expect(await given.found("adam") == ([2], false))
        #expect(await given.found("ad") == ([], false), "too short")
        #expect(await given.found("example.com") == ([], false))
        #expect(await given.found(String(given.keys[0].prefix(9))) == ([], false), "only the end is stored")
    }

    @Test func `a look-up finds a holder in any letter case, spacing and normalization, but not without accents`()
        async throws
    {
        let shop = try await Shop()
        for holder in ["Mia@Example.com", "mia@example.com", "Zoé  Muster", "ZOE\u{301} muster"] {
            _ = await shop.post(
                "licenses", #"{"product": "notes", "policy": "pro", "holder": "\#(holder)"}"#)
        }
        for text in ["mia@example.com", " MIA@EXAMPLE.COM ", "Mia@Ex"] {
            let found = await shop.post("licenses/find", #"{"text": "\#(text)"}"#).all("licenses")
            #expect(Set(found.compactMap { $0.text("holder") }) == ["Mia@Example.com", "mia@example.com"], "\(text)")
        }
        for text in ["zoé muster", "Zoe\u{301}   Muster"] {
            let found = await shop.post("licenses/find", #"{"text": "\#(text)"}"#).all("licenses")
            #expect(found.count == 2, "\(text)")
        }
        #expect(await shop.post("licenses/find", #"{"text": "zoe muster"}"#).all("licenses").isEmpty)
        let listed = await shop.get("licenses?holder=mia%40example.com").all("licenses")
        #expect(listed.count == 2)
    }

    @Test func `a list of licenses is filtered by order reference and by end date`() async throws {
        let shop = try await Shop()
        for (order, end) in [
            ("A-1", "2027-03-01T00:00:00Z"), ("a-1", "2027-04-01T00:00:00Z"), ("B-1", "2027-05-01T00:00:00Z"),
        ] {
            _ = await shop.post(
                "licenses", #"{"product": "notes", "policy": "pro", "order": "\#(order)", "expiresAt": "\#(end)"}"#)
        }
        func orders(_ query: String) async -> Set<String> {
            Set(await shop.get("licenses?\(query)").all("licenses").compactMap { $0.text("order") })
        }
        #expect(await orders("order=A-1") == ["A-1", "a-1"])
        #expect(await orders("expiresBefore=2027-04-01T00:00:00Z") == ["A-1", "a-1"])
        #expect(await orders("expiresAfter=2027-03-01T00:00:00Z") == ["a-1", "B-1"])
        #expect(
            await orders("expiresAfter=2027-03-01T00:00:00Z&expiresBefore=2027-04-30T00:00:00Z&product=notes") == [
                "a-1"
            ])
        #expect(await shop.get("licenses?expiresBefore=soon").status == 422)
    }

    @Test func `a page of the newest licenses ends after a bounded number of rows, with a cursor for the rest`()
        async throws
    {
        let given = try await Given()
        let store = given.shop.vendor.store
        let newest = NewestFirst<License>(
            createdBy: .licenseIssued, \.license, id: \.id, where: { $0.holder == nil },
            read: { ids in
                var found: [License] = []
                for id in ids { found += try await store.licenses(matching: LicenseName(.id(id))) }
                return found
            })
        let acme = try #require(TenantID("acme"))
        let first = try await newest.page(of: [acme], after: nil, limit: 100, examining: 2, in: store)
        #expect(first.rows.isEmpty)
        #expect(first.next?.id.description == given.ids[1])
        var (last, pages) = (first.next, 1)
        var found: [License] = []
        while let next = last {
            let creation = try await store.creation(
                next.id.description, [EventFilter(tenant: acme, license: next.id)])
            let page = try await newest.page(of: [acme], after: creation, limit: 100, examining: 2, in: store)
            (last, pages) = (page.next, pages + 1)
            found += page.rows
        }
        #expect(pages > 2 && !found.isEmpty)
    }

    @Test func `a look-up doesn't find another tenant's licenses`() async throws {
        let given = try await Given()
        let vendor = given.shop.vendor
        let other = try #require(TenantID("bolt"))
        for text in ["ada@", "A-17", given.keys[0], String(given.keys[0].suffix(4)), given.ids[0]] {
            #expect(try await vendor.store.lookUpLicenses(text, tenant: other).licenses.isEmpty)
            #expect(try await vendor.store.lookUpLicenses(text).licenses.count >= 1)
        }
    }

    @Test func `a look-up that names both a key and a text, or neither, is refused`() async throws {
        let shop = try await Shop()
        #expect(await shop.post("licenses/find", #"{"licenseKey": "K", "text": "K"}"#).status == 422)
        #expect(await shop.post("licenses/find", "{}").status == 422)
    }

    @Test func `a carelessly typed license key is activated, and the lease is bound to the text as sent`() async throws
    {
        let given = try await Given()
        let app = try await LeaseApp(given.shop.vendor)
        let key = given.keys[0]
        let typed = "“" + key.replacing("-", with: "").lowercased() + "”."
        let (lease, activation) = try await app.activated(typed)
        #expect(lease.license.description == given.ids[0])
        #expect(lease.envelope.keyHash == LicenseKeyText(typed)?.digest)
        #expect(try await app.renew(typed, activation).yes != nil)
        #expect(try await app.renew(key, activation).yes != nil)
        #expect(await given.shop.vendor.activate("\(key.replacing("-", with: "")).").status == 200)
    }

    @Test func `a license's order reference can be changed and removed`() async throws {
        let given = try await Given()
        let id = given.ids[0]
        #expect(await given.shop.post("licenses/\(id)/change", #"{"order": "B-1"}"#).text("order") == "B-1")
        #expect(await given.found("B-1") == ([0], false))
        #expect(await given.found("A-17").places == [2])
        #expect(await given.shop.post("licenses/\(id)/change", #"{"order": null}"#).body["order"] == .null)
    }
}
