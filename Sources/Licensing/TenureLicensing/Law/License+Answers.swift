public import TenureCore

extension License {
    /// The result of validating a license on a device.
    public enum ValidationAnswer: Sendable, Hashable {
        /// The device may continue, with this lease.
        case valid(LeaseTerms)
        /// The device must stop, or may continue only with the reduced features of a `fallback` lease.
        ///
        /// The lease is `fallback` or `expired`. It is `nil` if the license is stopped or isn't active on the device.
        case refused(Refusal, lease: LeaseTerms?)
    }

    /// Decides whether a device may continue to use the license.
    ///
    /// A lease, even an expired one, is issued only if the license is active on the device and hasn't been suspended,
    /// revoked or returned.
    ///
    /// - Parameters:
    ///   - activation: The activation that the device named, if the store knows it. An activation of another license is
    ///     ignored.
    ///   - device: The identity of the requesting device, which must match the activation's. It is `nil` in dialects
    ///     that send only the activation's id.
    public func validate(
        _ activation: Activation?, from device: DeviceIdentity? = nil, under policy: Policy, at now: Timestamp
    ) -> License.ValidationAnswer {
        let record = activation.flatMap { $0.license == id ? $0 : nil }
        guard let obstacle = activationObstacle(record, device) else {
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

    /// Why the activation doesn't belong to the requesting device; `nil` if it does.
    private func activationObstacle(_ record: Activation?, _ device: DeviceIdentity?) -> Reason? {
        guard let record, record.isLive else {
            if record?.releasedBy == .holder { return .activationReleasedByHolder(at: record?.releasedAt) }
            return .activationReleased(at: record?.releasedAt)
        }
        guard let device, !device.isSame(as: record.identity) else { return nil }
        return .activationOtherDevice
    }

    /// Explains a license's state to people, with all the reasons for it.
    public struct Explanation: Sendable, Hashable {
        /// The state at the time that the explanation is for.
        public let state: License.State

        /// What an active device may do; `nil` if the license is stopped.
        public let lease: LeaseTerms.Status?

        /// Every obstacle to using the license, most specific first; empty if nothing prevents use.
        public let reasons: [Reason]

        /// When the result changes without anyone acting: the end of the term or of its grace; `nil` if never.
        public let changesAt: Timestamp?
    }

    /// Explains the license's state to its vendor, with every reason that a device could receive.
    ///
    /// - Parameters:
    ///   - activationCount: The number of live activations.
    ///   - devices: The devices that count; needed if ``Policy/countsDevices(of:at:)`` is true.
    public func explain(
        activationCount: Int, devices: [CountedDevice] = [], under policy: Policy, at now: Timestamp
    ) -> License.Explanation {
        var reasons = obstacles(under: policy, at: now)
        if let limit = policy.activationLimit, activationCount >= limit, !recordedState.isFinal {
            reasons.append(.activationLimitReached(taken: activationCount, of: limit))
        } else if !recordedState.isFinal {
            let stranger = License.ActivationAttempt(
                newID: ActivationID(high: 0, low: 0), identity: .anonymous, name: "")
            let used = policy.obstacle(to: stranger, after: devices, taken: activationCount, at: now)
            reasons += [used].compactMap(\.self)
        }
        let ends = [term.end, policy.useEnds(for: term)].compactMap(\.self).filter { $0 > now }
        return License.Explanation(
            state: state(at: now),
            lease: recordedState.isOpen ? leaseTerms(under: policy, at: now).status : nil,
            reasons: reasons.map(\.forVendor),
            changesAt: recordedState.isFinal ? nil : ends.min())
    }
}
