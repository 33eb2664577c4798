import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

/// The writes for the changes that an order makes to its licenses.
struct LicenseWrites {
    private let record: OrderRecord
    private let order: OrderID
    private let reference: ProviderID
    private let tenant: TenantID
    private let isTest: Bool
    private let catalog: Catalog
    private let derived: [LicenseSlot: DerivedLicense]
    private let now: Timestamp

    /// The decisions about each license, in the order in which they were made.
    private var decisions: [LicenseID: [Consequences]] = [:]
    private var slots: [RowWrite] = []
    /// The licenses that the added changes issue.
    private(set) var issued: [License] = []
    /// The licenses whose suspension the added changes end.
    private(set) var lifted: Set<LicenseID> = []
    /// How many seconds the order has added to the license that it renews; `nil` if it has added none,
    /// or they were taken back.
    private(set) var addedSeconds: Int64?

    /// Why a change can't be carried out now.
    enum Obstacle: Error {
        /// The catalog no longer has the policy.
        case policyUnknown
        /// The license's id and key haven't been derived.
        case notDerived
    }

    /// - Parameter derived: The ids and keys of the licenses that the order may issue.
    init(
        over record: OrderRecord, of id: OrderID, _ order: Order, tenant: TenantID, catalog: Catalog,
        derived: [LicenseSlot: DerivedLicense], now: Timestamp
    ) {
        self.record = record
        self.order = id
        reference = order.reference
        isTest = order.isTest
        self.tenant = tenant
        self.catalog = catalog
        self.derived = derived
        self.now = now
        addedSeconds = record.row?.addedSeconds
    }

    private var actor: Actor { Actor(.order, reference.text) }

    /// All writes: the licenses with their events, their positions in the order, and the links and sessions that end.
    var rows: [RowWrite] {
        decisions.sorted { $0.key < $1.key }.flatMap { id, decisions -> [RowWrite] in
            let stored = record.license(id)
            let ending = stored.map { license in
                [RowWrite].ending(record.credentials[id] ?? [], of: license, after: decisions, at: now)
            }
            return .following(decisions, from: stored) + (ending ?? [])
        } + slots
    }

    /// Decides a change and adds its writes.
    mutating func add(_ change: LicenseChange) throws(Obstacle) {
        let (actor, now) = (actor, now)
        switch change {
        case .issue(let new): try issue(new)
        case .adopt(let license, let slot): place(license, at: slot)
        case .extend(let id, let end):
            // The licensing rules refuse to renew a license until a past time. If the message arrives after the new
            // end, the end is set instead. So the license ends as if the message had arrived in time.
            try decide(id) { license, policy in
                end > now
                    ? license.renew(.until(end), under: policy, by: actor, at: now)
                    : license.change([.end(.at(end))], by: actor, at: now)
            }
        case .setEnd(let id, let end):
            try decide(id) { license, _ in license.change([.end(.at(end))], by: actor, at: now) }
        case .suspend(let id, let cause), .renameCause(let id, to: let cause):
            try decide(id) { license, _ in OrderStop(because: .init(cause), by: actor).suspend(license, at: now) }
        case .lift(let id):
            try decide(id) { license, _ in license.reinstate(by: actor, at: now) }
            lifted.insert(id)
        case .revoke(let id, let cause):
            try decide(id) { license, _ in OrderStop(because: .init(cause), by: actor).revoke(license, at: now) }
        case .changePolicy(let id, let policy):
            try decide(id, requiring: policy) { license, _ in
                license.change([.policy(policy), .keepEnd], by: actor, at: now)
            }
        case .changeDevices(let id, let count):
            try decide(id) { license, _ in license.change([.activationLimit(count)], by: actor, at: now) }
        case .addTime(let id, _): try addTime(to: id)
        case .takeTimeBack(let id, _): try takeTimeBack(from: id)
        case .changeEmail(let id, let email):
            try decide(id) { license, _ in license.change([.holderEmail(email)], by: actor, at: now) }
        }
    }

    private mutating func issue(_ new: NewLicense) throws(Obstacle) {
        guard let derived = derived[new.slot] else { throw .notDerived }
        place(derived.id, at: new.slot)
        // After a restore that kept the license but not the order, the message may be repeated.
        guard record.derived[derived.id] == nil else { return }
        let product = ProductRef(tenant: tenant, product: new.product)
        guard let policy = catalog[product]?.policies[new.policy] else { throw .policyUnknown }
        var changes: [LicenseTerms.FieldChange] = [.order(reference.text), .holderEmail(new.email)]
        if let name = new.name { changes.append(.holderName(name)) }
        if let devices = new.devices { changes.append(.activationLimit(devices)) }
        var terms = LicenseTerms(under: policy, from: now, changes)
        switch new.end {
        case .at(let end): _ = terms.apply([.end(.at(end))], at: now)
        case .policy(let latest?) where terms.term.end.map { $0 > latest } ?? true:
            _ = terms.apply([.end(.at(latest))], at: now)
        case .policy: break
        }
        let consequences = License.issue(
            id: derived.id, product: product, key: derived.key, derivation: derived.derivation, terms: terms,
            isTest: new.isTest, by: actor, at: now)
        decisions[derived.id] = [consequences]
        if let license = consequences.license { issued.append(license) }
    }

    /// Adds the policy's duration to the later of the license's end and now.
    private mutating func addTime(to id: LicenseID) throws(Obstacle) {
        // A license of a test source ends after seven days, whatever is paid.
        guard !isTest, let former = latest(id)?.term.end else { return }
        let (actor, now) = (actor, now)
        try decide(id) { license, policy in license.renew(.policy, under: policy, by: actor, at: now) }
        // An operator may have revoked the license, or made its term perpetual.
        guard let end = latest(id)?.term.end, end > former else { return }
        addedSeconds = end.seconds - max(former, now).seconds
    }

    /// Takes back the added time: the license ends earlier, but isn't suspended.
    private mutating func takeTimeBack(from id: LicenseID) throws(Obstacle) {
        guard let added = addedSeconds else { return }
        addedSeconds = nil
        guard let end = latest(id)?.term.end else { return }
        let (actor, now) = (actor, now)
        try decide(id) { license, _ in
            license.change([.end(.at(end.adding(seconds: -added)))], by: actor, at: now)
        }
    }

    /// The license with the changes made so far; `nil` if the order doesn't concern it.
    func latest(_ id: LicenseID) -> License? {
        decisions[id]?.compactMap(\.license).last ?? record.license(id)
    }

    private mutating func place(_ license: LicenseID, at slot: LicenseSlot) {
        slots.append(
            .insert(
                OrderLicenseRow(order: order, tenant: tenant, line: slot.line, number: slot.number, license: license)))
    }

    /// Adds a decision about a license. If the decision is a refusal, nothing changes, because the license was revoked
    /// or returned for good.
    private mutating func decide(
        _ id: LicenseID, requiring required: PolicyID? = nil, _ body: (License, Policy) -> Decision<Consequences>
    ) throws(Obstacle) {
        guard let license = latest(id) else { return }
        let policies = catalog[license.product]?.policies ?? [:]
        guard let policy = policies[license.terms.policy], required.map({ policies[$0] != nil }) ?? true else {
            throw .policyUnknown
        }
        if case .granted(let consequences) = body(license, policy), !consequences.isEmpty {
            decisions[id, default: []].append(consequences)
        }
    }
}

extension OrderStop.Cause {
    fileprivate init(_ cause: StopCause) {
        switch cause {
        case .refund, .lostDispute: self = .refund
        case .dispute: self = .dispute
        }
    }
}

extension OrderRecord {
    /// The license with this id: one of the order, one that names it, or one that it renews. `nil` if there is none.
    fileprivate func license(_ id: LicenseID) -> License? {
        licenses[id] ?? named.first { $0.id == id } ?? derived[id] ?? renewed[id]
    }
}
