import TenureServerKit
import TenureStore
import TenureThreads
import Testing

@Suite struct LateRequestTests {
    @Test func `a request past its deadline gets 503 and records no event`() async throws {
        let vendor = try await Vendor()
        let activation = await vendor.activate("NOTE-PRO0-0000-0001")
        let instance = try #require(activation.text("instance_id"))
        let before = try await vendor.store.all(EventRecord.table.all).count
        let answers = await Deadline.$current.withValue(.now()) {
            [
                await vendor.activate("NOTE-PRO0-0000-0001", name: "Other"),
                await vendor.validate("NOTE-PRO0-0000-0001", instance),
            ]
        }
        for answer in answers { #expect(answer.status == 503) }
        #expect(try await vendor.store.all(EventRecord.table.all).count == before)
        #expect(await vendor.validate("NOTE-PRO0-0000-0001", instance).status == 200)
    }
}
