import Synchronization
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// The result of a trial request.
    enum TrialOutcome: Sendable {
        /// The device has this trial, which may have ended.
        case granted(Trial)
        /// The product has no trial.
        case refused(Refusal)
        /// The trial begins now but isn't recorded, because too many other devices began a trial just now.
        ///
        /// The device must repeat the request later.
        case unrecorded(Trial)
    }

    /// Returns when a device's trial began, and starts the trial if there isn't one.
    ///
    /// Decides and saves in one transaction; the start is durable before this returns, and only the vendor can change
    /// it. The name and system that the device reports are saved with it, and again when they change.
    ///
    /// Only new devices count against the limit. Throws ``ServerError``; the call can be repeated after a transient
    /// one.
    func startTrial(
        _ device: ReportedTrialDevice, of product: ProductRef, claimed: Timestamp?, within limit: TrialLimit
    ) async throws(ServerError) -> TrialOutcome {
        let now = clock.now()
        let bound = Self.trialPlan.bind(TrialName(product: product, device: device.hash))
        let (results, rows, snapshot) = try await catalog.fetch(bound)
        guard let offered = snapshot.catalog[product] else { throw .catalogBusy }
        let decision = offered.startTrial(on: device.hash, existing: results[rows.trial], claimed: claimed, at: now)
        guard case .granted(let answer) = decision else { return Self.outcome(decision) }
        if answer.isNew {
            let isWithin = limit.authenticate(device.hash, of: product, at: clock.now())
            if case .refused = isWithin { return .unrecorded(answer.trial) }
        } else if device.change(of: answer.trial, stored: results[rows.device], under: offered, at: now) == nil {
            return Self.outcome(decision)
        }
        return Self.outcome(try await save(bound, device, product, claimed))
    }

    private func save(
        _ bound: BoundCatalogQuery<TrialRows>, _ device: ReportedTrialDevice, _ product: ProductRef,
        _ claimed: Timestamp?
    ) async throws(ServerError) -> Decision<Trial.Answer> {
        let now = clock.now()
        return try await catalog.perform(bound) {
            (results, rows, snapshot) -> TransactionResult<Decision<Trial.Answer>> in
            guard let offered = snapshot.catalog[product] else { throw ServerError.catalogBusy }
            let decision = offered.startTrial(on: device.hash, existing: results[rows.trial], claimed: claimed, at: now)
            guard let answer = decision.outcome else { return TransactionResult(decision) }
            let stored = results[rows.device]
            let reported = device.change(of: answer.trial, stored: stored, under: offered, at: now)
            return TransactionResult(
                decision,
                (answer.isNew ? [.insert(answer.trial)] : []) + (reported.map { [.put($0, over: stored)] } ?? [])
                    + answer.events.map(RowWrite.event))
        }
    }

    private static let trialPlan = CatalogQueryPlan(for: TrialName.self) { query in TrialRows(&query) }

    private static func outcome(_ decision: Decision<Trial.Answer>) -> TrialOutcome {
        switch decision {
        case .granted(let answer): .granted(answer.trial)
        case .refused(let refusal): .refused(refusal)
        }
    }
}

/// Queries a trial and what its device has reported, under the device's lock.
struct TrialRows: Sendable {
    let trial: RowQuery<Trial>
    let device: RowQuery<Trial.Device>

    init(_ query: inout QueryBuilder<TrialName>) {
        query.hold(Trial.turn) { [.of($0.device)] }
        trial = query.row(Trial.table.key) { [.of($0.product.tenant), .of($0.product.product), .of($0.device)] }
        device = query.row(Trial.Device.table.key) {
            [.of($0.product.tenant), .of($0.product.product), .of($0.device)]
        }
    }
}

/// A device that asks for its trial, with the name and system that it reports.
struct ReportedTrialDevice: Sendable {
    let hash: Digest
    let report: DeviceReport

    /// The change that stores the report; `nil` if nothing changes.
    fileprivate func change(
        of trial: Trial, stored: Trial.Device?, under product: Product, at now: Timestamp
    ) -> Trial.Device? {
        product.reportedDevice(of: trial, report, stored: stored, at: now)
    }
}

/// Limits how many devices may begin a trial of a product.
///
/// Anyone may send such a request, and every new device adds a row that is never deleted. The limit applies per
/// process: servers that share a store count separately.
final class TrialLimit: Sendable {
    private let ledgers = Mutex<[ProductRef: AttemptCounter]>([:])

    /// Counts a new device, and returns whether it may begin a trial now; the product must exist.
    func authenticate(_ device: Digest, of product: ProductRef, at now: Timestamp) -> AttemptCounter.Answer {
        ledgers.withLock { $0[product, default: Self.fresh].authenticate(device, at: now) }
    }

    /// 600 devices per minute and product, which adds at most about 110 MB of rows a day.
    private static let fresh = AttemptCounter(perName: 20, total: 600, window: 60)
}
