import TenureCore
import TenureCrypto
import TenureStore
import Testing

@testable import TenureServerKit

/// Tests when a store counts as having returned to an older state.
@Suite struct HistoryComparisonTests {
    private static let (acme, bolt) = (TenantID("acme")!, TenantID("bolt")!)

    private static func event(_ number: Int64, _ text: String = "", of tenant: TenantID = acme) -> ConfirmedEvent {
        ConfirmedEvent(tenant: tenant, number: number, digest: .sha256(of: "\(tenant) \(number) \(text)"))
    }

    private static func events(_ numbers: ClosedRange<Int64>) -> [ConfirmedEvent] { numbers.map { event($0) } }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var knownID: String? = "one"
        var known: [ConfirmedEvent]
        var storeID: String? = "one"
        var last: [TenantID: Int64]
        var stored: [ConfirmedEvent]
        var restored: [TenantID: Int64] = [:]
        /// `nil` if the history is replaced.
        var lost: [TenantID: ClosedRange<Int64>]?
    }

    @Test(arguments: [
        Case("a server remembers no events", known: [], last: [acme: 7], stored: [], lost: [:]),
        Case(
            "after a synchronous failover, a major upgrade or a logical copy all events are there",
            known: events(3...5), last: [acme: 5],
            stored: events(3...5), lost: [:]),
        Case(
            "a server was off for a month", known: events(3...5), last: [acme: 90_000], stored: events(3...5),
            lost: [:]),
        Case(
            "a copy by migrate-store has the same id", known: events(3...5), last: [acme: 6], stored: events(3...5),
            lost: [:]),
        Case(
            "a restored store has another id", known: events(3...5), storeID: "two", last: [acme: 3],
            stored: events(3...3), lost: nil),
        Case(
            "a store has no id", known: events(3...5), storeID: nil, last: [acme: 5],
            stored: events(3...5), lost: nil),
        Case(
            "the last remembered events are missing", known: events(3...7), last: [acme: 4], stored: events(3...4),
            lost: [acme: 5...7]),
        Case(
            "only the last of the missing events are remembered", known: events(9...9), last: [acme: 4], stored: [],
            lost: [acme: 5...9]),
        Case(
            "all events of a tenant are missing", known: [event(1, of: bolt), event(2, of: bolt)], last: [:],
            stored: [],
            lost: [bolt: 1...2]),
        Case(
            "the store has another event under a remembered number", known: events(3...5), last: [acme: 8],
            stored: [event(3), event(4), event(5, "other")], lost: [acme: 5...5]),
        Case(
            "an event between two others is missing", known: events(3...5), last: [acme: 8],
            stored: [event(3), event(5)],
            lost: [acme: 4...4]),
        Case(
            "another server has recorded the loss", known: events(3...7), last: [acme: 1_000_008],
            stored: events(3...4), restored: [acme: 1_000_008], lost: [:]),
        Case(
            "the store went back again after the loss was recorded", known: events(3...4) + [event(1_000_009)],
            last: [acme: 1_000_008], stored: events(3...4), restored: [acme: 1_000_008],
            lost: [acme: 1_000_009...1_000_009]),
        Case(
            "one of two tenants lost events", known: events(3...5) + [event(2, of: bolt)], last: [acme: 4, bolt: 2],
            stored: events(3...4) + [event(2, of: bolt)], lost: [acme: 5...5]),
    ])
    func `remembered events that a store with the same id lacks are listed as lost, unless already recorded as lost`(
        _ sample: Case
    ) {
        let known = RememberedHistory(of: sample.knownID, sample.known)
        let facts = HistoryComparison.StoreFacts(id: sample.storeID, last: sample.last, events: sample.stored)
        let lost: [TenantID: ClosedRange<Int64>]? =
            switch HistoryComparison.outcome(of: known, in: facts) {
            case .continued: [:]
            case .replaced: nil
            case .lacking(let lacking):
                HistoryComparison.lost(lacking, last: sample.last, restored: sample.restored)
            }
        #expect(lost == sample.lost)
    }

    @Test func `the last hundred confirmed events are stored and read back`() throws {
        var known = RememberedHistory(of: "one", Self.events(1...90))
        known.add(Self.events(91...130))
        #expect(known.events == Self.events(31...130))
        #expect(RememberedHistory(known.bytes) == known)
        let file = String(decoding: known.bytes, as: UTF8.self)
        for damaged in ["", "{}", String(file.dropLast()), file.replacing("\"version\":1", with: "\"version\":2")] {
            #expect(RememberedHistory(Array(damaged.utf8)) == nil)
        }
    }

    @Test func `the record of lost events combines the losses that servers report, and is read back unchanged`() {
        var record = RewoundStore(noticedAt: Timestamp(seconds: 1_800_000_000), losses: [:])
        record.add(5...7, of: Self.acme, restored: 1_000_008)
        record.add(6...9, of: Self.acme, restored: 1_000_008)
        record.add(1...2, of: Self.bolt, restored: 1_000_003)
        #expect(record.missing == 7)
        #expect(RewoundStore(record.record.value) == record)
        let text = String(decoding: record.record.value, as: UTF8.self)
        for damaged in ["soon", text.replacing("1000008", with: "9"), text.replacing("acme", with: "A B")] {
            #expect(RewoundStore(Array(damaged.utf8)) == nil)
        }
    }

    @Test func `an event's digest is computed without the event's unset columns`() {
        let event = Event(
            .storeRestored, at: Timestamp(seconds: 9), actor: .server, about: .init(tenant: Self.acme), facts: [])
        var canonical = CanonicalBytes()
        canonical.appendSetColumns(EventRecord(sequence: 4, event: event).stored, of: EventRecord.table.shape)
        let unset = EventRecord.table.shape.columns.filter(\.isNullable).map(\.name)
        #expect(unset.contains("license_id"))
        let text = String(decoding: canonical.bytes, as: UTF8.self)
        #expect(text.contains("sequence") && !text.contains("license_id"))
    }
}

extension HistoryComparisonTests.Case {
    init(
        _ description: String, known: [ConfirmedEvent], storeID: String? = "one", last: [TenantID: Int64],
        stored: [ConfirmedEvent], restored: [TenantID: Int64] = [:], lost: [TenantID: ClosedRange<Int64>]?
    ) {
        self.init(
            testDescription: description, known: known, storeID: storeID, last: last, stored: stored,
            restored: restored, lost: lost)
    }
}
