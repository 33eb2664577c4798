import TenureCore

extension Sequence<AppLicense> {
    /// One license for each device, account and app: the one whose term started last, in the sequence's order.
    ///
    /// A device has one license of an app, even if an interrupted update left others that it could still renew.
    public var currentOfEachDevice: [AppLicense] {
        var newest: [AppLicense.Holding: AppLicense] = [:]
        for license in self {
            if let other = newest[license.holding], other.isMoreCurrent(than: license) { continue }
            newest[license.holding] = license
        }
        return filter { newest[$0.holding]?.id == $0.id }
    }
}

extension AppLicense {
    fileprivate struct Holding: Hashable {
        let tenant: TenantID
        let account: AccountID?
        let device: Digest
        let item: AppleItemID
    }

    fileprivate var holding: Holding { Holding(tenant: tenant, account: account, device: device, item: item) }

    fileprivate func isMoreCurrent(than other: AppLicense) -> Bool {
        if isReplaced != other.isReplaced { return !isReplaced }
        return (term.start, issuedAt, id) > (other.term.start, other.issuedAt, other.id)
    }
}
