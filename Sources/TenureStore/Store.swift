public import TenureCore

/// Keeps licenses, activations, events, the catalog and the signing keys: one promise, kept by several engines.
///
/// What every engine promises, and `StoreContract` in `TenureTesting` checks:
/// * A change is durable (synced to disk) before ``perform(_:)`` returns, together with its events, or it did not happen.
/// * Changes happen one after the other: a decision sees everything saved before it and nothing else.
/// * A read sees every change that was acknowledged before it began.
/// * Events have ever growing sequence numbers; a reader that asks for those after a number it has seen misses none.
///
/// Every function throws ``StoreError``; after `.busy` and `.unavailable` the caller may try again, and nothing was changed.
public protocol Store: Sendable {
    /// Carries out one change: loads what it names, lets it decide, saves what it decided, waits for the disk.
    ///
    /// An engine may carry many changes in one transaction. One that cannot be saved fails alone.
    func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer

    /// Reads what a validation needs in one consistent look.
    func validation(
        of activation: ActivationID, for key: Digest, in product: ProductRef
    ) async throws(StoreError) -> ValidationRecord

    /// Reads the whole catalog with its version.
    func catalog() async throws(StoreError) -> Catalog

    /// Reads the version of the catalog alone: cheap enough to be asked often.
    func catalogVersion() async throws(StoreError) -> Int64

    /// Reads the signing keys of all tenants, oldest first.
    func signingKeys() async throws(StoreError) -> [SigningKeyRecord]

    /// Reads the operator tokens of a tenant, or of all, oldest first; revoked ones included.
    func tokens(of tenant: TenantID?) async throws(StoreError) -> [TokenRecord]

    /// Finds the licenses that a person may mean; more than one when tenants share a key's text.
    func licenses(matching name: LicenseName) async throws(StoreError) -> [License]

    /// Lists licenses in the order of their ids, those after the cursor, at most `limit` (1...1000).
    func licenses(
        _ filter: LicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(StoreError) -> [License]

    /// Lists the activations of a license, oldest first and those of one second in the order of their ids; released
    /// ones only if asked for.
    func activations(of license: LicenseID, includingReleased: Bool) async throws(StoreError) -> [Activation]

    /// Reads one activation; nil when there is none of that name.
    func activation(_ id: ActivationID) async throws(StoreError) -> Activation?

    /// Reads a trial; nil when it was never begun.
    func trial(_ name: TrialName) async throws(StoreError) -> Trial?

    /// Lists events after the cursor, oldest first, at most `limit` (1...1000).
    func events(_ filter: EventFilter, after cursor: Int64, limit: Int) async throws(StoreError) -> [EventRecord]

    /// Reads the keys of all marketplaces, oldest first.
    func marketplaceKeys() async throws(StoreError) -> [MarketplaceKeyRecord]

    /// Reads the assets of these names that a tenant's marketplace has, at most 1000.
    func appAssets(_ refs: [AssetRef], of tenant: TenantID) async throws(StoreError) -> [AppAsset]

    /// Lists the accounts of a tenant in the order of their ids' bytes, those after the cursor, at most `limit` (1...1000).
    func accounts(of tenant: TenantID, after cursor: AccountID?, limit: Int) async throws(StoreError) -> [Account]

    /// Reads one account; nil when there is none of that name.
    func account(_ ref: AccountRef) async throws(StoreError) -> Account?

    /// Finds the account that has an e-mail address, compared without regard to ASCII case; nil when none or several do.
    func account(email: String, of tenant: TenantID) async throws(StoreError) -> Account?

    /// Reads a credential by the hash of its text; nil when there is none.
    func credential(_ hash: Digest) async throws(StoreError) -> AccountCredential?

    /// Reads a credential of a license's holder by the hash of its text; nil when there is none.
    func licenseCredential(_ hash: Digest) async throws(StoreError) -> LicenseCredential?

    /// Reads the grants of an account, in the order of their apps, ended ones included.
    func appGrants(of account: AccountRef) async throws(StoreError) -> [AppGrant]

    /// Reads a right of an account as it is at a moment, for explaining it.
    func appRight(
        of account: AccountRef, to item: AppleItemID, at now: Timestamp
    ) async throws(StoreError) -> AppRight

    /// Reads one app license; nil when there is none of that id.
    func appLicense(_ id: LicenseID) async throws(StoreError) -> AppLicense?

    /// Lists app licenses in the order of their ids, those after the cursor, at most `limit` (1...1000).
    func appLicenses(
        _ filter: AppLicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(StoreError) -> [AppLicense]

    /// Counts the app licenses that are about to expire, for every tenant that has any app license.
    func renewalRisk(at now: Timestamp) async throws(StoreError) -> [RenewalRisk]

    /// Counts what is stored, for operators.
    func census() async throws(StoreError) -> Census

    /// Reads a value of the server's own, such as the master key's check value; nil when it was never set.
    func setting(_ name: String) async throws(StoreError) -> [UInt8]?

    /// Writes down when devices were last seen. The only write that may be lost: it is not waited for by any device.
    func recordSightings(_ sightings: [ActivationID: Timestamp]) async throws(StoreError)

    /// Looks for licenses that time has expired and nobody has written down yet, at most `limit`.
    func licensesToExpire(at now: Timestamp, limit: Int) async throws(StoreError) -> [LicenseID]

    /// Copies the whole store into one new file while others go on reading and writing.
    ///
    /// The file appears under its name when it is whole and synced to disk. An existing one is never overwritten
    /// (`.exists`).
    /// - Parameter progress: Called now and then with the share done, 0...1.
    func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError)

    /// Whether this server is the one that runs a service now; asked before each piece of the service's work.
    ///
    /// Of all servers on one store at most one is told so at a time; when it dies another is told so within ten seconds,
    /// if it keeps asking. A server that cannot reach the store is told no.
    func lead(_ role: Role) async -> Bool

    /// Takes hold of this moment of the store, to be read page by page while others go on writing.
    func snapshot() async throws(StoreError) -> any StoreSnapshot

    /// Saves what another store held, as it was: with its ids, sequence numbers and catalog version.
    ///
    /// Meant for a store that nobody else uses yet, page after page in the order of ``StorePart``. A page is saved whole
    /// or not at all, and durable before this returns; saving it again changes nothing. Events that are new afterwards
    /// have higher sequence numbers. Fails with `.keyTaken` when another license of a product has a key of the page.
    func adopt(_ page: StorePage) async throws(StoreError)

    /// Checks the store's own integrity; answers what is wrong, empty when nothing is.
    func integrityFaults() async throws(StoreError) -> [String]

    /// Waits for changes under way, then lets go of everything. Nothing may be asked of the store afterwards.
    func close() async
}
