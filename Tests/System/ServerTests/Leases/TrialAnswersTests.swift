import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureLicensingServer

@Suite struct `Trials of the Tenure dialect` {
    @Test func `a trial keeps its recorded start, whatever start its device claims later`() async throws {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let start = vendor.clock.now()
        let first = try #require(try await app.trial().yes)
        #expect(first.start == start && first.days == 14)
        vendor.clock.advance(days: 20)
        let again = try #require(try await app.trial(startedAt: vendor.clock.now().seconds).yes)
        #expect(again.start == start)
        #expect(again.end < again.envelope.issuedAt, "it has expired, and its own dates say so")
        let events = try await vendor.store.all(EventRecord.table.all).map(\.event)
        let started = events.filter { $0.kind == .trialStarted }
        #expect(started.count == 1 && started[0].subject.license == nil && started[0].actor == .device)
        #expect(try await LeaseApp(vendor, device: "b").trial().yes?.start == vendor.clock.now())
    }

    @Test func `a trial that started offline is backdated by at most its length`() async throws {
        let vendor = try await Vendor()
        let now = vendor.clock.now()
        let three = now.adding(days: -3).seconds
        #expect(try await LeaseApp(vendor).trial(startedAt: three).yes?.start.seconds == three)
        let late = try await LeaseApp(vendor, device: "b").trial(startedAt: 0).yes
        #expect(late?.start == now.adding(days: -14) && late?.end == now)
        #expect(try await LeaseApp(vendor, device: "c").trial(startedAt: .max).yes?.start == now)
    }

    @Test func `a started trial follows the trial length in the catalog, and is refused while that is 0`()
        async throws
    {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let start = try await app.trial().yes?.start
        try await vendor.apply(Vendor.catalog.replacing(#""trialDays": 14"#, with: #""trialDays": 30"#))
        #expect(try await app.trial().yes?.days == 30)
        try await vendor.apply(Vendor.catalog.replacing(#""trialDays": 14"#, with: #""trialDays": 0"#))
        #expect(try await app.trial().no == "403 trial_not_offered")
        try await vendor.apply(Vendor.catalog)
        #expect(try await app.trial().yes?.start == start)
    }

    @Test func `extending a device's trial leaves another device's trial unchanged`() async throws {
        let vendor = try await Vendor()
        let (app, other) = (try await LeaseApp(vendor), try await LeaseApp(vendor, device: "b"))
        let first = try #require(try await app.trial().yes)
        _ = try await other.trial()
        vendor.clock.advance(days: 20)
        let device = try #require(Digest([UInt8](repeating: 0xAA, count: 32)))
        let extended = try await vendor.licensing().changeTrial(
            TrialName(product: app.product, device: device), .extend(days: 7), by: .operator("test"))
        #expect(extended?.outcome?.extraDays == 13)
        let again = try #require(try await app.trial().yes)
        #expect(again.start == first.start && again.days == 27 && again.end == vendor.clock.now().adding(days: 7))
        #expect(try await other.trial().yes?.days == 14)
        let unknown = try #require(Digest([UInt8](repeating: 1, count: 32)))
        let none = TrialName(product: app.product, device: unknown)
        #expect(try await vendor.licensing().changeTrial(none, .extend(days: 7), by: .time) == nil)
    }

    @Test func `only the device whose trial is reset gets a new trial`() async throws {
        let vendor = try await Vendor()
        let (app, other) = (try await LeaseApp(vendor), try await LeaseApp(vendor, device: "b"))
        let first = try #require(try await app.trial().yes)
        let others = try #require(try await other.trial().yes)
        vendor.clock.advance(days: 20)
        let device = try #require(Digest([UInt8](repeating: 0xAA, count: 32)))
        let reset = try await vendor.licensing().changeTrial(
            TrialName(product: app.product, device: device), .reset(because: StatedReason("crashed all week")),
            by: .operator("test"))
        let now = vendor.clock.now()
        #expect(reset?.outcome?.start == now)
        vendor.clock.advance(days: 1)
        let again = try #require(try await app.trial(startedAt: first.start.seconds).yes)
        #expect(again.start == now && again.days == 14, "the device reports its old start")
        let stored = try #require(try await other.trial(startedAt: others.start.seconds).yes)
        #expect(stored.start == others.start && stored.days == 14)
        let event = try #require(
            try await vendor.store.all(EventRecord.table.all).map(\.event).first { $0.kind == .trialReset })
        #expect(event.actor == .operator("test") && event.at == now)
        #expect(event.facts.contains(.init("reason", .text("crashed all week"))))
        let unknown = try #require(Digest([UInt8](repeating: 1, count: 32)))
        let none = TrialName(product: app.product, device: unknown)
        #expect(try await vendor.licensing().changeTrial(none, .reset(because: nil), by: .time) == nil)
    }

    @Test func `trials in one state are listed even if over a thousand newer ones are in another state`() async throws {
        let vendor = try await Vendor()
        let catalog = try await vendor.licensing().catalog.current.catalog
        let product = try #require(catalog[try await LeaseApp(vendor).product])
        let now = vendor.clock.now()
        let trials = (0..<1_205).map { number in
            Trial(
                product: product.ref, device: Digest(Sample.hash(number))!,
                start: now.adding(days: number < 1_100 ? -1 : -20), recordedAt: now)
        }
        try await vendor.save(trials.map { .insert($0) })
        let ended = try await vendor.store.latestTrials(of: [product], .ended, after: nil, at: now, limit: 1_000).shown
        #expect(ended.count == 105)
        #expect(Set(ended.map(\.trial)) == Set(trials[1_100...]))
        #expect(
            try await vendor.store.latestTrials(of: [product], nil, after: nil, at: now, limit: 7).shown.map(\.state)
                == Array(repeating: .running, count: 7))
        let counts = try await vendor.store.view(TrialCounts.entries, [.of(now)])
        #expect(counts.map(\.words) == ["1205: 1100 running, 105 ended"])
    }

    @Test func `pages of the trials of several products list every trial exactly once`() async throws {
        let vendor = try await Vendor()
        let catalog = try await vendor.licensing().catalog.current.catalog
        let notes = try #require(catalog[try await LeaseApp(vendor).product])
        let products = ["draw", "notes", "tunes"].map { name in
            Product(
                ref: ProductRef(tenant: notes.ref.tenant, product: ProductID(name)!), name: name,
                keyPrefix: notes.keyPrefix, trialDays: 14)
        }
        let now = vendor.clock.now()
        // Few starts and devices, so that the pages end within equal starts.
        let trials: [Trial] = products.flatMap { product in
            (0..<12).map { number in
                Trial(
                    product: product.ref, device: Digest(Sample.hash(number))!, start: now.adding(days: -(number % 3)),
                    recordedAt: now)
            }
        }
        try await vendor.save(trials.map { .insert($0) })
        for size in [1, 5, 7] {
            var (listed, cursor) = ([ShownTrial](), TrialCursor?.none)
            repeat {
                let page = try await vendor.store.latestTrials(of: products, nil, after: cursor, at: now, limit: size)
                listed += page.shown
                cursor = page.next
            } while cursor != nil
            #expect(listed.map(\.trial.start) == listed.map(\.trial.start).sorted(by: >))
            #expect(listed.count == trials.count && Set(listed.map(\.trial)) == Set(trials), "pages of \(size)")
        }
        let cursor = TrialCursor(start: now, product: notes.ref, device: Sample.hash(1))
        #expect(TrialCursor(text: cursor.text) == cursor)
        for text in [
            "", "1:acme/notes:3f2b", "x" + cursor.text, cursor.text + "00", "1:acme:" + cursor.text.suffix(64),
        ] {
            #expect(TrialCursor(text: text) == nil)
        }
    }

    @Test
    func `a page of trials may end before its limit, but all pages together contain every matching trial`() async throws
    {
        let vendor = try await Vendor()
        let product = try #require(
            try await vendor.licensing().catalog.current.catalog[try await LeaseApp(vendor).product])
        let now = vendor.clock.now()
        let trials = (0..<9_010).map { number in
            Trial(
                product: product.ref, device: Digest(Sample.hash(number))!,
                start: now.adding(days: number < 9_000 ? -1 : -20), recordedAt: now)
        }
        try await vendor.save(trials.map { .insert($0) })
        var (pages, ended, cursor) = (0, 0, TrialCursor?.none)
        repeat {
            let page = try await vendor.store.latestTrials(of: [product], .ended, after: cursor, at: now, limit: 100)
            (pages, ended, cursor) = (pages + 1, ended + page.shown.count, page.next)
        } while cursor != nil
        #expect(pages == 3 && ended == 10)
    }

    @Test
    func `beyond 600 new trials a minute, a device's trial response expires after a day until the trial is recorded`()
        async throws
    {
        let vendor = try await Vendor()
        let existing = try await LeaseApp(vendor)
        #expect(try await existing.trial().yes != nil)
        for number in 0..<599 {
            let device = DeviceHash(Hex.encode(Sample.hash(number)))!
            let answer = await vendor.post(
                "/v1/acme/notes/leases/trial", #"{"nonce":"\#(LeaseApp.nonce())","device":"\#(device)"}"#)
            #expect(answer.status == 200)
        }
        let one = try await LeaseApp(vendor, device: "b")
        let trial = try #require(try await one.trial().yes)
        let now = vendor.clock.now()
        #expect(trial.start == now && trial.days == 14 && trial.envelope.expiresAt == now.adding(days: 1))
        let events = try await vendor.store.all(EventRecord.table.all)
        #expect(events.count { $0.event.kind == .trialStarted } == 600, "the device over the limit isn't recorded yet")
        #expect(try await existing.trial().yes?.envelope.expiresAt == now.adding(days: 30))
        vendor.clock.advance(seconds: 60)
        let recorded = try #require(try await one.trial(startedAt: trial.start.seconds).yes)
        #expect(recorded.start == trial.start && recorded.envelope.expiresAt == vendor.clock.now().adding(days: 30))
    }

    private enum Sample {
        static func hash(_ number: Int) -> [UInt8] {
            [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 1, count: 30)
        }
    }
}
