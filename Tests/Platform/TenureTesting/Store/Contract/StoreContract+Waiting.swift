import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenureServerKit
package import TenureStore
import TenureThreads

extension StoreContract {
    static let waiting: [Case] = [
        Case("a change whose deadline passes while it waits isn't started, and other waiting changes are") { store in
            try await store.saveCatalog()
            let (isHeld, hasBegun) = (Monitor(true), Monitor(false))
            let first = Task.immediate {
                try await store.perform(
                    Transaction {
                        hasBegun.change { hasBegun in hasBegun = true }
                        isHeld.wait { isHeld in isHeld ? nil : () }
                        return TransactionResult(())
                    })
            }
            hasBegun.wait { hasBegun in hasBegun ? () : nil }
            let begun = Monitor<Set<String>>([])
            let ask = { @Sendable (name: String, deadline: SteadyTime) in
                try await Deadline.$current.withValue(deadline) {
                    try await store.perform(
                        Transaction {
                            begun.withLock { begun in _ = begun.insert(name) }
                            return TransactionResult(())
                        })
                }
            }
            let deadline = SteadyTime.now().advanced(by: .milliseconds(1))
            let late = Task.immediate { try await ask("late", deadline) }
            let inTime = Task.immediate { try await ask("in time", .now().advanced(by: .seconds(3_600))) }
            let _: Void? = Monitor(()).wait(until: deadline) { _ in nil }
            isHeld.change { isHeld in isHeld = false }
            try await expectFailure(.busy) { try await late.value }
            try await inTime.value
            try await first.value
            try expectEqual(begun.withLock { begun in begun }, ["in time"])
        },
        Case("a read or a change past its deadline is refused as busy") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            for question in queries + lists {
                try await question.ask(store)
                try await Deadline.$current.withValue(.now()) {
                    try await expectFailure(.busy) { try await question.ask(store) }
                }
            }
            try await Deadline.$current.withValue(.now()) {
                try await expectFailure(.busy) { try await store.save([.license(Sample.license(2))]) }
            }
            try expectEqual(try await store.license(Sample.id(2)), nil)
        },
    ]

    /// A named read from a store, for tests that concern every kind of read.
    package struct Question: Sendable {
        /// The data that is read, such as `an account`.
        package let name: String
        /// Performs the read and discards the result.
        package let ask: @Sendable (any Store) async throws -> Void

        init(_ name: String, _ ask: @escaping @Sendable (any Store) async throws -> Void) {
            self.name = name
            self.ask = ask
        }
    }

    /// The reads of ordinary requests: a few rows by their keys.
    private static let queries = [
        Question("a validation") { store in
            _ = try await store.validation(of: Sample.activationID(1), for: Sample.hash(1), in: Sample.notes)
        },
        Question("the catalog's version") { store in _ = try await store.catalogVersion() },
        Question("an account") { store in _ = try await store.account(Sample.ref(Sample.ada)) },
        Question("an app license") { store in _ = try await store.appLicense(Sample.id(9)) },
    ]

    /// Reads that may take long, so no engine may perform them on the calling thread.
    package static let lists = [
        Question("the catalog") { store in _ = try await store.catalog() },
        Question("signing keys") { store in _ = try await store.signingKeys() },
        Question("tokens") { store in _ = try await store.tokens(of: Sample.acme) },
        Question("licenses") { store in
            _ = try await store.licenses(LicenseFilter(now: Sample.now), after: nil, limit: 10)
        },
        Question("activations") { store in
            _ = try await store.activations(of: Sample.id(1), includingReleased: true)
        },
        Question("events") { store in _ = try await store.events(EventFilter(tenant: Sample.acme), after: 0, limit: 10)
        },
        Question("marketplace keys") { store in _ = try await store.marketplaceKeys() },
        Question("accounts") { store in _ = try await store.accounts(of: Sample.acme, after: nil, limit: 10) },
        Question("app grants") { store in _ = try await store.appGrants(of: Sample.ref(Sample.ada)) },
        Question("app licenses") { store in
            _ = try await store.appLicenses(AppLicenseFilter(now: Sample.now), after: nil, limit: 10)
        },
        Question("renewal risk") { store in _ = try await store.renewalRisk(at: Sample.now) },
        Question("a census") { store in _ = try await store.census() },
        Question("licenses to expire") { store in _ = try await store.licensesToExpire(at: Sample.now, limit: 10) },
        Question("integrity faults") { store in _ = try await store.integrityFaults(of: nil) },
    ]
}
