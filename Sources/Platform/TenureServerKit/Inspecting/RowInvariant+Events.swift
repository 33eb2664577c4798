import TenureCore
import TenureStore

extension RowInvariant {
    /// Events are valid and refer to existing records, and records have the events that they need.
    static func events(_ inspection: Inspection, of features: FeatureSet) -> RowInvariant {
        let records = features.records.map { $0.filter { $0.table != nil } }.filter { !$0.isEmpty }
        var (restored, wasRestored): (TenantID?, Bool) = (nil, false)
        let references = records.map { kinds in
            let (column, number) = (kinds[0].column, kinds[0].number)
            var moved: Set<Int64> = []
            return RowRule<EventRecord>(
                column, .changing([column: 5], where: [column: .present])
            ) { record, inspection in
                guard restored != record.event.subject.tenant, let number = number(record.event.subject),
                    kinds.allSatisfy({ $0.table.map { inspection.isWhole($0) } ?? true }),
                    !inspection.knows(kinds[0].name, number, of: record.event.subject.tenant)
                else { return nil }
                guard inspection.knows(kinds[0].name, number) else {
                    return "refers to \(kinds[0].article) that doesn't exist"
                }
                // Reported once for each record: a record that was moved to another tenant has many events in its
                // former tenant.
                return moved.insert(number).inserted ? "refers to \(kinds[0].article) of another tenant" : nil
            }
        }
        let rules: [RowRule<EventRecord>] = [
            .notFuture("at") { $0.event.at },
            RowRule("kind", ["kind": "license.eaten"]) { record, _ in
                features.registry.fault(in: record.event).map { "is not a valid event: \($0)" }
            },
        ]
        return RowInvariant(
            EventRecord.self, in: inspection, named: { $0.name }, rules + references,
            note: { record in
                if record.event.kind == .storeRestored {
                    (restored, wasRestored) = (record.event.subject.tenant, true)
                }
                inspection.meet(record.event)
            },
            end: {
                // A restore may carry over records without the events that explain them.
                if !wasRestored { inspection.tellOwed(in: EventRecord.table.shape) }
            })
    }

    /// The event numbers of a tenant have no gaps, except before a restore, and end with the counter's number.
    static func eventNumbers(_ inspection: Inspection) -> [RowInvariant] {
        var counters: [TenantID: Int64] = [:]
        var (tenant, before, last): (TenantID?, Int64, Int64) = (nil, 0, 0)
        let events = EventRecord.table.shape
        func end() {
            guard let tenant else { return }
            let counted = counters.removeValue(forKey: tenant) ?? 0
            if counted > last {
                inspection.tell(events, "\(tenant) \(last + 1) to \(counted)", nil, "the last events are missing")
            } else if counted < last {
                inspection.tell(EventCounter.table.shape, tenant.text, "last", "is below the event's number \(last)")
            }
        }
        let counter = RowInvariant(
            EventCounter.self, in: inspection, named: { $0.tenant.text },
            [.not("last", "is less than 1", ["last": 0]) { $0.last < 1 }],
            note: { counters[$0.tenant] = $0.last },
            damages: [
                Damage(of: EventCounter.self, .changing(["last": 1], all: true), column: "last"),
                Damage(of: EventCounter.self, .deleting(), column: "last"),
            ])
        let numbers = RowInvariant(
            EventRecord.self, in: inspection, named: { $0.name },
            [
                RowRule("sequence", .deleting(where: ["sequence": 2], all: true)) { record, _ in
                    record.sequence != before + 1 && record.event.kind != .storeRestored
                        ? "doesn't follow number \(before): the events between them are missing" : nil
                }
            ],
            note: { record in
                if record.event.subject.tenant != tenant {
                    end()
                    (tenant, last) = (record.event.subject.tenant, 0)
                }
                (before, last) = (last, record.sequence)
            },
            damages: [
                Damage(of: EventRecord.self, .deleting()), Damage(of: EventRecord.self, .deleting(all: true)),
            ],
            end: {
                end()
                for (tenant, number) in counters.sorted(by: { $0.key < $1.key }) where number > 0 {
                    inspection.tell(events, "\(tenant) 1 to \(number)", nil, "the tenant's events are missing")
                }
            })
        return [counter, numbers]
    }
}

extension EventRecord {
    fileprivate var name: String { "\(event.subject.tenant) \(sequence)" }
}
