import TenureCore
import TenureStore

extension StoreContract {
    static let copies: [Case] = [
        Case("what one store held, another holds as it was once it has adopted it") { store, subject in
            try await store.save(Sample.everything)
            try await subject.withAnother { copy in
                let pages = try await store.contents()
                for page in pages { try await copy.adopt(page) }
                try expectEqual(try await copy.contents(), pages)
                try expectEqual(try await copy.catalog(), try await store.catalog())
                try expectEqual(try await copy.census(), try await store.census())
                try expectEqual(try await copy.integrityFaults(), [])
            }
        },
        Case("adopting again changes nothing, and brings what has changed since up to date") { store, subject in
            try await store.save(Sample.everything)
            try await subject.withAnother { copy in
                let first = try await store.contents()
                for page in first + first { try await copy.adopt(page) }
                try expectEqual(try await copy.contents(), first)
                var released = Sample.activation(1, of: Sample.id(1), identity: .machine("ab"))
                released.lastSeenAt = Sample.now.adding(days: 1)
                try await store.save([
                    .activation(released), .license(Sample.license(1, key: 77, state: .suspended)),
                    .event(Sample.event(.licenseSuspended, of: Sample.id(1))), .setting(name: "check", value: [9]),
                ])
                let second = try await store.contents()
                for page in second { try await copy.adopt(page) }
                try expectEqual(try await copy.contents(), second)
            }
        },
        Case("a snapshot counts every part, and its pages hold as many rows, in order") { store in
            try await store.save(Sample.everything)
            let counts = try await store.withSnapshot { try await $0.counts() }
            var found: [StorePart: Int] = [:]
            let pages = try await store.contents()
            for page in pages { found[page.part, default: 0] += page.count }
            try expectEqual(found, counts)
            try expectEqual(counts.values.filter { $0 == 0 }, [])
            try expectEqual(pages.map(\.part), StorePart.allCases)
        },
        Case("a snapshot of an empty store has an empty catalog and nothing else") { store in
            try expectEqual(try await store.contents(), [.catalog(Catalog())])
            let counts = try await store.withSnapshot { try await $0.counts() }
            try expectEqual(counts, Dictionary(uniqueKeysWithValues: StorePart.allCases.map { ($0, 0) }))
        },
        Case("parts of many pages are copied whole") { store, subject in
            let many = StoreWalk.pageSize + 1
            let license = Sample.id(1)
            let names = (0..<many).map { Sample.account("account \($0)") }
            try await store.saveCatalog(
                and: (0..<many).map { .license(Sample.license($0)) }
                    + (0..<many).map { .activation(Sample.activation($0, of: license)) }
                    + (0..<2 * StoreWalk.pageSize).map { _ in .event(Sample.event(.licenseChanged, of: license)) }
                    + (0..<many).map { .trial(Sample.trial($0)) }
                    + (0..<many).map { .licenseCredential(Sample.licenseCredential($0)) }
                    + (0..<many).map { .remember(Sample.answer($0)) } + Sample.marketCatalog
                    + names.map { .account(Account(ref: Sample.ref($0), createdAt: Sample.now)) }
                    + names.enumerated().map { .credential(Sample.credential($0, of: $1)) }
                    + names.map { .appGrant(Sample.grant(to: $0)) }
                    + names.enumerated().map { .appLicense(Sample.appLicense(Int64($0), account: $1)) }
                    + (0..<many).map { .appAsset(Sample.asset(Sample.assetRef("\($0)"))) })
            let counts = try await store.withSnapshot { try await $0.counts() }
            let pages = try await store.contents()
            try expectEqual(counts[.licenses], many)
            try expectEqual(counts[.activations], many)
            try expectEqual(counts[.events], 2 * StoreWalk.pageSize)
            try expectEqual(counts[.answers], many)
            try expectEqual(counts[.trials], many)
            try expectEqual(counts[.licenseCredentials], many)
            // Two more are in the catalog of every sample.
            try expectEqual(counts[.accounts], many + 2)
            for part in [StorePart.appAssets, .credentials, .appGrants, .appLicenses] {
                try expectEqual(counts[part], many)
            }
            try expectEqual(pages.map(\.count).filter { $0 > StoreWalk.pageSize }, [])
            try await subject.withAnother { copy in
                for page in pages { try await copy.adopt(page) }
                try expectEqual(try await copy.contents(), pages)
            }
        },
        Case("a snapshot does not see what is written after it was taken") { store in
            try await store.save(Sample.everything)
            let before = try await store.contents()
            try await store.withSnapshot { snapshot in
                try await store.save([
                    .license(Sample.license(90)), .setting(name: "check", value: [9]),
                    .event(Sample.event(.licenseIssued, of: Sample.id(90))),
                ])
                var pages: [StorePage] = []
                while let page = try await snapshot.next() {
                    pages.append(page)
                    try await store.save([.setting(name: "later \(pages.count)", value: [])])
                }
                try expectEqual(pages, before)
            }
            try expect(try await store.contents() != before, "nothing was written after the snapshot was taken")
        },
        Case("events and catalog versions go on after those adopted") { store, subject in
            try await store.save(Sample.everything)
            for _ in 0..<3 { try await store.save([.event(Sample.event(.licenseRenewed, of: Sample.id(1)))]) }
            try await store.save([.tenant(id: Sample.acme, name: "Acme again")])
            let latest = try await store.census().latestEvent
            let version = try await store.catalogVersion()
            try await subject.withAnother { copy in
                for page in try await store.contents() { try await copy.adopt(page) }
                try await copy.save([
                    .event(Sample.event(.licenseChanged, of: Sample.id(1))),
                    .tenant(id: Sample.acme, name: "Acme once more"),
                ])
                let new = try await copy.events(EventFilter(), after: latest, limit: 10)
                try expectEqual(new.map(\.event.kind), [.licenseChanged])
                try expectEqual(try await copy.catalogVersion(), version + 1)
            }
        },
        Case("a page that cannot be adopted changes nothing") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            let before = try await store.contents()
            try await expectFailure(.keyTaken) {
                try await store.adopt(.licenses([Sample.license(2), Sample.license(3, key: 1)]))
            }
            try expectEqual(try await store.contents(), before)
        },
        Case("a snapshot that has ended is refused, and so is one of a closed store") { store in
            try await store.saveCatalog()
            let snapshot = try await store.snapshot()
            await snapshot.end()
            await snapshot.end()
            try await expectFailure(.closed) { _ = try await snapshot.next() }
            try await expectFailure(.closed) { _ = try await snapshot.counts() }
            await store.close()
            try await expectFailure(.closed) { _ = try await store.snapshot() }
            try await expectFailure(.closed) { try await store.adopt(.settings([])) }
        },
        Case("a setting can be removed") { store in
            try await store.save([.setting(name: "a", value: [1]), .setting(name: "b", value: [2])])
            try await store.save([.setting(name: "a", value: nil), .setting(name: "never set", value: nil)])
            try expectEqual(try await store.setting("a"), nil)
            try expectEqual(try await store.setting("b"), [2])
        },
    ]
}

extension StoreContract.Subject {
    /// Lends another empty store.
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

extension Store {
    /// Everything that the store holds now.
    fileprivate func contents() async throws -> [StorePage] {
        try await withSnapshot { snapshot in
            var pages: [StorePage] = []
            while let page = try await snapshot.next() { pages.append(page) }
            return pages
        }
    }

    fileprivate func withSnapshot<Result>(_ body: (any StoreSnapshot) async throws -> Result) async throws -> Result {
        let snapshot = try await snapshot()
        do {
            let result = try await body(snapshot)
            await snapshot.end()
            return result
        } catch {
            await snapshot.end()
            throw error
        }
    }
}

extension Sample {
    /// A store with rows in every part and every kind of them.
    fileprivate static let everything: [Write] =
        marketCatalog + [
            .setting(name: "check", value: [0, 1, 255]), .setting(name: "Zeta", value: []),
            .setting(name: "älter", value: [7]),
            .signingKey(signingKey("k2", standing: .retiring, at: now)),
            .signingKey(signingKey("K1", standing: .primary, at: now.adding(days: 1))),
            .token(token("tok_b", number: 1, revokedAt: nil)), .token(token("tok_Ab", number: 2, revokedAt: now)),
        ]
        + License.State.allCases.enumerated().map { number, state in
            .license(license(number + 1, holder: number == 2 ? nil : "hölder\n\(number)", end: now, state: state))
        }
        + [
            .license(license(50, product: boltNotes, policy: team, firstActivatedAt: now)),
            .activation(activation(1, of: id(1), identity: .machine("ab"))),
            .activation(
                activation(2, of: id(1), identity: .attempt(name: "ä:b", request: "r"), released: now, by: .holder)),
            .activation(activation(3, of: id(50))), .event(event(.licenseIssued, of: id(1))),
            .event(
                Event(
                    .activationCreated, at: now, product: boltNotes, license: id(50), activation: activationID(3),
                    actor: .operator("tok_b"), detail: [.init("end", .date(now)), .init("text", .text("\u{1} ü"))])),
            .remember(answer(300)), .remember(answer(2)), .trial(trial(300)), .trial(trial(2, of: boltNotes)),
            .licenseCredential(licenseCredential(300)),
            .licenseCredential(licenseCredential(2, kind: .session, endedAt: now)),
            .appAsset(asset(assetRef("B"))), .appAsset(asset(assetRef("a"), keyBlob: nil, kind: .delta)),
            .appAsset(asset(assetRef(item: chess))), .marketplaceKey(marketplaceKey("k2", .signing)),
            .marketplaceKey(marketplaceKey("K1", .signing, sealed: nil)), .marketplaceKey(marketplaceKey("k", .pask)),
            .credential(credential(300, kind: .token)), .credential(credential(2, expiresAt: now, endedAt: now)),
            .appGrant(grant(chess, to: bob, end: now)), .appGrant(grant(endedAt: now)),
            .appLicense(appLicense(8, end: now, state: .suspended, failedAt: now, isReplaced: true)),
            .appLicense(appLicense(7, item: chess, account: nil, request: .max)),
            .event(
                Event(.appLicenseIssued, at: now, tenant: acme, app: game, account: bob, license: id(7), actor: .device)
            ), .event(Event(.accountAdded, at: now, tenant: acme, account: ada, license: nil, actor: .account(ada))),
        ]

    fileprivate static func token(_ id: String, number: Int, revokedAt: Timestamp?) -> TokenRecord {
        TokenRecord(
            id: id, tenant: acme, name: "Überwachung", scopes: ["licenses:read", "licenses:write"],
            hash: hash(number), createdAt: now, expiresAt: number == 1 ? now.adding(days: 1) : nil,
            revokedAt: revokedAt)
    }
}
