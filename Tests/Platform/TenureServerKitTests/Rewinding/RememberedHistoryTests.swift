import TenureCore
import TenureStore
import Testing

@testable import TenureServerKit

/// Tests which databases a server recognizes as a former primary by its remembered history.
@Suite struct RememberedHistoryTests {
    private static let acme = TenantID("acme")!

    private static func event(_ number: Int64) -> ConfirmedEvent {
        ConfirmedEvent(tenant: acme, number: number, digest: .sha256(of: "\(number)"))
    }

    private static func timeline(_ number: String, of system: String = "a") -> NewConnection.Timeline {
        .init(system: system, number: number)
    }

    /// The history of a server that used timeline 9 under the id `one`. After a failover and `store recovered`, it used
    /// timeline A under the id `two`.
    private static var settled: RememberedHistory {
        var known = RememberedHistory(of: "one", [event(1)])
        known.use(timeline("00000009"))
        known.use(timeline("0000000A"))
        known.begin("two", keeping: known.timelines)
        known.add([event(2)])
        return known
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let id: String?
        let timeline: NewConnection.Timeline?
        let relation: RememberedHistory.Relation

        init(
            _ description: String, id: String?, on timeline: NewConnection.Timeline?,
            _ relation: RememberedHistory.Relation
        ) {
            (testDescription, self.id, self.timeline, self.relation) = (description, id, timeline, relation)
        }
    }

    @Test(arguments: [
        Case("the primary in use", id: "two", on: timeline("0000000A"), .same),
        Case("a later timeline of the store in use", id: "two", on: timeline("0000000B"), .same),
        Case("a major upgrade", id: "two", on: timeline("00000001", of: "b"), .same),
        Case("a role that may not read the timeline", id: "two", on: nil, .same),
        Case("an earlier timeline of the store in use", id: "two", on: timeline("00000009"), .behind),
        Case("the former primary after store recovered", id: "one", on: timeline("00000009"), .former),
        Case("the former primary, its timeline unreadable", id: "one", on: nil, .former),
        Case("a dump from before store recovered in the same cluster", id: "one", on: timeline("0000000A"), .former),
        Case("a former id in another cluster", id: "one", on: timeline("00000001", of: "b"), .former),
        Case("a failover that lost the change by store recovered", id: "one", on: timeline("0000000B"), .returned),
        Case("an accepted disk image, after store recovered", id: "three", on: timeline("00000009"), .replaced),
        Case("a restored store", id: "three", on: timeline("0000000A"), .replaced),
        Case("a store without an id", id: nil, on: timeline("0000000A"), .replaced),
    ])
    func `a store's id and timeline show whether it's in use, in an earlier state, a former primary or another store`(
        _ sample: Case
    ) {
        #expect(Self.settled.relation(to: sample.id, on: sample.timeline) == sample.relation)
    }

    @Test func `the primary that an accepted disk image replaces is a former primary`() {
        var known = Self.settled
        known.begin("three")
        known.use(Self.timeline("00000009"))
        #expect(known.events.isEmpty)
        #expect(known.relation(to: "three", on: Self.timeline("00000009")) == .same)
        #expect(known.relation(to: "two", on: Self.timeline("0000000A")) == .former)
        #expect(known.relation(to: "one", on: Self.timeline("00000009")) == .former)
    }

    @Test func `an id set by the command store recovered, but lost in a failover, identifies a former primary`() {
        var known = Self.settled
        known.return(to: "one")
        known.use(Self.timeline("0000000B"))
        #expect(known.events == [Self.event(2)])
        #expect(known.relation(to: "one", on: Self.timeline("0000000B")) == .same)
        #expect(known.relation(to: "one", on: Self.timeline("0000000A")) == .behind)
        #expect(known.relation(to: "two", on: Self.timeline("0000000A")) == .former)
    }

    @Test func `the last twenty former ids of a store are remembered and read back`() {
        var known = Self.settled
        for number in 0..<30 { known.begin("id \(number)", keeping: known.timelines) }
        #expect(known.former == (9..<29).map { "id \($0)" })
        known.add([Self.event(3)])
        #expect(RememberedHistory(known.bytes) == known)
        known.begin("put back")
        #expect(RememberedHistory(known.bytes) == known, "the highest timelines stay without one of the current id")
    }

    @Test func `the remembered histories of servers that share a folder are combined under the newest store id`() {
        let old = RememberedHistory(of: "one", [Self.event(1)])
        var (first, second) = (Self.settled, Self.settled)
        first.add([Self.event(3)])
        second.add([Self.event(4)])
        second.use(Self.timeline("0000000B"))
        for all in [[old, first, second], [second, first, old]] {
            let combined = RememberedHistory(merging: all)
            #expect(combined.id == "two" && combined.former == ["one"])
            #expect(Set(combined.events) == Set([2, 3, 4].map(Self.event)))
            #expect(combined.relation(to: "two", on: Self.timeline("0000000A")) == .behind)
        }
        let unrelated = RememberedHistory(merging: [RememberedHistory(of: "x"), old])
        #expect(
            unrelated.id == "x" && unrelated.former.isEmpty, "an id isn't a former one because it's in another file")
        #expect(RememberedHistory(merging: []) == RememberedHistory())
    }
}
