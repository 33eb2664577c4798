import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    enum ValidationOutcome: Sendable {
        /// The product has no license with that key.
        case unknown(Refusal)
        /// The decision about this license, under this catalog.
        case answered(License, License.ValidationAnswer, CatalogSnapshot)

        var isUnknown: Bool {
            if case .unknown = self { true } else { false }
        }
    }

    /// Decides whether a device may continue to use its license.
    ///
    /// Reads the license and the activation in one consistent query and evaluates the license's rules.
    ///
    /// It changes nothing except the time when the device was last seen and what the device reports, which are written
    /// in the background. If a device is given, it must be the one that was activated. Throws ``ServerError``, and what
    /// its reads throw; the call can be repeated after a transient error.
    func validate(
        _ key: PresentedKey, activation: ActivationID, of product: ProductRef, from device: PresentedDevice? = nil,
        under snapshot: CatalogSnapshot, _ reads: inout StoreReads, noting sightings: LastSeenWriter
    ) throws -> ValidationOutcome {
        let bound = Self.plan.bind(.init(key: .init(key: key, product: product), activation: activation))
        let (results, queries) = try reads.fetch(bound)
        guard let license = queries.key.license(in: results) else { return .unknown(Refusal(.licenseUnknown)) }
        return try answer(license, results[queries.activation], from: device, under: snapshot, noting: sightings)
    }

    /// Validates for a caller that has sent too many unknown keys; a wrong guess costs only one query.
    ///
    /// Returns `nil` unless the request contains a live activation with its license's key or a former one, or a minted
    /// key.
    func validateIfProven(
        _ key: PresentedKey, activation: ActivationID, of product: ProductRef, from device: PresentedDevice?,
        under snapshot: CatalogSnapshot, _ reads: inout StoreReads, noting sightings: LastSeenWriter
    ) throws -> ValidationOutcome? {
        let (results, queries) = try reads.fetch(KeyedActivationQueries.bind(key, activation, of: product))
        if let license = queries.provenLicense(for: key, of: product, in: results) {
            return try answer(
                license, results[queries.record.activation], from: device, under: snapshot, noting: sightings)
        }
        guard queries.liveLicense(of: product, in: results) != nil,
            let former = try findFormerKey(key, of: product, activation: activation, &reads),
            former.activation?.license == former.license.id
        else { return nil }
        return try validate(former, from: device, under: snapshot, noting: sightings)
    }

    private func answer(
        _ license: License, _ found: Activation?, from device: PresentedDevice?, under snapshot: CatalogSnapshot,
        noting sightings: LastSeenWriter
    ) throws(ServerError) -> ValidationOutcome {
        let now = clock.now()
        let answer = license.validate(
            found, from: device?.identity, under: try snapshot.policy(of: license), at: now)
        if let found { note(found, of: license, from: device, to: sightings, at: now) }
        return .answered(license.settled(at: now), answer, snapshot)
    }

    /// Records that a device was seen, and what it reports, if the activation is its own.
    func note(
        _ found: Activation, of license: License, from device: PresentedDevice?, to sightings: LastSeenWriter,
        at now: Timestamp
    ) {
        guard found.isLive, found.license == license.id,
            (device?.identity ?? found.identity).isSame(as: found.identity)
        else { return }
        sightings.note(found.id, at: now)
        if let report = device?.report, found.reporting(report) != nil { sightings.note(found.id, report) }
    }

    private static let plan = CatalogQueryPlan(goesFirst: true, for: KeyedActivationQueries.Parameters.self) { query in
        (
            key: query.part(KeyQueries.init) { $0.key },
            activation: query.row(Activation.table.key) { [.of($0.activation)] }
        )
    }
}
