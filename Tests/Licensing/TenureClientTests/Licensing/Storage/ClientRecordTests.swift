import Foundation
import TenureClient
import TenureCore
import TenureVault
import Testing

@Suite struct ClientRecordTests {
    private let held = HeldActivation(key: "KEY-A", activation: "a1")
    private let reading = ClockReading(wall: Given.now, uptime: 1, boot: "a")

    private func grant(issued: Int64, terms: ProductTerms? = nil) -> LeaseGrant {
        let lease = Given.lease(issued: issued, ends: issued + 7 * Given.day)
        return LeaseGrant(facts: lease, bytes: [UInt8]("\(issued)".utf8), terms: terms, serverTime: Given.after(issued))
    }

    @Test func `a client record is read back unchanged, and its encoding is the same each time`() throws {
        var record = ClientRecord()
        record.activated(held, grant(issued: 0, terms: Given.terms(free: true)))
        record.refused(held, Given.refused("license_expired", lease: Given.lease(.fallback)))
        record.answered(serverTime: Given.after(5), isFresh: true, at: reading)
        record.trial = .local(start: DeviceTime(Given.now), days: 14)
        record.unreached = RequestFailure(.busy, "503", retryAfter: 9)
        record.owe(HeldActivation(key: "KEY-B", activation: "b1"))
        record.keyset = Data([1, 2, 3])
        record.loss = RecordLoss(.foreign, at: Given.after(7))
        #expect(try ClientRecord(record.bytes()) == record)
        #expect(try record.bytes() == record.bytes())
    }

    @Test func `a client record without its optional members for a loss and a retry time can be read`()
        throws
    {
        var record = ClientRecord()
        record.answered(serverTime: Given.after(5), isFresh: true, at: reading)
        let text = String(decoding: try record.bytes(), as: UTF8.self)
        #expect(!text.contains("loss") && !text.contains("wish"))
        #expect(try ClientRecord(Array(text.utf8)) == record)
    }

    @Test(arguments: ["", "{", "[]", "{}", "null", "{\"version\":1,\"trial\":7}", "{\"version\":\"1\"}"])
    func `bytes that aren't a record are reported as a damaged record`(text: String) {
        #expect(throws: VaultError(.corrupted, "The license record isn't in this app's format.")) {
            try ClientRecord(Array(text.utf8))
        }
    }

    @Test func `a record from a newer version of the app is reported as unreadable`() {
        #expect(
            throws: VaultError(.unreadable, "A newer version of this app wrote the license record. Update the app.")
        ) {
            try ClientRecord(Array("{\"version\":2,\"trial\":7}".utf8))
        }
    }

    @Test func `an older lease replaces a newer one only if its response is bound to the request`() {
        var record = ClientRecord()
        record.activated(held, grant(issued: 0))
        record.renewed(held, grant(issued: 200), isFresh: false)
        record.renewed(held, grant(issued: 100), isFresh: false)
        #expect(record.license?.issuedAt == Given.after(200))
        record.renewed(held, grant(issued: 100), isFresh: true)
        #expect(record.license?.issuedAt == Given.after(100))
    }

    @Test func `a response about a license other than the stored one doesn't change the record`() {
        var record = ClientRecord()
        record.activated(HeldActivation(key: "KEY-B", activation: "b1"), grant(issued: 0))
        let before = record
        record.renewed(held, grant(issued: 10), isFresh: true)
        record.refused(held, Given.refused("license_revoked"))
        record.released(held)
        #expect(record == before)
    }

    @Test func `storing a refusal removes the lease, and storing a later lease removes the refusal`() {
        var record = ClientRecord()
        record.activated(held, grant(issued: 0))
        record.refused(held, Given.refused("license_revoked"))
        #expect(record.license?.lease == nil)
        #expect(record.license?.issuedAt == Given.after(0))
        record.renewed(held, grant(issued: 10), isFresh: true)
        #expect(record.license?.refused == nil)
    }

    @Test func `at most the eight newest pending releases are stored`() {
        var record = ClientRecord()
        for number in 0..<20 { record.owe(HeldActivation(key: "K", activation: "\(number)")) }
        record.owe(HeldActivation(key: "K", activation: "19"))
        #expect(record.owed.map(\.activation) == (12..<20).map(String.init))
    }
}
