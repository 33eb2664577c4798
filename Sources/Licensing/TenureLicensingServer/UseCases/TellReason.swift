import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingActs {
    /// Adds what operators told the holder to a refusal about a license.
    ///
    /// It reads events, and only if the license is stopped or the device was released. Throws ``ServerError``, and what
    /// its reads throw.
    func telling(
        _ refusal: Refusal, about license: License, to activation: ActivationID?, _ reads: inout StoreReads
    ) throws -> Refusal {
        guard refusal.mayBeTold else { return refusal }
        let events = try reads.fetch(Self.plan.bind(license))[Self.plan.queries].map(\.event)
        return refusal.telling(events, to: activation)
    }

    /// The license's newest events.
    ///
    /// The owner of a license can cause any number of events, so a refusal does not search all of them.
    private static let plan = QueryPlan(for: License.self) { query in
        query.rows(EventRecord.newestOfLicense, upTo: 100) { [.of($0.id), .of($0.product.tenant)] }
    }
}
