import TenureCore
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct ServicesTests {
    @Test func `the time of a refresh is written in the background, after the response`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        vendor.clock.advance(days: 2)
        _ = await vendor.validate("NOTE-PRO0-0000-0001", instance)
        let id = try #require(ActivationID(text: instance))
        #expect(try await vendor.lastSeen(id) == Timestamp(seconds: 1_800_000_000))
        // When services stop, they write their pending data first.
        try vendor.server.supervisor.start()
        #expect(await vendor.server.supervisor.stop(within: .seconds(60)))
        #expect(try await vendor.lastSeen(id) == vendor.clock.now())
    }

    @Test func `the log has each request's route instead of its path, and no license key`() async throws {
        let vendor = try await Vendor()
        _ = await vendor.activate("NOTE-PRO0-0000-0001")
        _ = await vendor.get("/acme/NOTE-PRO0-0000-0001/config")
        let text = vendor.log.lines.map { "\($0)" }.joined(separator: "\n")
        #expect(!text.contains("NOTE-PRO0"))
        #expect(text.contains("/{tenant}/{product}/activate"))
        #expect(vendor.log.lines.count == 2)
    }

    @Test func `metrics count responses by route and status`() async throws {
        let vendor = try await Vendor()
        _ = await vendor.activate("NOTE-PRO0-0000-0001")
        _ = await vendor.activate("none")
        let response = await vendor.server.handler.respond(to: .init(method: "GET", path: "/metrics"))
        let text = String(decoding: response.body.bytes, as: UTF8.self)
        #expect(text.contains(#"tenure_http_requests_total{route="/{tenant}/{product}/activate",status="200"} 1"#))
        #expect(text.contains(#"tenure_refusals_total{code="license_unknown"} 1"#))
    }
}

extension ServicesTests {
    @Test func `an expired account token is deleted after 30 days and not before`() async throws {
        let shop = try await Market.withAccounts()
        _ = try await shop.account()
        let moments = ["long over": -31, "over": -29, "still good": 1]
        for (text, days) in moments {
            let end = shop.now.adding(days: days)
            try await shop.vendor.save([.insert(try shop.credential(text, of: GivenMart.ada, until: end))])
        }
        let purge = try #require(shop.vendor.server.services.first { $0.name == "purge" })
        #expect(try await purge.turn(as: nil) == .after(.seconds(3_600)))
        #expect(try await !shop.remembers("long over"))
        #expect(try await shop.remembers("over"))
        #expect(try await shop.remembers("still good"))
    }
}
