public import TenureCore

/// The reader of an explanation, who determines which remedies and reasons it contains.
public enum ExplanationAudience: Sendable, Hashable {
    /// The vendor, who can act on the license.
    case vendor
    /// The license's holder.
    case holder
}

/// Explains a license's state to people, with all the reasons for it.
public struct LicenseExplanation: Sendable, Hashable {
    /// The state at the time that the explanation is for.
    public let state: License.State

    /// What an active device may do; `nil` if the license is stopped.
    public let lease: LeaseTerms.Status?

    /// Every obstacle to using the license or to activating it on a further device, most specific first; empty if there
    /// isn't one.
    ///
    /// For the holder, the list also contains `license_in_grace` while the grace period runs.
    public let reasons: [Reason]

    /// Reasons that don't prevent use now: what happens during a suspension and, for the vendor, a running grace period
    /// and a reached device limit.
    public let notes: [Reason]

    /// The operator's acts that are still in effect and for which a reason was given, newest first.
    ///
    /// For the holder, only those with a reason that the holder may read.
    public let statedActs: [StatedAct]

    /// When the result changes without anyone acting: the end of the term or of its grace; `nil` if never.
    ///
    /// It's `nil` while the license is suspended, because a suspension doesn't end automatically.
    public let changesAt: Timestamp?
}

extension License {
    /// An explanation of the license's state, for one audience.
    public typealias Explanation = LicenseExplanation

    /// Explains the license's state, with every reason that a device could receive.
    ///
    /// - Parameters:
    ///   - activeCount: The number of activated devices.
    ///   - released: The activations that the events are about.
    ///   - devices: The devices that count against the limit; needed if ``Policy/countsDevices(of:at:)`` is true.
    ///   - events: The license's events of ``StatedAct/kinds``, newest first.
    public func explain(
        to audience: ExplanationAudience, activeCount: Int, released: [Activation] = [], devices: [CountedDevice] = [],
        events: [Event] = [],
        under policy: Policy, at now: Timestamp
    ) -> License.Explanation {
        var reasons = obstacles(under: policy, at: now).map { $0.namingCause(among: events) }
        var notes: [Reason] = []
        if !recordedState.isFinal {
            let otherDevice = License.ActivationAttempt(
                newID: ActivationID(high: 0, low: 0), identity: .anonymous, name: "")
            let full = policy.obstacle(to: otherDevice, of: self, after: devices, activeCount: activeCount, at: now)
            let isLimitReached = policy.allowance(of: self).reachedLimit(active: activeCount) != nil
            if audience == .vendor, isLimitReached {
                notes += [full].compactMap(\.self)
            } else {
                reasons += [full].compactMap(\.self)
            }
        }
        if let grace = Reason.grace(of: self, under: policy, at: now) {
            if audience == .holder { reasons.insert(grace, at: 0) } else { notes.append(grace) }
        }
        if recordedState == .suspended {
            notes.append(.licenseStaysSuspended(terms, policy.useEnds(for: term), because: reasons, now))
        }
        let ends = [term.end, policy.useEnds(for: term)].compactMap(\.self).filter { $0 > now }
        return License.Explanation(
            state: state(at: now),
            lease: recordedState.isOpen ? LeaseTerms(of: self, under: policy, at: now).status : nil,
            reasons: audience == .vendor ? reasons.map { $0.forVendor(reading: self) } : reasons,
            notes: audience == .vendor ? notes.map { $0.forVendor(reading: self) } : notes,
            statedActs: StatedAct.effective(events, of: self, released, to: audience),
            changesAt: recordedState.isOpen ? ends.min() : nil)
    }
}

extension License {
    /// The end of the grace period that is running; `nil` if the term hasn't ended, the grace is over or the license is
    /// stopped.
    public func graceEnd(under policy: Policy, at now: Timestamp) -> Timestamp? {
        guard recordedState.isOpen, let end = term.end, let useEnd = policy.useEnds(for: term), end <= now,
            now < useEnd
        else { return nil }
        return useEnd
    }
}

extension Reason {
    /// The reason about the running grace period; `nil` if none is running.
    fileprivate static func grace(of license: License, under policy: Policy, at now: Timestamp) -> Reason? {
        guard let useEnd = license.graceEnd(under: policy, at: now), let end = license.term.end else { return nil }
        return .licenseInGrace(term: end, until: useEnd)
    }

    /// The reason with the vendor's remedy. Its commands name the license, so that they can be copied.
    fileprivate func forVendor(reading license: License) -> Reason {
        let cure =
            switch code {
            case .licenseRevoked, .licenseReturned:
                """
                It can't be restored. To let the customer continue, issue another: `tenure license issue --tenant \
                \(license.product.tenant) --product \(license.product.product) --policy \(license.terms.policy)`.
                """
            case .activationLimitReached where evidence.contains { $0.name == "deviceChanges" }:
                """
                End the count of the released devices with `tenure activation forgive \(license.id)`. If they belong to \
                one customer who changes devices often, raise `deviceChanges` in the catalog.
                """
            case .licenseSuspended where stopCause == .refund:
                """
                The buyer has the money back, so it stays suspended. If it's to work anyway, for instance because the buyer \
                has paid in another way, reinstate it with `tenure license reinstate \(license.id)`.
                """
            case .licenseSuspended where stopCause == .dispute:
                """
                Wait for the decision, which the payment provider reports. To let the buyer use it before, reinstate it \
                with `tenure license reinstate \(license.id)`; then it isn't suspended if the dispute is lost.
                """
            case .licenseExpired where license.isTest, .licenseInGrace where license.isTest:
                """
                It was paid with test money, and ends seven days after it was issued. To try renewals and activations \
                again, simulate another sale with `tenure intake simulate`.
                """
            case .licenseStaysSuspended where license.isTest: "It was paid with test money, so it isn't renewed."
            case .licenseStaysSuspended where evidence.isEmpty: "The reinstatement is enough."
            default: forVendor(of: license.id.description).cure
            }
        return Reason(code, message: message, cure: cure, evidence: evidence, changesAt: changesAt)
    }
}
