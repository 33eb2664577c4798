import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import TenureThreads
import Testing

@Suite struct LastSeenWriterTests {
    @Test func `last-seen times are written when the write interval ends and not before`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let id = try #require(ActivationID(text: instance))
        let clock = ManualSteadyClock()
        let sightings = LastSeenWriter(store: vendor.store, interval: .seconds(60), clock: clock)
        let seen = Timestamp(seconds: 1_900_000_000)
        sightings.note(id, at: seen)
        clock.advance(by: .seconds(59))
        #expect(try await sightings.turn(as: nil) == .after(.seconds(2)))
        #expect(try await vendor.lastSeen(id) != seen)
        clock.advance(by: .seconds(1))
        #expect(try await sightings.turn(as: nil) == .after(.seconds(2)))
        #expect(try await vendor.lastSeen(id) == seen)
    }
}
