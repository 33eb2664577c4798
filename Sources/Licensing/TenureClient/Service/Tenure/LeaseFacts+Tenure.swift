import TenureCore
package import TenureFormats
package import TenureLicensing

extension LeaseFacts {
    /// Extracts the contents of a verified lease of the Tenure dialect.
    package init(_ lease: TenureLease) {
        let status: Status =
            switch lease.status {
            case .active: .active
            case .fallback: .fallback
            case .expired: .expired
            }
        let envelope = lease.envelope
        self.init(
            status: status, keyHash: envelope.keyHash.map { Hex.encode($0.bytes) } ?? "",
            activation: envelope.activation?.description ?? "", device: envelope.device?.text,
            issuedAt: Moment(envelope.issuedAt), expiresAt: Moment(envelope.expiresAt),
            termEnd: lease.term.end.map(Moment.init),
            entitlements: lease.entitlements.map {
                Grant($0.entitlement.name, value: $0.value, end: $0.end.map(Moment.init))
            },
            policy: lease.policy.text, policyName: lease.policyName, holder: lease.holder)
    }
}

extension ToldReason {
    /// Converts a signed reason, with its texts cleaned for display.
    package init(_ reason: TenureRefusal.ServerReason) {
        self.init(
            code: reason.code.text, message: Self.cleaned(reason.message) ?? reason.code.text,
            cure: Self.cleaned(reason.cure),
            changesAt: reason.changesAt.map(Moment.init), evidence: Self.cleaned(reason.evidence))
    }
}

extension LeaseProblem {
    /// Maps an error of the format to the reason why a statement failed verification.
    package init(_ error: FormatError) {
        self =
            switch error.code {
            case .unknownKey: .unknownKey
            case .badSignature: .badSignature
            case .otherProduct: .otherProduct
            case .otherLicenseKey: .otherLicense
            case .otherActivation: .otherActivation
            case .otherDevice: .otherDevice
            case .otherRequest: .otherRequest
            case .outdated: .outdated
            default: .malformed
            }
    }
}
