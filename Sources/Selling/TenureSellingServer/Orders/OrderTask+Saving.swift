import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

extension OrderTask {
    /// A description of the missing data, such as the items without a rule; `nil` if the reason alone is enough.
    func detail(of reason: ParkedReason) -> String? {
        switch reason {
        case .itemUnmapped:
            let items = Set(report.facts.flatMap { source.rules.unmappedItems(of: $0) }).sorted().prefix(5)
            return items.isEmpty ? nil : "no rule for the item \(items.joined(separator: ", "))"
        case .factsMissing: return "the buyer's address"
        default: return nil
        }
    }

    /// The writes of a change of the order; `nil` if the changes need values that weren't prepared.
    func save(
        _ changes: OrderChanges, _ writes: OrderWrites, _ record: OrderRecord, _ prepared: Prepared,
        _ snapshot: CatalogSnapshot
    ) -> (Job.Ending<PaymentMessageWork>, [RowWrite])? {
        let order = changes.order
        if changes.licenses.contains(where: \.lifts), !prepared.readsLetters { return nil }
        let issues = changes.licenses.contains(where: \.issues)
        if issues, !prepared.hasRoot {
            let paused = following == nil ? work.pausing(message, at: now) : ending
            return (paused, writes.closed(.parked, .keyNotDerivable, isStored: false))
        }
        var licenses = LicenseWrites(
            over: record, of: writes.order, order, tenant: message.tenant, catalog: snapshot.catalog,
            derived: prepared.licenses, now: now)
        do throws(LicenseWrites.Obstacle) {
            for change in changes.licenses { try licenses.add(change) }
        } catch {
            switch error {
            case .notDerived: return nil
            case .policyUnknown: return (ending, writes.closed(.parked, .itemUnmapped, isStored: false))
            }
        }
        return (
            ending,
            writes.names + writes.facts(changes.facts) + [writes.row(of: order, adding: licenses.addedSeconds)]
                + licenses.rows + writes.events(changes) + letters(after: licenses, record, snapshot.catalog)
                + writes.released(of: order) + writes.closed(after: changes)
        )
    }
}
