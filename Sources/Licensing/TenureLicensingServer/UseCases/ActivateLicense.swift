import TenureCore
import TenureCrypto
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// The result of an activation request.
    ///
    /// Without `indirect`, each asynchronous function that passes it on would keep several copies, 48 KB together.
    indirect enum ActivationOutcome: Sendable {
        /// The product has no license with that key.
        case unknown(Refusal)
        /// The decision about this license, in its state after the activation.
        case answered(License, License.ActivationAnswer)

        var isUnknown: Bool {
            if case .unknown = self { true } else { false }
        }

        var isActivated: Bool {
            if case .answered(_, .activated) = self { true } else { false }
        }
    }

    /// Activates a license on a device, or explains why it can't.
    ///
    /// Decides and saves in one transaction; the activation is durable before this returns.
    ///
    /// Repeating it with the same device identity returns the same activation. It changes only the name and the system
    /// that the device reports, which are written in the background. Throws ``ServerError``, a ``Failure`` if the
    /// device was activated too often, and ``CatalogChanged``; the call can be repeated after a transient error.
    func activate(
        _ key: PresentedKey, of product: ProductRef, for device: PresentedDevice, under snapshot: CatalogSnapshot,
        noting sightings: LastSeenWriter
    ) async throws -> ActivationOutcome {
        let outcome = try await decide(key, of: product, for: device, under: snapshot)
        guard case .answered(_, .activated(let activation, _, let consequences)) = outcome else { return outcome }
        if consequences.activation != nil {
            activationRate.count(activation)
        } else if activation.reporting(device.report) != nil {
            sightings.note(activation.id, device.report)
        }
        return outcome
    }

    private func decide(
        _ key: PresentedKey, of product: ProductRef, for device: PresentedDevice, under snapshot: CatalogSnapshot
    ) async throws -> ActivationOutcome {
        var random = SecureRandom()
        let attempt = device.attempt(ActivationID.random(using: &random))
        let now = clock.now()
        let bound = ActivationQuery.Parameters(key: .init(key: key, product: product), device: device.identity)
        let first = try await catalog.change(under: snapshot, Self.plan.bind(bound)) {
            [activationRate] results, queries -> TransactionResult<Attempt> in
            let attempt = Attempted(attempt: attempt, devices: nil, rate: activationRate, at: now)
            return try attempt.decide(queries.found(in: results), under: snapshot)
        }
        guard case .uncounted(let license) = first else { return try first.outcome }
        // The license may have released devices that still count against its limit, so all counted devices are read for
        // this license only.
        let counting = Self.countingForm.bind(.init(first: bound, license: license, now: now))
        return try await catalog.change(under: snapshot, counting) {
            [activationRate] results, queries -> TransactionResult<Attempt> in
            let attempt = Attempted(
                attempt: attempt, devices: results[queries.devices], rate: activationRate, at: now)
            return try attempt.decide(queries.license.found(in: results), under: snapshot)
        }.outcome
    }

    private static let plan = CatalogQueryPlan(ActivationQuery.init)
    private static let countingForm = CatalogQueryPlan(for: Counting.self) { query in
        (
            license: query.part(ActivationQuery.init) { $0.first },
            devices: query.view(CountedDevice.ofLicense) { [.of($0.license), .of($0.now)] }
        )
    }

    /// The parameters of the query that also counts the license's other devices.
    private struct Counting: Sendable {
        let first: ActivationQuery.Parameters
        let license: LicenseID
        let now: Timestamp
    }

    /// The result of one transaction.
    ///
    /// It's indirect because each of the store's functions that return it makes a copy.
    private indirect enum Attempt: Sendable {
        case decided(ActivationOutcome)
        /// A new device of this license. The license's other devices must be counted first, which this query didn't
        /// read.
        case uncounted(LicenseID)
        /// The device may be activated, but was activated too often in a short time.
        case tooOften(retryAfter: Int64)

        /// The outcome of the attempt. Throws if the license's other devices still have to be counted, or if the device
        /// must wait.
        var outcome: ActivationOutcome {
            get throws {
                switch self {
                case .decided(let outcome): return outcome
                case .uncounted: throw ServerError.decisionBusy
                case .tooOften(let seconds): throw ActivationRateLimit.tooMany(retryAfter: seconds)
                }
            }
        }
    }

    /// An activation attempt; `devices` contains the license's other devices, or is `nil` if they weren't read.
    private struct Attempted: Sendable {
        let attempt: License.ActivationAttempt
        let devices: [CountedDevice]?
        let rate: ActivationRateLimit
        let now: Timestamp

        init(
            attempt: License.ActivationAttempt, devices: [CountedDevice]?, rate: ActivationRateLimit, at now: Timestamp
        ) {
            self.attempt = attempt
            self.devices = devices
            self.rate = rate
            self.now = now
        }

        func decide(
            _ found: (license: License, activations: License.Activations)?, under snapshot: CatalogSnapshot
        ) throws(ServerError) -> TransactionResult<Attempt> {
            guard let (license, activations) = found else {
                return TransactionResult(.decided(.unknown(Refusal(.licenseUnknown))))
            }
            let policy = try snapshot.policy(of: license)
            let answer = license.activate(
                attempt, activations: activations, devices: devices ?? [], under: policy, at: now)
            guard case .activated(let activation, _, let consequences) = answer else {
                return TransactionResult(.decided(.answered(license.settled(at: now), answer)))
            }
            if devices == nil, activation.id == attempt.newID, policy.countsDevices(of: license, at: now) {
                return TransactionResult(.uncounted(license.id))
            }
            if activation.id == attempt.newID, let seconds = rate.wait(attempt.identity, of: license.id, at: now) {
                return TransactionResult(.tooOften(retryAfter: seconds))
            }
            return TransactionResult(
                .decided(.answered(consequences.license ?? license, answer)),
                [RowWrite](consequences, over: license, activations.existing))
        }
    }
}

/// Queries the license with the key as typed or with look-alikes replaced, and its activations of the device.
private struct ActivationQuery: Sendable {
    struct Parameters: Sendable {
        let key: KeyQueries.Parameters
        let device: DeviceIdentity
    }

    let key: KeyQueries
    let activations: DeviceActivationQueries
    let lookAlikeSeats: DeviceActivationQueries

    init(_ query: inout QueryBuilder<Parameters>) {
        key = query.part(KeyQueries.init) { $0.key }
        activations = DeviceActivationQueries(of: key.exact, &query) { $0.device }
        lookAlikeSeats = DeviceActivationQueries(of: key.lookAlike, &query) { $0.device }
    }

    func found(in results: QueryResult) -> (license: License, activations: License.Activations)? {
        if let license = results[key.exact] { return (license, activations.activations(in: results)) }
        return results[key.lookAlike].map { ($0, lookAlikeSeats.activations(in: results)) }
    }
}
