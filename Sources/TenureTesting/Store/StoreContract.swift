public import TenureStore

/// What every engine of the store promises, as claims that can be run: no test framework is needed.
///
/// A test target runs them all with `@Test(arguments: StoreContract.cases)`, once for each engine.
public enum StoreContract {
    /// One promise.
    public struct Case: Sendable, CustomStringConvertible {
        /// The promise as a claim, such as `two licenses of a product never share a key`.
        public let claim: String

        private let check: @Sendable (any Store, Subject) async throws -> Void

        init(_ claim: String, _ check: @escaping @Sendable (any Store, Subject) async throws -> Void) {
            self.claim = claim
            self.check = check
        }

        init(_ claim: String, _ check: @escaping @Sendable (any Store) async throws -> Void) {
            self.init(claim) { store, _ in try await check(store) }
        }

        /// Checks the promise on an empty store, which is closed afterwards.
        ///
        /// Throws ``ContractViolation`` when the promise is not kept, and whatever the engine throws.
        public func run(_ subject: Subject) async throws {
            let store = try await subject.makeEmpty()
            do {
                try await check(store, subject)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }

        /// The claim.
        public var description: String { claim }
    }

    /// The engine under test.
    public struct Subject: Sendable {
        /// Makes an empty store, each time another one.
        public let makeEmpty: @Sendable () async throws -> any Store

        /// Makes an empty store with one handle or more on it, as several servers have; each time another one.
        public let makeShared: @Sendable () async throws -> [any Store]

        /// Opens what a backup wrote.
        public let openBackup: @Sendable (_ path: String) async throws -> any Store

        /// A folder of the run's own, for backups.
        public let folder: String

        /// Names an engine.
        public init(
            folder: String, makeEmpty: @escaping @Sendable () async throws -> any Store,
            makeShared: @escaping @Sendable () async throws -> [any Store],
            openBackup: @escaping @Sendable (_ path: String) async throws -> any Store
        ) {
            self.folder = folder
            self.makeEmpty = makeEmpty
            self.makeShared = makeShared
            self.openBackup = openBackup
        }

        /// Lends the handles of a shared store.
        func withShared(_ body: ([any Store]) async throws -> Void) async throws {
            let stores = try await makeShared()
            do {
                try await body(stores)
            } catch {
                for store in stores { await store.close() }
                throw error
            }
            for store in stores { await store.close() }
        }
    }

    /// All promises.
    public static let cases: [Case] =
        tables + roundTrips + changes + groups + seats + catalogs + listings + events + upkeep + answers + copies
        + marketplaces
        + accounts + appLicenses + appRaces + appListings + trials
        + selfReleases + licenseCredentials + waiting
}

/// A promise that an engine did not keep.
public struct ContractViolation: Error, CustomStringConvertible {
    /// What was found instead.
    public let message: String
    /// Where the suite noticed.
    public let file: String
    /// Where the suite noticed.
    public let line: Int

    /// The place and what was found.
    public var description: String { "\(file):\(line): \(message)" }
}
