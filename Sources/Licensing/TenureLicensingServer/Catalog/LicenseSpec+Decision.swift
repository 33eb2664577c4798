import TenureCore
import TenureLicensing
import TenureServerKit

extension LicenseSpec {
    /// Decides how to bring the stored license in line with the file.
    ///
    /// The state only becomes more restrictive: from issued or active to suspended, then to revoked or returned. The
    /// file may move the end of the term in both directions, but it never brings an expired license back. `tenure
    /// license renew` does that. A change of the policy keeps the end of the term, unless the file names one.
    ///
    /// - Parameter old: The policy of the stored license; `nil` if the store doesn't contain it.
    func decide(
        over stored: License?, under old: Policy? = nil, newID: LicenseID, by actor: Actor, at now: Timestamp
    ) -> (changes: [PlannedChange], consequences: [Consequences]) {
        guard let stored else { return create(newID, by: actor, at: now) }
        var changes: [PlannedChange] = []
        var consequences: [Consequences] = []
        var license = stored
        var terms = [.policy(policy.id)] + self.terms
        if stored.state(at: now) == .expired, terms.contains(where: { $0.revives(at: now) }) {
            terms.removeAll { $0.revives(at: now) }
            changes.append(keeping("it has expired; to renew it, use `tenure license renew`"))
        }
        if license.recordedState.isFinal {
            if state.map({ $0 != license.recordedState }) ?? false {
                changes.append(keeping("it is \(license.recordedState.rawValue), which is final"))
            }
            return (changes, [])
        }
        if case .granted(let change) = license.change(terms, by: actor, at: now), let changed = change.license {
            let end = old.flatMap { keptEnd(of: changed, from: $0, terms, at: now) }
            changes.append(PlannedChange(.update, "license", name, Self.describe(change) + (end ?? "")))
            consequences.append(change)
            license = changed
        }
        if let state, let stop = stop(license, to: state, by: actor, at: now) {
            changes.append(
                PlannedChange(.update, "license", name, "state \(license.state(at: now).rawValue) -> \(state.rawValue)")
            )
            consequences.append(stop)
        } else if let state, license.recordedState == .suspended, state == .active || state == .issued {
            changes.append(keeping("it is suspended; to reinstate it, use `tenure license reinstate`"))
        }
        return (changes, consequences)
    }

    private var name: String { "\(product) \(key.masked)" }

    private func create(
        _ id: LicenseID, by actor: Actor, at now: Timestamp
    ) -> ([PlannedChange], [Consequences]) {
        let issued = License.issue(
            id: id, product: product, key: key, terms: LicenseTerms(under: policy, from: now, terms), by: actor, at: now
        )
        let line = PlannedChange(
            .create, "license", name, "policy \(policy.id)" + (state.map { ", \($0.rawValue)" } ?? ""))
        guard let license = issued.license, let state, let stop = stop(license, to: state, by: actor, at: now) else {
            return ([line], [issued])
        }
        return ([line], [issued, stop])
    }

    private func stop(
        _ license: License, to state: License.State, by actor: Actor, at now: Timestamp
    ) -> Consequences? {
        let decision: Decision<Consequences>? =
            switch state {
            case .suspended: license.suspend(by: actor, at: now)
            case .revoked: license.revoke(by: actor, at: now)
            case .returned: license.giveBack(by: actor, at: now)
            case .issued, .active, .expired: nil
            }
        return decision?.outcome.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func keeping(_ why: String) -> PlannedChange { PlannedChange(.keep, "license", name, why) }

    /// The note in the line of a change if the license keeps its end under a policy whose terms differ in kind.
    private func keptEnd(
        of license: License, from old: Policy, _ terms: [LicenseTerms.FieldChange], at now: Timestamp
    ) -> String? {
        guard old.leavesEndOpen(terms, movingTo: policy) else { return nil }
        return
            "; its end stays: \(license.ending(at: now).words). To set another one, give the license an \"expiresAt\" "
            + "in the file, or use `tenure license change --expires-at`"
    }

    /// Describes a change by its event's facts, with the new values of fields that events leave out.
    private static func describe(_ change: Consequences) -> String {
        change.events.flatMap(\.facts).flatMap { fact in
            guard fact.name == LicenseTerms.changedFact, let license = change.license else {
                return ["\(fact.name) \(fact.value.text)"]
            }
            let names = fact.value.text.split(atByte: ",").map { $0.drop { $0 == " " } }
            return LicenseField.texts.filter { names.contains($0.member.name[...]) }
                .map { "\($0.member.name) \($0.cell(AsOf(license, at: license.issuedAt)))" }
        }.joined(separator: ", ")
    }
}

extension LicenseTerms.FieldChange {
    /// Whether the change would make an expired license valid again, because the new end is in the future or there is
    /// none.
    fileprivate func revives(at now: Timestamp) -> Bool {
        guard case .end(let end) = self else { return false }
        return end.end.map { $0 > now } ?? true
    }
}
