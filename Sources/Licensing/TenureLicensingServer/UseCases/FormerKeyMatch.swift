import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// A replaced key that a request contains, with the license that it last belonged to.
struct FormerKeyMatch: Sendable {
    let key: FormerKey
    let license: License
    /// The activation that the request names, whichever license it belongs to; `nil` if there is none.
    let activation: Activation?
}

// A request with a replaced key needs more queries than others. They are made only after no license was found with the
// key.
extension LicensingContext {
    /// Finds a license by a key that it had before, together with the activation that the request names.
    ///
    /// Returns the product's last license with that key; `nil` if no license had it.
    ///
    /// Called only when no license has the key now. Throws ``ServerError``, and what its reads throw.
    func findFormerKey(
        _ key: PresentedKey, of product: ProductRef, activation: ActivationID? = nil, _ reads: inout StoreReads
    ) throws -> FormerKeyMatch? {
        let (results, queries) = try reads.fetch(
            Self.formerKeyPlan.bind(.init(product: product, key: key, activation: activation)))
        let (former, licenses) = (results[queries.former], results[queries.licenses])
        for hash in key.readings {
            guard let found = former.first(where: { $0.hash == hash }),
                let license = licenses.first(where: { $0.id == found.license })
            else { continue }
            return FormerKeyMatch(key: found, license: license, activation: results[queries.activation])
        }
        return nil
    }

    /// Decides on a validation with a replaced key, and records that a device was seen if it may continue.
    func validate(
        _ former: FormerKeyMatch, from device: PresentedDevice?, under snapshot: CatalogSnapshot,
        noting sightings: LastSeenWriter
    ) throws(ServerError) -> ValidationOutcome {
        let now = clock.now()
        let license = former.license
        let answer = former.key.validate(
            former.activation, of: license, from: device?.identity, under: try snapshot.policy(of: license), at: now)
        if let activation = former.activation, former.key.keeps(activation) {
            note(activation, of: license, from: device, to: sightings, at: now)
        }
        return .answered(license.settled(at: now), answer, snapshot)
    }

    /// Decides on an activation with a replaced key, which can only return the device's existing activation.
    func activate(
        _ former: FormerKeyMatch, for device: PresentedDevice, under snapshot: CatalogSnapshot,
        _ reads: inout StoreReads, noting sightings: LastSeenWriter
    ) throws -> ActivationOutcome {
        let now = clock.now()
        let license = former.license
        let (results, query) = try reads.fetch(
            Self.devicePlan.bind(.init(license: license.id, device: device.identity)))
        let attempt = device.attempt(ActivationID(high: 0, low: 0))
        let answer = former.key.activate(
            attempt, of: license, existing: results[query], under: try snapshot.policy(of: license), at: now)
        if case .activated(let activation, _, _) = answer, activation.reporting(device.report) != nil {
            sightings.note(activation.id, device.report)
        }
        return .answered(license.settled(at: now), answer)
    }

    /// Releases a device that has a replaced key; returns `nil` once it's released.
    ///
    /// An activation that never existed counts as released; throws if the store may have lost it.
    func deactivate(
        _ activation: ActivationID, with former: FormerKey, from device: DeviceIdentity,
        under snapshot: CatalogSnapshot
    ) async throws -> Refusal? {
        let now = clock.now()
        return try await catalog.change(under: snapshot, ActivationQueries.plan.bind(activation)) {
            [catalog] results, queries in
            let record = try catalog.found(results[queries.activation])
            guard let found = results[queries.license], found.id == former.license, let record else {
                return TransactionResult(nil)
            }
            let decision = former.deactivate(
                record, of: found, from: device, under: snapshot.knownPolicy(of: found), at: now)
            return TransactionResult(
                decision.refusal, decision.outcome.map { [RowWrite]($0, over: found, record) } ?? [])
        }
    }

    private struct FormerKeyParameters: Sendable {
        let product: ProductRef
        let key: PresentedKey
        let activation: ActivationID?
    }

    private static let formerKeyPlan = CatalogQueryPlan(for: FormerKeyParameters.self) { query in
        let former = query.each(FormerKey.table.key) { bound in
            bound.key.readings.flatMap { [.of(bound.product.tenant), .of(bound.product.product), .of($0)] }
        }
        return (
            former: former, licenses: query.each(License.table.key, .column("license_id", of: former)),
            activation: query.row(Activation.table.key) { [.of($0.activation)] }
        )
    }

    private struct DeviceOfLicense: Sendable {
        let license: LicenseID
        let device: DeviceIdentity
    }

    private static let devicePlan = CatalogQueryPlan(for: DeviceOfLicense.self) { query in
        query.row(Activation.liveOfDevice) { [.of($0.license), .of($0.device.code)] }
    }
}
