import TenureCore
import TenureStore

extension RowInvariant {
    /// The invariants of the tables that don't belong to a feature.
    static func server(_ inspection: Inspection, of features: FeatureSet) -> [RowInvariant] {
        [
            tenantVersions(inspection), settings(inspection), tokens(inspection, of: features), answers(inspection),
            leaders(inspection), jobs(inspection), events(inspection, of: features),
            RowInvariant(TenantRow.self, exempt: "A tenant is an id, a name and a language."),
            RowInvariant(CatalogVersion.self, exempt: "Its only row is counted."),
        ] + eventNumbers(inspection) + lostEvents(inspection)
    }

    private static func tenantVersions(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            TenantVersion.self, in: inspection, named: { "\($0.tenant)" },
            [.not("version", "is negative", ["version": -1]) { $0.version < 0 }])
    }

    private static func settings(_ inspection: Inspection) -> RowInvariant {
        var found: Set<String> = []
        let (seen, table) = (ClockWatch.Mark.seenName, SettingRecord.table.shape)
        let ofSeen: [String: Violation.Value] = ["name": .value(.text(seen))]
        let secrets = StoreSecrets.Setting.allCases.map(\.rawValue)
        let lasting = secrets + [StoreID.setting]
        return RowInvariant(
            SettingRecord.self, in: inspection, named: \.name,
            [
                .not("value", "is not a number of seconds", .changing(["value": .bytes("soon")], where: ofSeen)) {
                    ClockWatch.Mark.numbers.contains($0.name) && ClockWatch.Mark.time($0.value) == nil
                },
                .not(
                    "value", "is not a reading of both clocks",
                    .changing(
                        ["name": .value(.text(ClockWatch.Mark.readingName)), "value": .bytes("soon")], where: ofSeen)
                ) { $0.name == ClockWatch.Mark.readingName && HostReading($0.value) == nil },
                RowRule("value", .changing(["value": .bytes("9999999999")], where: ofSeen)) { setting, inspection in
                    setting.name == seen && inspection.isFuture(ClockWatch.Mark.time(setting.value))
                        ? "is in the future" : nil
                },
                .not(
                    "value", "is not a number",
                    .changing(["name": .value(.text(EventFloor.setting)), "value": .bytes("soon")], where: ofSeen)
                ) { $0.name == EventFloor.setting && EventFloor($0) == nil },
                .not(
                    "value", "is not a record of lost events",
                    .changing(["name": .value(.text(RewoundStore.setting)), "value": .bytes("soon")], where: ofSeen)
                ) { $0.name == RewoundStore.setting && RewoundStore($0.value) == nil },
                .not(
                    "name", "marks the store as an unfinished copy of another one",
                    .changing(["name": .value(.text(UnfinishedCopy.setting))], where: ofSeen)
                ) { $0.name == UnfinishedCopy.setting },
                .decrypts(where: ["name": .value(.text(secrets[0]))]),
            ],
            note: { found.insert($0.name) },
            damages: ([MasterKey.checkValueSetting] + lasting).map { name in
                Damage(of: SettingRecord.self, .deleting(where: ["name": .value(.text(name))]))
            },
            end: {
                if !found.contains(MasterKey.checkValueSetting) {
                    inspection.tell(
                        table, MasterKey.checkValueSetting, nil,
                        "is missing, so another master key wouldn't be noticed")
                }
                for name in lasting where !found.contains(name) {
                    inspection.tell(table, name, nil, "is missing; a backup has it")
                }
            })
    }

    private static func tokens(_ inspection: Inspection, of features: FeatureSet) -> RowInvariant {
        RowInvariant(
            TokenRecord.self, in: inspection, named: \.id,
            [
                .not("id", "is not a token id", ["id": "key_1"]) { !$0.id.hasPrefix("tok_") },
                .not("scopes", "names none", ["scopes": ""]) { $0.scopes.isEmpty },
                RowRule("scopes", ["scopes": "moon:read"]) { token, _ in
                    token.scopes.first { !features.scopes.contains($0) }.map { "names the unknown scope \($0)" }
                },
                .not(
                    "scopes", "is not sorted, or lists a scope twice", ["scopes": "licenses:write licenses:read"]
                ) { $0.scopes != Set($0.scopes).sorted() },
                .notFuture("created_at") { $0.createdAt },
                .notFuture("revoked_at") { $0.revokedAt },
                .endsAfterStart("expires_at", from: "created_at") { ($0.expiresAt, $0.createdAt) },
                .notBefore("revoked_at", "the start") { ($0.revokedAt, $0.createdAt) },
            ])
    }

    private static func answers(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            IdempotentResponse.self, in: inspection, named: { "of \($0.at)" },
            [
                .notFuture("at") { $0.at },
                .not("records", "is not a list of ids", ["records": .bytes("none")]) { $0.records.count % 8 != 0 },
                .decrypts(),
            ])
    }

    private static func leaders(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            LeaderTerm.self, in: inspection, named: { "\($0.role)" },
            [.not("term", "is less than 1", ["term": 0]) { $0.term < 1 }])
    }

    private static func jobs(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            Job.self, in: inspection, named: \.id,
            [
                .not("attempt", "is negative", ["attempt": -1]) { $0.attempt < 0 },
                .not("failures", "is negative", ["failures": -1]) { $0.failures < 0 },
                .not(
                    "failure", "is missing for a job that failed", ["state": "failed", "failure": nil]
                ) { $0.state == .failed && $0.failure == nil },
            ])
    }
}
