package import TenureCore

extension Refusal {
    /// Whether the refusal has a reason for which an event may contain the operator's explanation.
    package var mayBeTold: Bool { reasons.contains { $0.toldBy != nil } }

    /// Adds the explanations that events contain to the refusal's reasons, as evidence.
    ///
    /// The evidence `cause` says what happened to the payment, if an order has stopped the license. The evidence
    /// `vendorReason` is the reason that an operator shared with the holder; reasons that the holder may not read are
    /// left out.
    ///
    /// - Parameters:
    ///   - events: Events of the license, newest first.
    ///   - activation: The activation whose id the device sent.
    package func telling(_ events: [Event], to activation: ActivationID?) -> Refusal {
        Refusal(reasons.map { $0.namingCause(among: events).telling(events, to: activation) }) ?? self
    }
}

extension Reason {
    /// The kind of the event that may contain the operator's explanation of this reason; `nil` for reasons that
    /// operators don't explain.
    fileprivate var toldBy: EventKind? {
        switch code {
        case .licenseSuspended: .licenseSuspended
        case .licenseRevoked: .licenseRevoked
        case .activationReleased: .activationReleased
        default: nil
        }
    }

    fileprivate var releasedAt: Timestamp? {
        guard code == .activationReleased,
            case .date(let at)? = evidence.first(where: { $0.name == "releasedAt" })?.value
        else { return nil }
        return at
    }

    fileprivate func telling(_ events: [Event], to activation: ActivationID?) -> Reason {
        guard let toldBy, let reason = stated(toldBy, events, activation), reason.isTold else { return self }
        return Reason(
            code, message: message, cure: cure, evidence: evidence + [Evidence("vendorReason", .text(reason.brief))],
            changesAt: changesAt)
    }

    private func stated(_ kind: EventKind, _ events: [Event], _ activation: ActivationID?) -> StatedReason? {
        guard kind == .activationReleased else { return StatedReason.inForce(kind, among: events) }
        let release = events.first { $0.kind == kind && $0.subject.activation == activation && $0.at == releasedAt }
        return release.flatMap(StatedReason.init)
    }
}

extension StatedReason {
    /// The reason without control characters, cut to 256 Unicode scalars.
    fileprivate var brief: String {
        let shown = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(shown.prefix(256)))
    }
}
