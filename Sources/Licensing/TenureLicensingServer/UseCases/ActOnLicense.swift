package import TenureCore
package import TenureLicensing
package import TenureServerKit
import TenureStore

/// The result of an operator's action on a license.
package enum OperatorActOutcome: Sendable {
    /// The license after the action, the license before it, and whether this call changed anything.
    case done(License, before: License, changed: Bool)
    /// The license's rules refuse the action.
    case refused(Refusal)
    /// The edit names a policy that the product doesn't have.
    case unknownPolicy(PolicyID)
    /// The edit moves the license to a policy whose terms differ in kind, and doesn't say what happens to its end.
    case endLeftOpen(EndLeftOpen)
    /// The letter with the new key can't be sent: the license has no address, or the tenant sends no letters.
    case notMailable
}

extension LicensingContext {
    /// Performs an operator's action on one license in one transaction, which is durable before this returns.
    ///
    /// Suspend, reinstate, revoke, return and change set a state, so repeating them changes nothing. A renewal extends
    /// the term each time. Throws ``ServerError``, with the code `key_taken` if another license has the new key.
    ///
    /// - Parameters:
    ///   - reason: Why the license is suspended or revoked; recorded in the event. A new reason for an earlier stop
    ///     replaces the current one.
    ///   - letter: The id of the letter that sends a new key; `nil` for no letter.
    package func perform(
        _ act: OperatorAct, because reason: StatedReason? = nil, on license: LicenseID, by actor: Actor,
        mailing letter: MailID? = nil
    ) async throws(ServerError) -> OperatorActOutcome {
        let once = try await performOnce(
            nil, act, because: reason, on: license, of: nil, by: actor, mailing: letter, remembering: { _ in nil })
        guard case .done(let outcome) = once else { return .refused(Refusal(.licenseUnknown)) }
        return outcome
    }

    /// Performs the action with an idempotency record, and only on a license of the given tenant.
    ///
    /// - Parameter letter: The id of the letter that sends a new key; `nil` for no letter.
    func performOnce(
        _ request: RepeatableRequest?, _ act: OperatorAct, because reason: StatedReason? = nil, on license: LicenseID,
        of tenant: TenantID?, by actor: Actor, mailing letter: MailID? = nil,
        remembering: @escaping @Sendable (OperatorActOutcome) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<OperatorActOutcome> {
        let now = clock.now()
        if let key = act.newKey {
            return try await rekeyOnce(
                request, act, to: key, license, of: tenant, by: actor, mailing: letter, remembering: remembering)
        }
        if case .change(let changes) = act {
            let plan =
                changes.contains(where: \.mayRemoveAddress)
                ? LicenseQueryPlans.changeAddressOnce : LicenseQueryPlans.changeOnce
            let bound = plan.bind(request, license)
            return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
                (results, queries, snapshot) -> TransactionResult<OperatorActOutcome> in
                guard let license = results[queries.license], tenant == nil || license.product.tenant == tenant else {
                    return TransactionResult(.refused(Refusal(.licenseUnknown)))
                }
                let beside = RowsBesideLicense(
                    credentials: results[queries.credentials], letters: queries.letters.flatMap { results[$0] })
                return try act.outcome(on: license, beside: beside, under: snapshot, by: actor, at: now)
            }
        }
        // Suspending depends on who has suspended the license already, even without a reason.
        if reason != nil || act == .suspend {
            let bound = LicenseQueryPlans.byIDWithEventsOnce.bind(request, license)
            return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
                (results, queries, snapshot) -> TransactionResult<OperatorActOutcome> in
                guard let license = results[queries.license], tenant == nil || license.product.tenant == tenant else {
                    return TransactionResult(.refused(Refusal(.licenseUnknown)))
                }
                return try act.outcome(
                    on: license, because: reason, after: results[queries.events].map(\.event), under: snapshot,
                    by: actor, at: now)
            }
        }
        let bound = LicenseQueryPlans.byIDOnce.bind(request, license)
        return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
            (results, license, snapshot) -> TransactionResult<OperatorActOutcome> in
            guard let license = results[license], tenant == nil || license.product.tenant == tenant else {
                return TransactionResult(.refused(Refusal(.licenseUnknown)))
            }
            return try act.outcome(on: license, under: snapshot, by: actor, at: now)
        }
    }

    private func rekeyOnce(
        _ request: RepeatableRequest?, _ act: OperatorAct, to key: LicenseKey, _ license: LicenseID,
        of tenant: TenantID?, by actor: Actor, mailing letter: MailID?,
        remembering: @escaping @Sendable (OperatorActOutcome) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<OperatorActOutcome> {
        let now = clock.now()
        let released: LicenseID? = if case .transfer = act { license } else { nil }
        let plan = released == nil ? LicenseQueryPlans.rekeyOnce : LicenseQueryPlans.transferOnce
        let bound = plan.bind(request, .init(license: license, newKey: key, released: released))
        do throws(ServerError) {
            return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
                (results, queries, snapshot) -> TransactionResult<OperatorActOutcome> in
                guard let license = results[queries.license], tenant == nil || license.product.tenant == tenant else {
                    return TransactionResult(.refused(Refusal(.licenseUnknown)))
                }
                // Without this, a person with the other license's old key would find this license.
                if let other = results[queries.new], other.license != license.id {
                    throw ServerError(
                        .keyTaken,
                        "Another license of the product had the key \(key.masked) before. Choose another key.")
                }
                if letter != nil, let reason = LifecycleState.chart.stop(in: license.recordedState) {
                    return TransactionResult(.refused(Refusal(reason)))
                }
                if case .rekey(_, let derivation?, _) = act, derivation.generation <= license.keyGeneration {
                    throw ServerError(
                        .keyTaken,
                        "The license \(license.id) got another key meanwhile. Nothing was changed; try again.")
                }
                let former = results[queries.former]
                let beside = RowsBesideLicense(
                    formerKeys: results[queries.inUse].filter { $0.hash != former?.hash } + [former].compactMap(\.self),
                    credentials: results[queries.credentials], activations: results[queries.activations],
                    letters: queries.letters.flatMap { results[$0] })
                let result = try act.outcome(on: license, beside: beside, under: snapshot, by: actor, at: now)
                guard let letter, case .done(let rekeyed, _, _) = result.answer else { return result }
                let tenant = snapshot.catalog.tenants[license.product.tenant]
                guard
                    let mail = Mail.keys(of: [rekeyed], kind: KeyLetter.replacedKey, letter, from: tenant, at: now)
                else { return TransactionResult(.notMailable) }
                return TransactionResult(result.answer, result.saves + mail.sending)
            }
        } catch {
            let message = "Another license of the product has the key \(key.masked); choose another key."
            throw error.recoded(.keyTaken, message, where: License.byKey)
        }
    }
}

/// The rows of a license that an action may change besides the license itself.
struct RowsBesideLicense {
    var formerKeys: [FormerKey] = []
    var credentials: [LicenseCredential] = []
    var activations: [Activation] = []
    var letters: [Mail] = []

    /// The writes that remove unsent letters about this license alone.
    ///
    /// The result is empty unless the license's address was removed or the license was transferred to another holder.
    fileprivate func removingLetters(of before: License, after: License, by act: OperatorAct) -> [RowWrite] {
        let isTransfer = if case .transfer = act { true } else { false }
        guard before.terms.letterAddress != nil, isTransfer || after.terms.letterAddress == nil else { return [] }
        let own = letters.filter { letter in
            [.waiting, .held].contains(letter.state) && letter.licenses.allSatisfy { $0.license == before.id }
        }
        return Set(own).map(RowWrite.remove)
    }
}

extension OperatorAct {
    /// The result of this action with its writes; saves nothing.
    ///
    /// - Parameter events: The license's newest events, which are needed with a reason and to suspend the license.
    func outcome(
        on license: License, because reason: StatedReason? = nil, after events: [Event] = [],
        beside: RowsBesideLicense = RowsBesideLicense(), under snapshot: CatalogSnapshot, by actor: Actor,
        at now: Timestamp
    ) throws(ServerError) -> TransactionResult<OperatorActOutcome> {
        let policy = try snapshot.policy(of: license)
        if case .change(let changes) = self {
            for case .policy(let id) in changes {
                guard let new = snapshot.catalog[license.product]?.policies[id] else {
                    return TransactionResult(.unknownPolicy(id))
                }
                if !license.recordedState.isFinal, policy.leavesEndOpen(changes, movingTo: new) {
                    return TransactionResult(.endLeftOpen(EndLeftOpen(AsOf(license, at: now), from: policy, to: new)))
                }
            }
        }
        let decision = decide(
            on: license, because: reason, after: events, formerKeys: beside.formerKeys, activations: beside.activations,
            under: policy, by: actor, at: now)
        switch decision {
        case .refused(let refusal): return TransactionResult(.refused(refusal))
        case .granted(let consequences):
            return TransactionResult(
                .done(consequences.license ?? license, before: license, changed: !consequences.isEmpty),
                [RowWrite](
                    consequences, over: license, activations: beside.activations, formerKeys: beside.formerKeys)
                    + .ending(beside.credentials, of: license, after: [consequences], at: now)
                    + beside.removingLetters(of: license, after: consequences.license ?? license, by: self))
        }
    }
}
