import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let roundTrips: [Case] = [
        Case("a license is read back unchanged in every state") { store in
            try await store.saveCatalog()
            for (index, state) in LifecycleState.allCases.enumerated() {
                let perpetual = index.isMultiple(of: 2)
                let license = Sample.license(
                    index, holder: perpetual ? nil : "adá@example.com\n\"x\" 🌍", end: perpetual ? nil : Sample.now,
                    state: state, firstActivatedAt: perpetual ? nil : Sample.now)
                try await store.save([.license(license)])
                try expectEqual(try await store.license(license.id), license)
            }
        },
        Case("the smallest and largest ids and times are read back unchanged") { store in
            try await store.saveCatalog()
            let long = License(
                id: Sample.id(.max), product: Sample.notes, key: LicenseKey(hash: Sample.hash(1), masked: ""),
                terms: LicenseTerms(policy: Sample.pro, holder: "", term: .perpetual(from: Timestamp(seconds: .min))),
                recordedState: .issued, issuedAt: Timestamp(seconds: .max), firstActivatedAt: nil)
            let activation = Activation(
                id: ActivationID(high: .max, low: 0), license: Sample.id(0), identity: .anonymous, name: "",
                activatedAt: Timestamp(seconds: -1), releasedAt: nil)
            try await store.save([.license(long), .license(Sample.license(0)), .activation(activation)])
            try expectEqual(try await store.license(long.id), long)
            try expectEqual(try await store.activation(activation.id), activation)
        },
        Case("an activation is read back unchanged with every kind of device identity") { store in
            let license = Sample.license(1)
            try await store.saveCatalog(and: [.license(license)])
            let identities: [DeviceIdentity] = [
                .machine(String(repeating: "ab", count: 32)), .freeTier("tier: 1"), .attempt(name: "a:b", request: "c"),
                .attempt(name: "a", request: "b:c"), .attempt(name: "Ünï", request: ""), .anonymous,
            ]
            for (index, identity) in identities.enumerated() {
                let activation = Sample.activation(
                    index, of: license.id, identity: identity, released: index == 2 ? Sample.now : nil)
                try await store.save([.activation(activation)])
                try expectEqual(try await store.activation(activation.id), activation)
            }
        },
        Case("an activation's operating system is read back unchanged, with and without a version") { store in
            let license = Sample.license(1)
            try await store.saveCatalog(and: [.license(license)])
            let systems = [
                DeviceSystem(name: "macOS", version: "15.1"), DeviceSystem(name: "Arch Linux", version: nil), nil,
            ]
            for (index, system) in systems.enumerated() {
                let activation = Sample.activation(index, of: license.id, system: system)
                try await store.save([.activation(activation)])
                try expectEqual(try await store.activation(activation.id), activation)
            }
        },
        Case("an event is read back with its actor and facts unchanged") { store in
            let license = Sample.license(1)
            let facts: [Reason.Evidence] = [
                .init("text", .text("\"quoted\" \\ \u{1}\n ü 🌍")), .init("number", .number(.min)),
                .init("date", .date(Sample.now)), .init("number", .number(.max)),
            ]
            let events = [Actor.device, .time, .operator("tok_1: x")].map { actor in
                Event(
                    EventKind(told: "license.\(actor)"), at: Sample.now, actor: actor,
                    about: .init(
                        Sample.notes, license: license.id,
                        activation: actor == .device ? Sample.activationID(5) : nil),
                    facts: actor == .time ? [] : facts)
            }
            try await store.saveCatalog(and: [.license(license)] + events.map(Put.event))
            try expectEqual(
                try await store.events(EventFilter(tenant: Sample.acme), after: 0, limit: 10).map(\.event), events)
        },
        Case("the catalog is read back unchanged") { store in
            try await store.saveCatalog()
            var product = Product(
                ref: Sample.notes, name: "Notes", keyPrefix: Sample.prefix("NO2"), trialDays: 0, freeTier: true,
                sdkKeyHash: Sample.hash(9))
            let entitlements = ["b", "a", "pro:export"].compactMap { Entitlement($0) }
            let policy = Policy(
                id: Sample.pro, name: "Pro\t", duration: TermLength(days: 30), activationLimit: nil,
                entitlements: entitlements,
                fallbackAccess: true, leaseDays: 1, graceDays: 2,
                selfRelease: SelfRelease(cooldownDays: 0, perYear: 7))
            try await store.save([
                .tenant(id: Sample.acme, name: "ACME"), .product(product), .policy(policy, in: Sample.notes),
            ])
            let catalog = try await store.catalog()
            product.policies = [Sample.pro: policy, Sample.team: Policy(id: Sample.team, name: "Team")]
            try expectEqual(catalog[Sample.notes], product)
            try expectEqual(catalog.tenants[Sample.acme]?.name, "ACME")
            try expectEqual(catalog[Sample.draw]?.policies[Sample.pro], Policy(id: Sample.pro, name: "Pro"))
            try expectEqual(catalog.tenants.count, 2)
            try expectEqual(try await store.loadCatalog(), catalog)
        },
        Case("signing keys are read oldest first with every status, and the status can be changed") { store in
            try await store.saveCatalog()
            let keys = SigningKeyRecord.Status.allCases.enumerated().map { index, status in
                Sample.signingKey("k\(9 - index)", status: status, at: Sample.now.adding(seconds: Int64(index)))
            }
            try await store.save(keys.reversed().map(Put.signingKey))
            try expectEqual(try await store.signingKeys(), keys)
            let (plan, query) = (RowQueryPlans.signingKeys, RowQueryPlans.signingKeys.queries)
            try expectEqual(try await store.load(plan.bind(Sample.acme)) { results in results[query] }, keys)
            try expectEqual(try await store.load(plan.bind(Sample.bolt)) { results in results[query] }, [])
            var retired = keys[1]
            retired.status = .retired
            retired.publishedUntil = nil
            try await store.save([.signingKey(retired)])
            try expectEqual(try await store.signingKeys(), [keys[0], retired, keys[2]])
        },
        Case("tokens are listed oldest first, for one tenant or all, and can be revoked") { store in
            try await store.saveCatalog()
            func token(_ id: String, _ tenant: TenantID, _ number: Int, scopes: [String]) -> TokenRecord {
                TokenRecord(
                    id: id, tenant: tenant, name: "Überwachung", scopes: scopes, hash: Sample.hash(number),
                    createdAt: Sample.now.adding(seconds: Int64(number)),
                    expiresAt: number == 1 ? Sample.now.adding(days: 1) : nil, revokedAt: nil)
            }
            var first = token("tok_z", Sample.acme, 1, scopes: ["licenses:read", "licenses:write"])
            let second = token("tok_a", Sample.bolt, 2, scopes: [])
            try await store.save([.token(second), .token(first)])
            first.revokedAt = Sample.now
            try await store.save([.token(first)])
            try expectEqual(try await store.tokens(of: nil), [first, second])
            try expectEqual(try await store.tokens(of: Sample.acme), [first])
        },
        Case("a setting is read back unchanged, even if it is empty, and can be replaced") { store in
            try expectEqual(try await store.setting("check"), nil)
            try await store.save([.setting(name: "check", value: [0, 1, 255]), .setting(name: "empty", value: [])])
            try expectEqual(try await store.setting("check"), [0, 1, 255])
            try expectEqual(try await store.setting("empty"), [])
            try await store.save([.setting(name: "check", value: [2])])
            try expectEqual(try await store.setting("check"), [2])
        },
    ]
}
