package import TenureCore

extension ReportedFact {
    /// The license that the purchase renews, according to the buyer's link; `nil` if the link names none.
    ///
    /// The buyer controls the link, so ``Order/decide(_:on:joining:licenses:renewing:rules:liveTestLicenses:now:)``
    /// checks whether the purchase may renew the license.
    package var renewedLicense: LicenseID? {
        guard case .sold(let sale) = kind, sale.kind == .once else { return nil }
        return sale.buyer.license.flatMap { LicenseID(text: $0) }
    }
}

extension OrderFact {
    /// Whether the purchase extends a license instead of issuing one.
    ///
    /// The buyer's link must name the license, and the license must have an end. The purchase must be for one license
    /// of the same product and policy. Both must be paid with real money, or both with test money. Otherwise, a buyer
    /// could extend an expensive license with a cheap item.
    func renews(_ license: PresentLicense) -> Bool {
        guard report.renewedLicense == license.id, terms.lines.count == 1, let line = terms.lines.first else {
            return false
        }
        return line.licenses == 1 && line.devices == nil && line.product == license.product
            && line.policy == license.policy && license.end != nil && !license.state.isFinal
            && license.isTest == terms.isTest
    }
}
