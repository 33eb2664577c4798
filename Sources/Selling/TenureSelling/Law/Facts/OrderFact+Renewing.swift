package import TenureCore

extension ReportedFact {
    /// The license that the buyer's link says the purchase renews; `nil` if there is none.
    ///
    /// The buyer controls the link, so ``Order/decide(_:on:joining:licenses:renewing:rules:liveTestLicenses:now:)`` checks
    /// whether the purchase may renew the license.
    package var renewedLicense: LicenseID? {
        guard case .sold(let sale) = kind, sale.kind == .once else { return nil }
        return sale.buyer.license.flatMap { LicenseID(text: $0) }
    }
}

extension OrderFact {
    /// Whether the purchase extends this license instead of issuing one.
    ///
    /// It must name the license and buy one of the same product and policy, in the same world, and the license must have
    /// an end that can be moved. Otherwise a buyer could make a cheap item extend an expensive license.
    func renews(_ license: PresentLicense) -> Bool {
        guard report.renewedLicense == license.id, terms.lines.count == 1, let line = terms.lines.first else {
            return false
        }
        return line.licenses == 1 && line.devices == nil && line.product == license.product
            && line.policy == license.policy && license.end != nil && !license.state.isFinal
            && license.isTest == terms.isTest
    }
}
