import TenureHTTP
import TenureServerKit
import TenureTesting
import Testing

@Suite struct `Wrong keys` {
    static let json: Headers = ["Content-Type": "application/json"]

    /// Tries a key over Keylight's API, from an address behind a local proxy.
    func activate(_ vendor: Vendor, _ key: String, from address: String) async -> Answer {
        var headers = Self.json
        headers.add("X-Forwarded-For", address)
        return await vendor.post(
            "/acme/notes/activate", #"{"license_key":"\#(key)","instance_name":"Mac"}"#, headers: headers)
    }

    @Test func `an address may try a limited number of wrong keys, and other addresses aren't affected`() async throws {
        let vendor = try await Vendor()
        var tries = 0
        var last = await activate(vendor, "NOTE-NONE-0000-0000", from: "203.0.113.9")
        while last.status == 404, tries < 1000 {
            tries += 1
            last = await activate(vendor, "NOTE-NONE-0000-\(tries)", from: "203.0.113.9")
        }
        #expect(last.status == 429 && last.code == "try_again" && tries < 100)
        #expect(last.body["activated"] == nil && last.body["lease"] == nil && last.reasons == [])
        let wait = try #require(last.headers["Retry-After"].flatMap { Int64($0) })
        #expect((1...900).contains(wait))
        let right = await activate(vendor, "NOTE-PRO0-0000-0001", from: "203.0.113.9")
        #expect(right.status == 429, "this key could be guessed, so success would confirm that it exists")
        #expect(await activate(vendor, "NOTE-PRO0-0000-0001", from: "203.0.113.10").status == 200)
        vendor.clock.advance(seconds: wait)
        #expect(await activate(vendor, "NOTE-PRO0-0000-0001", from: "203.0.113.9").status == 200)
    }

    @Test(arguments: ["activate", "renew", "release", "devices"], [true, false])
    func `thirty of 400 concurrent wrong keys from one address get 404, and the others 429`(
        verb: String, answersInPlace: Bool
    )
        async throws
    {
        let vendor = try await Vendor()
        vendor.watched.inPlaceReads = answersInPlace ? .max : 0
        var headers = Self.json
        headers.add("X-Forwarded-For", "203.0.113.9")
        let sent = headers
        let statuses = await withTaskGroup { group in
            for index in 0..<400 {
                group.addTask {
                    let body = """
                        {"nonce":"\(String(repeating: "A", count: 22))","device":"\(String(repeating: "a", count: 64))",
                        "licenseKey":"NONE-\(index)","activation":"00000000-0000-4000-8000-000000000001","lease":"x"}
                        """
                    return await vendor.post("/v1/acme/notes/leases/\(verb)", body, headers: sent).status
                }
            }
            return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [404: 30, 429: 370])
    }

    @Test func `100 devices at one address can activate an imported license key concurrently`() async throws {
        let vendor = try await Vendor(
            Vendor.catalog.replacing(#""pro", "activationLimit": 2"#, with: #""pro", "activationLimit": null"#))
        let statuses = await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { await activate(vendor, "NOTE-PRO0-0000-0001", from: "203.0.113.9").status }
            }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [200])
    }

    @Test(arguments: [("activate", #""instance_name":"Mac""#), ("validate", #""instance_id":"none""#)])
    func `an unknown key costs two queries, even if it has look-alike spellings`(verb: String, with member: String)
        async throws
    {
        let vendor = try await Vendor()
        _ = await vendor.activate("NOTE-NONE-0000-0000")
        let before = vendor.watched.queries + vendor.watched.changes
        let answer = await vendor.post("/acme/notes/\(verb)", #"{"license_key":"NOTE-OI11-0000-0001",\#(member)}"#)
        #expect(answer.status == 404 && answer.code == "license_unknown")
        #expect(vendor.watched.queries + vendor.watched.changes - before == 2)
    }

    @Test func `the addresses of one IPv6 /64 network share one limit of wrong keys`() async throws {
        let vendor = try await Vendor()
        var answers: [Int] = []
        for index in 0..<100 {
            answers.append(await activate(vendor, "NOTE-NONE-0000-\(index)", from: "2001:db8::\(index)").status)
        }
        #expect(answers.contains(429))
        #expect(await activate(vendor, "NOTE-PRO0-0000-0001", from: "2001:db8:0:1::1").status == 200)
    }

    @Test func `wrong keys in requests without a source address aren't limited`() async throws {
        let vendor = try await Vendor()
        for index in 0..<100 { #expect(await vendor.activate("NOTE-NONE-0000-\(index)").status == 404) }
        #expect(await vendor.activate("NOTE-PRO0-0000-0001").status == 200)
    }

    @Test(arguments: ["activate", "renew", "release", "devices"])
    func `an address that sends wrong keys in requests of the Tenure dialect gets 429`(verb: String) async throws {
        let vendor = try await Vendor()
        var headers = Self.json
        headers.add("X-Forwarded-For", "203.0.113.9")
        var answers: [Answer] = []
        for index in 0..<100 where answers.last?.status != 429 {
            let body = """
                {"nonce":"\(String(repeating: "A", count: 22))","device":"\(String(repeating: "a", count: 64))",
                "licenseKey":"NONE-\(index)","activation":"00000000-0000-4000-8000-000000000001","lease":"x"}
                """
            answers.append(await vendor.post("/v1/acme/notes/leases/\(verb)", body, headers: headers))
        }
        #expect(answers.first?.status == 404)
        let last = try #require(answers.last)
        #expect(last.status == 429 && last.code == "try_again" && last.headers["Retry-After"] != nil)
        #expect(last.body["refusal"] == nil && last.body["lease"] == nil, "unsigned, so no client changes its state")
        #expect(await activate(vendor, "NOTE-PRO0-0000-0001", from: "203.0.113.9").status == 429)
    }
}
