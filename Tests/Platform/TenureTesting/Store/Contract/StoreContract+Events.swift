import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension StoreContract {
    static let events: [Case] = [
        Case("each tenant's events are numbered from 1 without gaps, in the order of their writes") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            for turn in 0..<3 {
                try await store.save([
                    .event(Sample.event(EventKind(told: "c.\(turn)"), of: Sample.id(3), product: Sample.boltNotes))
                ])
            }
            let kinds = (0..<20).map { EventKind(told: "test.\($0)") }
            try await store.save(kinds.prefix(10).map { .event(Sample.event($0, of: Sample.id(1))) })
            for kind in kinds.dropFirst(10) { try await store.save([.event(Sample.event(kind, of: Sample.id(1)))]) }
            let events = try await store.events(EventFilter(tenant: Sample.acme), after: 0, limit: 100)
            try expectEqual(events.map(\.event.kind), kinds)
            try expectEqual(events.map(\.sequence), (1...20).map { Int64($0) })
            let others = try await store.events(EventFilter(tenant: Sample.bolt), after: 0, limit: 100)
            try expectEqual(others.map(\.sequence), [1, 2, 3])
            try expectEqual(
                try await EventCounter.all(in: store),
                [EventCounter(tenant: Sample.acme, last: 20), EventCounter(tenant: Sample.bolt, last: 3)])
        },
        Case("a reader that continues from its cursor misses no event during concurrent writes") { store in
            try await store.saveCatalog(and: (0..<8).map { .license(Sample.license($0)) })
            let seen = try await withThrowingTaskGroup(of: [EventRecord].self) { group in
                for license in 0..<8 {
                    group.addTask {
                        for turn in 0..<25 {
                            try await store.save([
                                .event(Sample.event(EventKind(told: "turn.\(turn)"), of: Sample.id(Int64(license))))
                            ])
                        }
                        return []
                    }
                }
                group.addTask {
                    var seen: [EventRecord] = []
                    while seen.count < 200 {
                        seen += try await store.events(
                            EventFilter(tenant: Sample.acme), after: seen.last?.sequence ?? 0, limit: 7)
                        await Task.yield()
                    }
                    return seen
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expectEqual(seen.count, 200)
            for license in 0..<8 {
                let own = seen.filter { $0.event.subject.license == Sample.id(Int64(license)) }.map(\.event.kind.text)
                try expectEqual(own, (0..<25).map { "turn.\($0)" })
            }
        },
        Case("events are filtered by tenant and license, and paged by cursor and limit") { store in
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .license(Sample.license(2)),
                .license(Sample.license(3, product: Sample.boltNotes)),
            ])
            for turn in 0..<4 {
                try await store.save([
                    .event(Sample.event(EventKind(told: "a.\(turn)"), of: Sample.id(1))),
                    .event(Sample.event(EventKind(told: "b.\(turn)"), of: Sample.id(2))),
                    .event(Sample.event(EventKind(told: "c.\(turn)"), of: Sample.id(3), product: Sample.boltNotes)),
                ])
            }
            func kinds(_ filter: EventFilter, after cursor: Int64 = 0, limit: Int = 100) async throws -> [String] {
                try await store.events(filter, after: cursor, limit: limit).map(\.event.kind.text)
            }
            try expectEqual(try await kinds(EventFilter(tenant: Sample.bolt)), ["c.0", "c.1", "c.2", "c.3"])
            try expectEqual(
                try await kinds(EventFilter(tenant: Sample.acme, license: Sample.id(2)), limit: 2), ["b.0", "b.1"])
            try expectEqual(try await kinds(EventFilter(tenant: Sample.bolt, license: Sample.id(2))), [])
            try expectEqual(
                try await kinds(EventFilter(tenant: Sample.acme, license: Sample.id(1))), ["a.0", "a.1", "a.2", "a.3"])
            let second = try await store.events(
                EventFilter(tenant: Sample.acme, license: Sample.id(1)), after: 0, limit: 2)
            try expectEqual(
                try await kinds(
                    EventFilter(tenant: Sample.acme, license: Sample.id(1)), after: second.last?.sequence ?? 0),
                ["a.2", "a.3"])
            try expectEqual(
                try await kinds(EventFilter(tenant: Sample.acme), after: second.last?.sequence ?? 0).count, 5)
        },
        Case("a page of events of one kind examines a bounded number of events, and the next page continues there") {
            store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            let (rare, often) = (EventKind(told: "rare.one"), EventKind(told: "often.rare"))
            func event(_ kind: EventKind) -> Put { .event(Sample.event(kind, of: Sample.id(1))) }
            let count = EventSource.stretch
            try await store.save(
                [event(rare)] + Array(repeating: event(often), count: count) + [event(rare), event(often)])
            let first = try await store.events(EventFilter(tenant: Sample.acme), after: 0, limit: 1)[0].sequence
            for filter in [
                EventFilter(tenant: Sample.acme), EventFilter(tenant: Sample.acme, license: Sample.id(1)),
            ] {
                var filter = filter
                filter.kind = EventFilter.KindPattern("rare.*")
                let page = try await store.eventPage(filter, after: 0, limit: 10)
                try expectEqual(page.records.map(\.sequence), [first])
                let rest = try await store.eventPage(filter, after: page.next, limit: 10)
                try expectEqual(rest.records.count, 1)
                let end = try await store.eventPage(filter, after: rest.next, limit: 10)
                try expectEqual(end, EventPage(records: [], next: rest.next))
                try expectEqual(try await EventCounter.all(in: store).map(\.last), [end.next])
                let short = try await store.eventPage(filter, after: 0, limit: 1)
                try expectEqual(short.next, first)
            }
        },
        Case("a filter with several ids finds only events that match all of them") { store in
            try await store.saveCatalog(and: [])
            let enrolments = [1, 2].compactMap { EnrolmentID(number: $0) }
            let licenses = [1, 2].compactMap { ContentLicenseID(number: $0) }
            for (enrolment, license) in zip([0, 0, 1], [0, 1, 0]) {
                let subject = Event.Subject(
                    tenant: Sample.acme, enrolment: enrolments[enrolment], contentLicense: licenses[license])
                let kind = EventKind(told: "content.\(enrolment)\(license)")
                try await store.save([.event(Event(kind, at: Sample.now, actor: .time, about: subject))])
            }
            func kinds(_ filter: EventFilter) async throws -> [String] {
                try await store.events(filter, after: 0, limit: 100).map(\.event.kind.text)
            }
            let filter = EventFilter(tenant: Sample.acme, enrolment: enrolments[0], contentLicense: licenses[0])
            try expectEqual(try await kinds(filter), ["content.00"])
            try expectEqual(
                try await kinds(EventFilter(tenant: Sample.acme, enrolment: enrolments[0])),
                ["content.00", "content.01"])
            var other = filter
            other.license = Sample.id(1)
            try expectEqual(try await kinds(other), [])
        },
        Case("events are filtered by account, by kind, and by kind with a wildcard") { store in
            try await store.save(Sample.marketCatalog)
            let subjects = [Event.Subject(Sample.ref(Sample.ada)), Event.Subject(Sample.ref(Sample.bob))]
            let names = ["account.added", "account.changed", "my_account.added"].map(EventKind.init(told:))
            for kind in names {
                try await store.save(
                    subjects.map { .event(Event(kind, at: Sample.now, actor: .time, about: $0)) })
            }
            func told(of account: AccountID?, _ pattern: String) async throws -> [String] {
                let filter = EventFilter(tenant: Sample.acme, account: account, kind: EventFilter.KindPattern(pattern))
                return try await store.eventPage(filter, after: 0, limit: 100).records.map(\.event.kind.text)
            }
            try expectEqual(try await told(of: Sample.ada, "account.*"), ["account.added", "account.changed"])
            try expectEqual(try await told(of: Sample.bob, "account.added"), ["account.added"])
            try expectEqual(try await told(of: nil, "my_account.*").count, 2)
            try expectEqual(try await told(of: nil, "account_.*"), [])
            let newest = try await store.newestEvents(of: Sample.ref(Sample.bob), limit: 2)
            try expectEqual(newest.map(\.event.kind.text), ["my_account.added", "account.changed"])
        },
        Case("events are found by the holder's reference within one tenant") { store in
            try await store.save(Sample.marketCatalog)
            for (tenant, ref) in [(Sample.acme, "a"), (Sample.acme, "b"), (Sample.bolt, "a"), (Sample.acme, "a")] {
                let facts = [Reason.Evidence(Event.holderRefName, .text(ref))]
                try await store.save([
                    .event(
                        Event(.licenseChanged, at: Sample.now, actor: .time, about: .init(tenant: tenant), facts: facts)
                    )
                ])
            }
            func numbers(_ filter: EventFilter) async throws -> [Int64] {
                try await store.eventPage(filter, after: 0, limit: 100).records.map(\.sequence)
            }
            try expectEqual(try await numbers(EventFilter(tenant: Sample.acme, holderRef: "a")), [1, 3])
            try expectEqual(try await numbers(EventFilter(tenant: Sample.bolt, holderRef: "a")), [1])
            try expectEqual(try await numbers(EventFilter(tenant: Sample.bolt, holderRef: "b")), [])
            try expectEqual(
                try await numbers(EventFilter(tenant: Sample.acme, account: Sample.ada, holderRef: "a")), [])
        },
        Case("ids that an event doesn't have are stored as null and read back as absent") { store in
            let table = EventRecord.table.shape
            for (number, (subject, columns)) in subjects.enumerated() {
                let event = Event(.licenseChanged, at: Sample.now, actor: .time, about: subject)
                let row = EventRecord(sequence: Int64(number) + 1, event: event).stored
                var stored: [String: StoredValue] = [:]
                for column in table.columns where nothing[column.name] != nil {
                    stored[column.name] = table.value(of: column, in: row)
                }
                try expectEqual(stored, nothing.merging(columns) { _, own in own })
                try await store.adopt([row], of: table)
            }
            let found = try await store.list(Listing(EventRecord.table.all, limit: 100))
            try expectEqual(found.map(\.event.subject), subjects.map(\.0))
        },
    ]

    /// The columns of an event whose subject names only a tenant.
    private static let nothing: [String: StoredValue] = [
        "tenant": .of(Sample.acme), "product": .null, "app": .null, "account": .null, "license_id": .null,
        "activation_id": .null,
    ]

    private static let subjects: [(Event.Subject, columns: [String: StoredValue])] = [
        (Event.Subject(tenant: Sample.acme), [:]),
        (Event.Subject(Sample.notes), ["product": .of(Sample.notes.product)]),
        (
            Event.Subject(Sample.notes, license: Sample.id(5), activation: Sample.activationID(1)),
            [
                "product": .of(Sample.notes.product), "license_id": .integer(5),
                "activation_id": Sample.activationID(1).storedValue,
            ]
        ),
        (
            Event.Subject(tenant: Sample.acme, app: Sample.game, license: Sample.id(2)),
            ["app": .of(Sample.game), "license_id": .integer(2)]
        ),
        (
            Event.Subject(Sample.ref(Sample.ada), app: Sample.game, license: Sample.id(1)),
            ["account": .of(Sample.ada), "app": .of(Sample.game), "license_id": .integer(1)]
        ),
        (Event.Subject(Sample.ref(Sample.ada)), ["account": .of(Sample.ada)]),
    ]
}
