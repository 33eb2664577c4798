import Synchronization
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// The result of a trial request.
    enum TrialOutcome: Sendable {
        /// The trial, with its start.
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
    /// Decides and saves in one transaction; the start is durable before this returns, and only the vendor can change it.
    ///
    /// Only new devices count against the limit. Throws ``ServerError``; the call can be repeated after a transient
    /// one.
    func startTrial(
        _ device: Digest, of product: ProductRef, claimed: Timestamp?, within limit: TrialLimit
    ) async throws(ServerError) -> TrialOutcome {
        let now = clock.now()
        let bound = Self.plan.bind(.init(product: product, device: device))
        let (results, trial, snapshot) = try await catalog.fetch(bound)
        guard let offered = snapshot.catalog[product] else { throw .catalogBusy }
        let known = offered.startTrial(on: device, known: results[trial], claimed: claimed, at: now)
        guard case .granted(let answer) = known, answer.isNew else { return Self.outcome(known) }
        if case .refused = limit.authenticate(device, of: product, at: clock.now()) { return .unrecorded(answer.trial) }
        return Self.outcome(try await begin(bound, device, product, claimed))
    }

    private func begin(
        _ bound: BoundCatalogQuery<RowQuery<Trial>>, _ device: Digest, _ product: ProductRef, _ claimed: Timestamp?
    ) async throws(ServerError) -> Decision<Trial.Answer> {
        let now = clock.now()
        return try await catalog.perform(bound) {
            (results, trial, snapshot) -> TransactionResult<Decision<Trial.Answer>> in
            guard let offered = snapshot.catalog[product] else { throw ServerError.catalogBusy }
            let decision = offered.startTrial(on: device, known: results[trial], claimed: claimed, at: now)
            guard let answer = decision.outcome, answer.isNew else { return TransactionResult(decision) }
            return TransactionResult(decision, [.insert(answer.trial)] + answer.events.map(RowWrite.event))
        }
    }

    private struct Parameters: Sendable {
        let product: ProductRef
        let device: Digest
    }

    private static let plan = CatalogQueryPlan(for: Parameters.self) { query in
        query.hold(Trial.turn) { [.of($0.device)] }
        return query.row(Trial.table.key) { [.of($0.product.tenant), .of($0.product.product), .of($0.device)] }
    }

    private static func outcome(_ decision: Decision<Trial.Answer>) -> TrialOutcome {
        switch decision {
        case .granted(let answer): .granted(answer.trial)
        case .refused(let refusal): .refused(refusal)
        }
    }
}

/// Limits how many devices may begin a trial of a product.
///
/// Anyone may send such a request, and every new device adds a row that is never deleted. The limit applies per
/// process: servers that share a store count separately.
final class TrialLimit: Sendable {
    private let ledgers = Mutex<[ProductRef: AttemptCounter]>([:])

    /// Counts a new device; the product must exist.
    func authenticate(_ device: Digest, of product: ProductRef, at now: Timestamp) -> AttemptCounter.Answer {
        ledgers.withLock { $0[product, default: Self.fresh].authenticate(device, at: now) }
    }

    /// 600 devices per minute and product, which adds at most about 110 MB of rows a day.
    private static let fresh = AttemptCounter(perName: 20, total: 600, window: 60)
}
