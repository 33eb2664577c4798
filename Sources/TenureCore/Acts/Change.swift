/// An operator's edit of a license; what is nil stays as it is.
public struct LicenseEdit: Sendable, Hashable {
    /// The policy it shall follow.
    public var policy: PolicyID?

    /// Its holder; an empty text removes the name.
    public var holder: String?

    /// Its term's end.
    public var end: End?

    /// An end to set.
    public enum End: Sendable, Hashable {
        /// The license becomes perpetual.
        case never
        /// The first moment that no longer belongs to the term; one that has passed expires the license at once.
        case at(Timestamp)
    }

    /// Makes an edit.
    public init(policy: PolicyID? = nil, holder: String? = nil, end: End? = nil) {
        self.policy = policy
        self.holder = holder
        self.end = end
    }
}

extension License {
    /// Decides what an edit changes. A revoked or returned license refuses; an edit that changes nothing records nothing.
    ///
    /// An end before the term's start moves the start with it: the term is empty and over.
    public func change(_ edit: LicenseEdit, by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        if recordedState.isFinal {
            return .refused(Refusal(recordedState == .revoked ? .licenseRevoked : .licenseReturned))
        }
        var license = self
        var detail: [Reason.Evidence] = []
        if let policy = edit.policy, policy != self.policy {
            license.policy = policy
            detail += [.init("previousPolicy", .text(self.policy.text)), .init("policy", .text(policy.text))]
        }
        if let holder = edit.holder, holder != (self.holder ?? "") {
            license.holder = holder.isEmpty ? nil : holder
            detail.append(.init("holder", .text(holder)))
        }
        if let end = edit.end {
            let newEnd: Timestamp? = if case .at(let moment) = end { moment } else { nil }
            if newEnd != term.end {
                let start = newEnd.map { min($0, term.start) } ?? term.start
                license.term = Term(start: start, end: newEnd) ?? term
                detail.append(.init("expiresAt", newEnd.map { .date($0) } ?? .text("never")))
            }
        }
        if detail.isEmpty { return .granted(.none) }
        if license.recordedState.isOpen { license.recordedState = openState }
        return .granted(recording(.licenseChanged, license, by: actor, at: now, detail))
    }

    /// Decides on a new key for the same license: the old one is dead, the devices keep their seats.
    ///
    /// A revoked or returned license refuses.
    public func rekey(to key: LicenseKey, by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        if recordedState.isFinal {
            return .refused(Refusal(recordedState == .revoked ? .licenseRevoked : .licenseReturned))
        }
        var license = self
        license.key = key
        return .granted(
            recording(
                .licenseRekeyed, license, by: actor, at: now,
                [
                    .init("previousKey", .text(self.key.masked)), .init("key", .text(key.masked)),
                ]))
    }
}
