import TenureCore
import TenureSelling
import Testing

/// Tests how a provider's list of events is read page by page.
@Suite struct CatchUpTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let hour: Int64 = 3_600

    private func ago(_ seconds: Int64) -> Timestamp { now.adding(seconds: -seconds) }

    private func page(newest: Timestamp?, next: String? = nil) -> CatchUp.Page {
        CatchUp.Page(newest: newest, next: next.flatMap { ProviderID($0) })
    }

    @Test func `a catch-up reads a provider's events from an hour before the start of the previous catch-up`() {
        let begun = CatchUp(readUntil: ago(2 * hour)).begun(days: 30, at: now)
        #expect(begun.walk == CatchUp.Walk(from: ago(3 * hour), startedAt: now) && begun.gap == nil)
    }

    @Test func `after a catch-up's last page, the provider's events are recorded as read until the catch-up's start`() {
        let ended = CatchUp(readUntil: ago(hour)).begun(days: 30, at: now).read(page(newest: nil))
        #expect(ended == CatchUp(readUntil: now))
    }

    @Test func `a catch-up reads further pages until all events of a page are from before the catch-up's period`() {
        let first = CatchUp(readUntil: ago(hour)).begun(days: 30, at: now).read(page(newest: ago(hour), next: "evt_1"))
        #expect(first.walk?.after == ProviderID("evt_1") && first.readUntil == ago(hour))
        let last = first.read(page(newest: ago(2 * hour + 1), next: "evt_2"))
        #expect(last == CatchUp(readUntil: now))
    }

    @Test func `an interrupted catch-up with a payment provider continues, or starts again once it is a day old`() {
        let begun = CatchUp(readUntil: ago(hour)).begun(days: 30, at: now).read(page(newest: ago(10), next: "evt_1"))
        #expect(begun.begun(days: 30, at: now.adding(seconds: 86_399)) == begun)
        let again = begun.begun(days: 30, at: now.adding(seconds: 86_400))
        #expect(again.walk == CatchUp.Walk(from: ago(2 * hour), startedAt: now.adding(seconds: 86_400)))
    }

    @Test func `the gap of events that the provider no longer lists grows until the operator requests a catch-up`() {
        let begun = CatchUp(readUntil: ago(40 * 86_400)).begun(days: 30, at: now)
        #expect(begun.gap == CatchUp.Gap(from: ago(40 * 86_400), until: ago(30 * 86_400)))
        #expect(begun.walk?.from == ago(30 * 86_400))
        let later = begun.read(page(newest: nil)).begun(days: 30, at: now.adding(days: 35))
        #expect(later.gap == CatchUp.Gap(from: ago(40 * 86_400), until: now.adding(days: 5)))
        #expect(later.requested(since: now).gap == nil)
    }

    @Test func `the next catch-up starts at the earliest requested date, but not before the provider's oldest event`() {
        let requested = CatchUp(readUntil: ago(hour)).requested(since: ago(9 * hour)).requested(since: ago(5 * hour))
        let begun = requested.begun(days: 30, at: now)
        #expect(begun.walk?.from == ago(9 * hour) && begun.since == nil && begun.readUntil == ago(hour))
        let farther = CatchUp(readUntil: ago(hour)).requested(since: ago(99 * 86_400)).begun(days: 30, at: now)
        #expect(farther.walk?.from == ago(30 * 86_400) && farther.gap == nil)
    }

    @Test func `a start date requested during a catch-up with a payment provider is used for the next catch-up`() {
        let begun = CatchUp(readUntil: ago(hour)).begun(days: 30, at: now).requested(since: ago(9 * hour))
        let ended = begun.read(page(newest: nil))
        #expect(ended.walk == nil && ended.since == ago(9 * hour))
    }

    @Test func `a page of events that is too large is requested again with half as many events, down to one`() {
        var progress: CatchUp? = CatchUp(readUntil: ago(hour)).begun(days: 30, at: now)
        var sizes: [Int] = []
        while let size = progress?.walk?.pageSize {
            sizes.append(size)
            progress = progress?.withShorterPages()
        }
        #expect(sizes == [50, 25, 12, 6, 3, 1])
    }

    @Test func `a catch-up with a payment provider pauses for a minute after every twenty pages`() {
        var progress = CatchUp(readUntil: ago(hour)).begun(days: 30, at: now)
        var waits: [Int64] = []
        for number in 1...40 {
            progress = progress.read(page(newest: now, next: "evt_\(number)"))
            waits.append(now.seconds(until: progress.nextPageTime(at: now)))
        }
        #expect(waits.filter { $0 > 0 } == [60, 60] && waits[19] == 60 && waits[39] == 60)
    }
}
