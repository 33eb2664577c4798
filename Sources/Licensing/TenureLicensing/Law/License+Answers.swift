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
    ///   - activation: The activation whose id the device sent, if the store contains it. An activation of another
    ///     license is ignored.
    ///   - device: The identity of the requesting device, which must match the activation's. It is `nil` in dialects
    ///     that send only the activation's id.
    public func validate(
        _ activation: Activation?, from device: DeviceIdentity? = nil, under policy: Policy, at now: Timestamp
    ) -> License.ValidationAnswer {
        let record = activation.flatMap { $0.license == id ? $0 : nil }
        guard let obstacle = activationObstacle(record, device) else {
            if recordedState.isOpen {
                let lease = LeaseTerms(of: self, under: policy, at: now)
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
}
