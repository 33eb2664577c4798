import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let copies: [Case] = [
        Case("a store that adopts another store's rows has the same contents") { store, subject in
            try await store.save(Sample.everything)
            try await subject.withAnother { copy in
                try await copy.adopt(try await store.pages())
                try expectEqual(try await copy.contents(), try await store.contents())
                try expectEqual(try await copy.catalog(), try await store.catalog())
                try expectEqual(try await copy.census(), try await store.census())
                try expectEqual(try await copy.faults(), [])
            }
        },
        Case("adopting rows again changes nothing, and adopting newer rows updates them") { store, subject in
            try await store.save(Sample.everything)
            try await subject.withAnother { copy in
                let first = try await store.pages()
                try await copy.adopt(first + first)
                try expectEqual(try await copy.contents(), try await store.contents())
                let released = Sample.activation(
                    1, of: Sample.id(1), identity: .machine("ab"), released: Sample.now.adding(days: 1))
                try await store.save([
                    .activation(released), .license(Sample.license(1, key: 77, state: .suspended)),
                    .event(Sample.event(.licenseSuspended, of: Sample.id(1))), .setting(name: "check", value: [9]),
                ])
                try await copy.adopt(try await store.pages())
                try expectEqual(try await copy.contents(), try await store.contents())
            }
        },
        Case("a snapshot's pages of a table contain as many rows as the snapshot counts, ordered by key") { store in
            try await store.save(Sample.everything)
            let others = TableSample.all.filter { ["key_roots", "mails"].contains($0.table.name) }
            for sample in TableSample.contents + TableSample.appStoreConnect + TableSample.selling + others {
                try await store.adopt(sample.rows, of: sample.table)
            }
            try await store.withSnapshot { snapshot in
                for table in StoreSchema.tenure.tables {
                    let rows = try await snapshot.pages(of: table).flatMap(\.rows)
                    try expectEqual(try await snapshot.count(of: table), rows.count)
                    try expect(!rows.isEmpty, "\(table.name) has no row")
                    let keys = rows.map { table.key(of: $0) }
                    try expectEqual(keys, keys.sorted())
                }
            }
        },
        Case("a snapshot of an empty store contains only the catalog's version, which is 0") { store in
            let rows = try await store.contents().filter { !$0.value.isEmpty }
            try expectEqual(rows, ["catalog_version": [[.integer(0)]]])
            try await store.withSnapshot { snapshot in
                for table in StoreSchema.tenure.tables where !table.keyColumns.isEmpty {
                    try expectEqual(try await snapshot.count(of: table), 0)
                }
            }
        },
        Case("tables of several pages are copied completely") { store, subject in
            let many = pageSize + 1
            let license = Sample.id(1)
            let names = (0..<many).map { Sample.account("account \($0)") }
            try await store.saveCatalog(and: Sample.marketCatalog)
            // The rows are saved table by table, because one change is made for a request and not for a whole store.
            let filled: [[Put]] = [
                (0..<many).map { .license(Sample.license($0)) },
                (0..<many).map { .activation(Sample.activation($0, of: license)) },
                (0..<2 * pageSize).map { _ in .event(Sample.event(.licenseChanged, of: license)) },
                (0..<many).map { .trial(Sample.trial($0)) },
                (0..<many).map { .licenseCredential(Sample.licenseCredential($0)) },
                (0..<many).map { .remember(Sample.answer($0)) },
                (0..<many).map { .job(Sample.job($0)) },
                names.map { .account(Account(ref: Sample.ref($0), createdAt: Sample.now)) },
                names.enumerated().map { .credential(Sample.credential($0, of: $1)) },
                names.map { .appGrant(Sample.grant(to: $0)) },
                names.enumerated().map { .appLicense(Sample.appLicense(Int64($0), account: $1)) },
                (0..<many).map { .appAsset(Sample.asset(Sample.assetRef("\($0)"))) },
            ]
            for rows in filled { try await store.save(rows) }
            let pages = try await store.pages()
            let counts = Dictionary(grouping: pages, by: \.table.name).mapValues { $0.map(\.rows.count).reduce(0, +) }
            let expected = [
                "licenses": many, "activations": many, "events": 2 * pageSize, "answers": many, "trials": many,
                "jobs": many,
                "license_credentials": many, "app_assets": many, "credentials": many, "app_grants": many,
                // The sample catalog contains two more accounts.
                "app_licenses": many, "accounts": many + 2,
            ]
            for (name, count) in expected { try expectEqual(counts[name], count) }
            try expectEqual(pages.map(\.rows.count).filter { $0 > pageSize }, [])
            try await subject.withAnother { copy in
                try await copy.adopt(pages)
                try expectEqual(try await copy.contents(), try await store.contents())
            }
        },
        Case("a snapshot doesn't contain rows that were written after it was taken") { store in
            try await store.save(Sample.everything)
            let before = try await store.contents()
            try await store.withSnapshot { snapshot in
                try await store.save([
                    .license(Sample.license(90)), .setting(name: "check", value: [9]),
                    .event(Sample.event(.licenseIssued, of: Sample.id(90))),
                ])
                var found: [String: [[StoredValue]]] = [:]
                for table in StoreSchema.tenure.tables {
                    found[table.name] = try await snapshot.pages(of: table).flatMap(\.values)
                    try await store.save([.setting(name: "later than \(table.name)", value: [])])
                }
                try expectEqual(found, before)
            }
            try expect(try await store.contents() != before, "nothing was written after the snapshot was taken")
        },
        Case("event numbers and catalog versions continue after the adopted ones") { store, subject in
            try await store.save(Sample.everything)
            for _ in 0..<3 { try await store.save([.event(Sample.event(.licenseRenewed, of: Sample.id(1)))]) }
            try await store.save([.tenant(id: Sample.acme, name: "Acme again")])
            let latest =
                try await store.events(EventFilter(tenant: Sample.acme), after: 0, limit: 1_000).last?.sequence ?? 0
            let version = try await store.catalogVersion()
            try await subject.withAnother { copy in
                try await copy.adopt(try await store.pages())
                try await copy.save([
                    .event(Sample.event(.licenseChanged, of: Sample.id(1))),
                    .tenant(id: Sample.acme, name: "Acme once more"),
                ])
                let new = try await copy.events(EventFilter(tenant: Sample.acme), after: latest, limit: 10)
                try expectEqual(new.map(\.event.kind), [.licenseChanged])
                try expectEqual(new.map(\.sequence), [latest + 1])
                try expectEqual(try await copy.catalogVersion(), version + 1)
            }
        },
        Case("adopting a page with a duplicate key fails and changes nothing") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            let before = try await store.contents()
            try await expectFailure(.taken, of: "licenses.by_key") {
                try await store.adopt(
                    [Sample.license(2).stored, Sample.license(3, key: 1).stored], of: License.table.shape)
            }
            try expectEqual(try await store.contents(), before)
        },
        Case("reading an ended snapshot and taking one of a closed store both fail") { store in
            try await store.saveCatalog()
            let snapshot = try await store.snapshot()
            await snapshot.end()
            await snapshot.end()
            let table = TenantRow.table.shape
            try await expectFailure(.closed) { _ = try await snapshot.page(of: table, after: nil, limit: 1) }
            try await expectFailure(.closed) { _ = try await snapshot.count(of: table) }
            await store.close()
            try await expectFailure(.closed) { _ = try await store.snapshot() }
            try await expectFailure(.closed) { try await store.adopt([], of: table) }
        },
        Case("a setting can be removed") { store in
            try await store.save([.setting(name: "a", value: [1]), .setting(name: "b", value: [2])])
            try await store.save([.setting(name: "a", value: nil), .setting(name: "never set", value: nil)])
            try expectEqual(try await store.setting("a"), nil)
            try expectEqual(try await store.setting("b"), [2])
        },
    ]

    private static let pageSize = 5_000
}

extension StoreContract.Subject {
    /// Runs `body` with another empty store, which is closed afterwards.
    fileprivate func withAnother(_ body: (any Store) async throws -> Void) async throws {
        let store = try await makeEmpty()
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}

extension Sample {
    /// Rows of most tables, with each kind of row.
    fileprivate static let everything: [Put] =
        marketCatalog + [
            .setting(name: "check", value: [0, 1, 255]), .setting(name: "Zeta", value: []),
            .setting(name: "älter", value: [7]),
            .signingKey(signingKey("k2", status: .retiring, at: now)),
            .signingKey(signingKey("K1", status: .primary, at: now.adding(days: 1))),
            .preparedKey(
                SigningKeyRecord.Prepared(tenant: bolt, kid: "k1", publicKey: [1], sealedSeed: [2], createdAt: now)),
            .preparedKey(
                SigningKeyRecord.Prepared(tenant: acme, kid: "k3", publicKey: [0], sealedSeed: [255], createdAt: now)),
            .token(token("tok_b", number: 1, revokedAt: nil)), .token(token("tok_Ab", number: 2, revokedAt: now)),
        ]
        + LifecycleState.allCases.enumerated().map { number, state in
            .license(license(number + 1, holder: number == 2 ? nil : "hölder\n\(number)", end: now, state: state))
        }
        + [
            .license(license(50, product: boltNotes, policy: team, firstActivatedAt: now)),
            .formerKey(formerKey(300, of: boltNotes, license: id(50))),
            .formerKey(formerKey(299, of: notes, license: id(1), activatedBefore: now)),
            .activation(activation(1, of: id(1), identity: .machine("ab"))),
            .activation(
                activation(2, of: id(1), identity: .attempt(name: "ä:b", request: "r"), released: now, by: .holder)),
            .activation(activation(3, of: id(50))), .lastSeen(LastSeen(activationID(1), at: now)),
            .event(event(.licenseIssued, of: id(1))),
            .event(
                Event(
                    .activationCreated, at: now, actor: .operator("tok_b"),
                    about: .init(boltNotes, license: id(50), activation: activationID(3)),
                    facts: [.init("end", .date(now)), .init("text", .text("\u{1} ü"))])),
            .job(job(300)), .job(job(2, state: .failed)), .leader(LeaderTerm(role: .expirySweep, term: 7)),
            .tenantVersion(TenantVersion(tenant: acme, version: 3)),
            .tenantVersion(TenantVersion(tenant: bolt, version: 0)),
            .remember(answer(300)), .remember(answer(2)), .trial(trial(300)), .trial(trial(2, of: boltNotes)),
            .trialDevice(trialDevice(300, "Mia’s Mac")), .trialDevice(trialDevice(2, "", of: boltNotes)),
            .licenseCredential(licenseCredential(300)),
            .licenseCredential(licenseCredential(2, kind: .session, endedAt: now)),
            .appAsset(asset(assetRef("B"))), .appAsset(asset(assetRef("a"), keyBlob: nil, kind: .delta)),
            .appAsset(asset(assetRef(item: chess))), .marketplaceKey(marketplaceKey("k2", .signing)),
            .marketplaceKey(marketplaceKey("K1", .signing, sealed: nil)), .marketplaceKey(marketplaceKey("k", .pask)),
            .credential(credential(300, kind: .token)), .credential(credential(2, expiresAt: now, endedAt: now)),
            .signIn(signIn(300)), .signIn(signIn(2, of: bob)),
            .appGrant(grant(chess, to: bob, end: now)), .appGrant(grant(endedAt: now)),
            .appLicense(appLicense(8, end: now, state: .suspended, failedAt: now, isReplaced: true)),
            .appLicense(appLicense(7, item: chess, account: nil, request: .max)),
            .event(
                Event(.appLicenseIssued, at: now, actor: .device, about: .init(ref(bob), app: game, license: id(7)))),
            .event(Event(.accountAdded, at: now, actor: .account(ada), about: .init(ref(ada)))),
        ]

    private static func trialDevice(_ device: Int, _ name: String, of product: ProductRef = notes) -> Trial.Device {
        Trial.Device(
            product: product, device: hash(device), name: name, system: DeviceSystem(name: "macOS", version: nil),
            reportedAt: now, retainedUntil: now.adding(days: 104))
    }

    private static func formerKey(
        _ number: Int, of product: ProductRef, license: LicenseID, activatedBefore: Timestamp? = nil
    ) -> FormerKey {
        FormerKey(
            product: product, key: LicenseKey(hash: hash(number), masked: "NOTE-****-AB12"), license: license,
            replacedAt: now, replacedBy: .operator("tok_b"), activatedBefore: activatedBefore)
    }

    fileprivate static func token(_ id: String, number: Int, revokedAt: Timestamp?) -> TokenRecord {
        TokenRecord(
            id: id, tenant: acme, name: "Überwachung", scopes: ["licenses:read", "licenses:write"],
            hash: hash(number), createdAt: now, expiresAt: number == 1 ? now.adding(days: 1) : nil,
            revokedAt: revokedAt)
    }
}
