import TenureCore
import TenureStore

extension RowInvariant {
    /// The invariants of the tables that belong to no feature.
    static func server(_ inspection: Inspection, of features: FeatureSet) -> [RowInvariant] {
        [
            tenantVersions(inspection), settings(inspection), tokens(inspection, of: features), answers(inspection),
            leaders(inspection), jobs(inspection), events(inspection, of: features),
        ] + eventNumbers(inspection)
    }

    private static func tenantVersions(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(TenantVersion.self, in: inspection, named: { "\($0.tenant)" }) { row, tell in
            if row.version < 0 { tell("version", "is negative") }
        }
    }

    private static func settings(_ inspection: Inspection) -> RowInvariant {
        var hasCheck = false
        return RowInvariant(
            SettingRecord.self, in: inspection, named: \.name,
            end: {
                if !hasCheck {
                    inspection.tell(
                        SettingRecord.table.shape, MasterKey.checkValueSetting, nil,
                        "is missing, so another master key wouldn't be noticed")
                }
            }
        ) { setting, tell in
            if setting.name == MasterKey.checkValueSetting { hasCheck = true }
            if ClockWatch.Mark.names.contains(setting.name), ClockWatch.Mark.moment(setting.value) == nil {
                tell("value", "is not a number of seconds")
            }
            if setting.name == ClockWatch.Mark.seenName, inspection.isFuture(ClockWatch.Mark.moment(setting.value)) {
                tell("value", "is in the future")
            }
            if setting.name == EventFloor.setting, EventFloor(setting) == nil { tell("value", "is not a number") }
            if setting.name == UnfinishedCopy.setting {
                tell("name", "marks the store as an unfinished copy of another one")
            }
        }
    }

    private static func tokens(_ inspection: Inspection, of features: FeatureSet) -> RowInvariant {
        RowInvariant(TokenRecord.self, in: inspection, named: \.id) { token, tell in
            if !token.id.hasPrefix("tok_") { tell("id", "is not a token id") }
            if token.scopes.isEmpty { tell("scopes", "names none") }
            for scope in token.scopes where !features.scopes.contains(scope) {
                tell("scopes", "names the unknown scope \(scope)")
            }
            if token.scopes != Set(token.scopes).sorted() { tell("scopes", "is not sorted, or lists a scope twice") }
            if inspection.isFuture(token.createdAt) { tell("created_at", "is in the future") }
            if inspection.isFuture(token.revokedAt) { tell("revoked_at", "is in the future") }
            if let end = token.expiresAt, end <= token.createdAt { tell("expires_at", "is not after the start") }
            if inspection.isBefore(token.revokedAt, token.createdAt) { tell("revoked_at", "is before the start") }
        }
    }

    private static func answers(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(IdempotentResponse.self, in: inspection, named: { "of \($0.at)" }) { answer, tell in
            if inspection.isFuture(answer.at) { tell("at", "is in the future") }
            if let master = inspection.master, (try? master.open(sealedAnswer: answer.sealed, to: answer.key)) == nil {
                tell("sealed", "can't be decrypted with the master key")
            }
        }
    }

    private static func leaders(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(LeaderTerm.self, in: inspection, named: { "\($0.role)" }) { row, tell in
            if row.term < 1 { tell("term", "is less than 1") }
        }
    }

    private static func jobs(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(Job.self, in: inspection, named: \.id) { job, tell in
            if job.attempt < 0 { tell("attempt", "is negative") }
            if job.failures < 0 { tell("failures", "is negative") }
            if job.state == .failed, job.failure == nil { tell("failure", "is missing for a job that failed") }
        }
    }

    private static func events(_ inspection: Inspection, of features: FeatureSet) -> RowInvariant {
        let records = features.records.map { $0.filter { $0.table != nil } }
        var (restored, wasRestored): (TenantID?, Bool) = (nil, false)
        return RowInvariant(
            EventRecord.self, in: inspection, named: { $0.name },
            end: {
                // A restore records one event for all that it carries over, so the individual events are missing.
                if !wasRestored { inspection.tellOwed(in: EventRecord.table.shape) }
            }
        ) { record, tell in
            let (event, subject) = (record.event, record.event.subject)
            if event.kind == .storeRestored { (restored, wasRestored) = (subject.tenant, true) }
            if inspection.isFuture(event.at) { tell("at", "is in the future") }
            if let fault = features.registry.fault(in: event) { tell("kind", "is not a valid event: \(fault)") }
            inspection.meet(event)
            if restored == subject.tenant { return }
            for kinds in records {
                guard let kind = kinds.first, let number = kind.number(subject),
                    kinds.allSatisfy({ $0.table.map { inspection.isWhole($0) } ?? true }),
                    !inspection.knows(kind.name, number)
                else { continue }
                tell(kind.column, "refers to \(kind.article) that doesn't exist")
            }
        }
    }

    /// The events of a tenant have all numbers from 1 to its counter's, except before a restoration.
    private static func eventNumbers(_ inspection: Inspection) -> [RowInvariant] {
        var counters: [TenantID: Int64] = [:]
        var (tenant, last): (TenantID?, Int64) = (nil, 0)
        func end() {
            guard let tenant else { return }
            let counted = counters.removeValue(forKey: tenant) ?? 0
            if counted > last {
                inspection.tell(
                    EventRecord.table.shape, "\(tenant) \(last + 1) to \(counted)", nil, "the last events are missing")
            } else if counted < last {
                inspection.tell(EventCounter.table.shape, tenant.text, "last", "is below the event's number \(last)")
            }
        }
        let counter = RowInvariant(EventCounter.self, in: inspection, named: { $0.tenant.text }) { row, tell in
            counters[row.tenant] = row.last
            if row.last < 1 { tell("last", "is less than 1") }
        }
        let numbers = RowInvariant(
            EventRecord.self, in: inspection, named: { $0.name },
            end: {
                end()
                for (tenant, number) in counters.sorted(by: { $0.key < $1.key }) where number > 0 {
                    inspection.tell(
                        EventRecord.table.shape, "\(tenant) 1 to \(number)", nil, "the tenant's events are missing")
                }
            }
        ) { record, tell in
            if record.event.subject.tenant != tenant {
                end()
                (tenant, last) = (record.event.subject.tenant, 0)
            }
            if record.sequence != last + 1, record.event.kind != .storeRestored {
                tell("sequence", "doesn't follow number \(last): the events between them are missing")
            }
            last = record.sequence
        }
        return [counter, numbers]
    }
}

extension EventRecord {
    fileprivate var name: String { "\(event.subject.tenant) \(sequence)" }
}
