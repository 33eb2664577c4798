/// What a device's question "may I go on?" comes to.
public enum ValidateAnswer: Sendable, Hashable {
    /// Yes, on these terms.
    case valid(LeaseTerms)
    /// No, or only in the reduced mode: then with the signed terms of a lease, `fallback` or `expired`.
    case refused(Refusal, lease: LeaseTerms?)
}

extension License {
    /// Decides whether a device may go on using the license.
    ///
    /// A lease, even one that says no, is given only to a device that holds a seat of a license that nobody has stopped.
    /// - Parameters:
    ///   - activation: The activation that the device named, if the store knows it; another license's counts as none.
    ///   - device: Who asks, where the dialect says so: the seat must have been given to it. Nil where an activation's
    ///     name is all there is.
    public func validate(
        _ activation: Activation?, from device: DeviceIdentity? = nil, under policy: Policy, at now: Timestamp
    ) -> ValidateAnswer {
        let seat = activation.flatMap { $0.license == id ? $0 : nil }
        guard let obstacle = seatObstacle(seat, device) else {
            if recordedState.isOpen {
                let lease = leaseTerms(under: policy, at: now)
                guard let refusal = Refusal(obstacles(under: policy, at: now)) else { return .valid(lease) }
                return .refused(refusal, lease: lease)
            }
            let reasons = obstacles(under: policy, at: now)
            return .refused(Refusal(reasons) ?? Refusal(.activationReleased(at: nil)), lease: nil)
        }
        var reasons = obstacles(under: policy, at: now)
        reasons.insert(obstacle, at: reasons.firstIndex { $0.code == .licenseExpired } ?? reasons.endIndex)
        return .refused(Refusal(reasons) ?? Refusal(obstacle), lease: nil)
    }

    /// Why a seat is not the asking device's; nil when it is.
    private func seatObstacle(_ seat: Activation?, _ device: DeviceIdentity?) -> Reason? {
        guard let seat, seat.isLive else {
            if seat?.releasedBy == .holder { return .activationReleasedByHolder(at: seat?.releasedAt) }
            return .activationReleased(at: seat?.releasedAt)
        }
        guard let device, !device.isSame(as: seat.identity) else { return nil }
        return .activationOtherDevice
    }
}

/// Where a license stands and why, for people.
public struct LicenseExplanation: Sendable, Hashable {
    /// Its state at the moment asked about.
    public let state: License.State

    /// What a device that holds a seat may do; nil when the license is stopped.
    public let lease: LeaseTerms.Status?

    /// Everything that stands in the way, most specific first; empty when nothing does.
    public let reasons: [Reason]

    /// When the answer changes by itself, if ever: the end of the term or of its grace.
    public let changesAt: Timestamp?
}

extension License {
    /// Explains the license at a moment to its vendor, with all reasons that a device could be given.
    public func explain(
        seatsTaken: Int, devices: [CountedDevice] = [], under policy: Policy, at now: Timestamp
    ) -> LicenseExplanation {
        var reasons = obstacles(under: policy, at: now)
        if let limit = policy.activationLimit, seatsTaken >= limit, !recordedState.isFinal {
            reasons.append(.activationLimitReached(taken: seatsTaken, of: limit))
        } else if !recordedState.isFinal {
            let stranger = ActivationAttempt(
                newID: ActivationID(high: 0, low: 0), identity: .anonymous, name: "")
            let used = policy.obstacle(to: stranger, after: devices, taken: seatsTaken, at: now)
            reasons += [used].compactMap(\.self)
        }
        let ends = [term.end, policy.useEnds(for: term)].compactMap(\.self).filter { $0 > now }
        return LicenseExplanation(
            state: state(at: now),
            lease: recordedState.isOpen ? leaseTerms(under: policy, at: now).status : nil,
            reasons: reasons.map(\.forVendor),
            changesAt: recordedState.isFinal ? nil : ends.min())
    }
}
