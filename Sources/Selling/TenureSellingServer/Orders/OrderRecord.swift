import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

/// The stored rows of the order that a message is about, or of several orders if the message shows that they are the
/// same order.
struct OrderRecord: Sendable {
    /// The id under which the order is stored; `nil` if this is the first message about it.
    let id: OrderID?
    /// The order's row; `nil` if the order's sale hasn't arrived.
    let row: OrderRow?
    let names: [ProviderID: OrderNameRow]
    /// The facts that the order has acted on.
    let facts: [String: OrderFactRow]
    /// The facts that were stored under ids that this message links to the order.
    let joining: [OrderFactRow]
    let slots: [OrderLicenseRow]
    let licenses: [LicenseID: License]
    /// The newest events of each license, newest first.
    let events: [LicenseID: [Event]]
    let credentials: [LicenseID: [LicenseCredential]]
    /// Licenses that name the order, but weren't issued by it or by another order.
    ///
    /// A license of another source's order is left out. Otherwise, the secret of a test source would suffice to take
    /// over a license that was paid for.
    let named: [License]
    /// The existing licenses among those that the order may issue.
    let derived: [LicenseID: License]
    /// The existing letters with the keys of licenses that the order may issue.
    let letters: Set<MailID>
    /// The earlier letters about the order's licenses, if they were read.
    let earlierLetters: [Mail]
    let letterJobs: [String: Job]
    /// The messages that wait for the order's sale.
    let waiting: [PaymentMessage]
    /// The newest licenses of the source that were paid with test money; empty for a source of real payments.
    let testLicenses: Set<License>
    /// The licenses that the purchase may renew or has renewed.
    let renewed: [LicenseID: License]

    init(_ results: QueryResult, _ queries: OrderQueries) {
        let found = results[queries.orders]
        // An order with a sale keeps its id, because its licenses refer to the id.
        row = found.min { $0.createdAt < $1.createdAt }
        id = row?.id ?? results[queries.names].map(\.order).min()
        names = Dictionary(
            (results[queries.names] + results[queries.allNames]).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let (own, stored) = (id, Set(results[queries.facts]))
        facts = Dictionary(stored.filter { $0.order == own }.map { ($0.fact.key, $0) }, uniquingKeysWith: { $1 })
        joining = stored.filter { $0.order != own }.sorted { ($0.order, $0.fact.key) < ($1.order, $1.fact.key) }
        slots = Array(Set(results[queries.slots]))
        licenses = Dictionary(results[queries.licenses].map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        events = Dictionary(grouping: results[queries.events]) { $0.event.subject.license }
            .reduce(into: [:]) { events, group in
                guard let license = group.key else { return }
                events[license] = group.value.sorted { $0.sequence > $1.sequence }.map(\.event)
            }
        credentials = Dictionary(grouping: Set(results[queries.credentials]), by: \.license)
        let slotted = Set((slots + results[queries.namedSlots]).map(\.license))
        named = results[queries.named].filter { !slotted.contains($0.id) }
        letters = Set(results[queries.letters].map(\.id))
        earlierLetters = Set(results[queries.earlierLetters]).sorted { $0.id < $1.id }
        letterJobs = Dictionary(results[queries.letterJobs].map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        derived = Dictionary(results[queries.derived].map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        testLicenses = Set(results[queries.testLicenses])
        renewed = Dictionary(results[queries.renewed].map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        waiting = Array(Set(results[queries.messages])).filter(\.waitsForOrder)
    }

    /// The order's reference: from its row, or else from a message that named it as the reference; `nil` if it's
    /// unknown.
    func reference(or reported: ProviderID?) -> ProviderID? {
        row?.reference ?? (names.values.filter(\.isReference).map(\.name) + [reported].compactMap(\.self)).min()
    }

    /// The license that the buyer's link names for renewal; `nil` if the tenant has no license with this id whose
    /// policy has a duration.
    ///
    /// The order's decision checks whether the license fits the purchase.
    func renewable(_ id: LicenseID?, of tenant: TenantID, under catalog: Catalog, by actor: Actor) -> PresentLicense? {
        // A term that hasn't started has no end that could be extended.
        guard let license = id.flatMap({ renewed[$0] }), license.product.tenant == tenant,
            license.terms.unstarted == nil,
            catalog[license.product]?.policies[license.terms.policy]?.duration != nil
        else { return nil }
        return PresentLicense(license, at: nil, events: [], actor)
    }

    /// The order's licenses as the order's decision needs them.
    ///
    /// - Parameter adopts: Whether licenses that name the order count as its licenses. A test order never takes over a
    ///   license.
    func presentLicenses(by actor: Actor, adopting adopts: Bool) -> [PresentLicense] {
        slots.compactMap { slot in
            licenses[slot.license].map {
                PresentLicense(
                    $0, at: LicenseSlot(line: slot.line, number: slot.number), events: events[$0.id] ?? [], actor)
            }
        } + (adopts ? named : []).map { PresentLicense($0, at: nil, events: [], actor) }
    }
}

extension PresentLicense {
    init(_ license: License, at slot: LicenseSlot?, events: [Event], _ actor: Actor) {
        self.init(
            id: license.id, slot: slot, product: license.product.product, policy: license.terms.policy,
            state: license.recordedState, end: license.term.end, issuedAt: license.issuedAt,
            isSuspendedByOrder: OrderStop.isNewest(of: actor, on: license, after: events),
            email: license.terms.letterAddress, isTest: license.isTest)
    }
}

extension Actor.Kind {
    /// An order, by its reference at the payment provider.
    static var order: Self { Self("order") }
}
