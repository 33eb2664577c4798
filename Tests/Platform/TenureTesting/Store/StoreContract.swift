public import TenureStore

/// The contract of every store engine, as checks that need no test framework.
///
/// A test target runs them all with `@Test(arguments: StoreContract.cases)`, once per engine.
public enum StoreContract {
    /// One check of the contract.
    public struct Case: Sendable, CustomStringConvertible {
        /// The claim that the case checks, such as `a key is unique within a product`.
        public let claim: String

        private let check: @Sendable (any Store, Subject) async throws -> Void

        init(_ claim: String, _ check: @escaping @Sendable (any Store, Subject) async throws -> Void) {
            self.claim = claim
            self.check = check
        }

        init(_ claim: String, _ check: @escaping @Sendable (any Store) async throws -> Void) {
            self.init(claim) { store, _ in try await check(store) }
        }

        /// Runs the check on an empty store, which is closed afterwards.
        ///
        /// Throws ``ContractViolation`` if the claim is false, and any error of the engine.
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

        /// The claim, which test reports show as the name of the case.
        public var description: String { claim }
    }

    /// The engine under test: closures that create and open its stores.
    public struct Subject: Sendable {
        /// Creates a new empty store at each call.
        public let makeEmpty: @Sendable () async throws -> any Store

        /// Creates a new empty store at each call, with one or more handles, as for several servers.
        public let makeShared: @Sendable () async throws -> [any Store]

        /// Opens the file that a backup wrote.
        public let openBackup: @Sendable (_ path: String) async throws -> any Store

        /// A folder for the backups of this run.
        public let folder: String

        /// Creates a subject from a folder for backups and closures that open stores of one engine.
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

        /// Runs `body` with the handles of a shared store, which are closed afterwards.
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

    /// All checks of the contract.
    public static let cases: [Case] =
        tables + roundTrips + changes + groups + activations + catalogs + listings + events + upkeep + answers + copies
        + marketplaces
        + accounts + appLicenses + appRaces + appListings + trials
        + selfReleases + licenseCredentials + waiting
}

/// The error for a claim of the contract that an engine violates.
public struct ContractViolation: Error, CustomStringConvertible {
    /// The expected and the found values, or a description of the violation.
    public let message: String
    /// The file of the failed check.
    public let file: String
    /// The line of the failed check.
    public let line: Int

    /// The file and line of the check, and the message.
    public var description: String { "\(file):\(line): \(message)" }
}
