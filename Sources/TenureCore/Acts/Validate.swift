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
    /// - Parameter activation: The activation that the device named, if the store knows it; another license's counts as
    ///   none.
    public func validate(_ activation: Activation?, under policy: Policy, at now: Timestamp) -> ValidateAnswer {
        let seat = activation.flatMap { $0.license == id ? $0 : nil }
        let released = seat?.isLive != true
        if !released, recordedState.isOpen {
            let lease = leaseTerms(under: policy, at: now)
            guard let refusal = Refusal(obstacles(under: policy, at: now)) else { return .valid(lease) }
            return .refused(refusal, lease: lease)
        }
        var reasons = obstacles(under: policy, at: now)
        if released {
            let place = reasons.firstIndex { $0.code == .licenseExpired } ?? reasons.endIndex
            reasons.insert(.activationReleased(at: seat?.releasedAt), at: place)
        }
        return .refused(Refusal(reasons) ?? Refusal(.activationReleased(at: nil)), lease: nil)
    }
}
