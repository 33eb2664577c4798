import TenureCore
import TenureStore

extension CanonicalBytes {
    mutating func append(_ key: MarketplaceKeyRecord) {
        append(key.tenant.text)
        append(key.purpose.rawValue)
        append(key.kid)
        append(key.origin.rawValue)
        append(key.certificate)
        append(key.sealedSecret) { $0.append($1) }
        append(key.createdAt)
        append(key.namedFrom)
    }

    mutating func append(_ asset: AppAsset) {
        append(asset.tenant.text)
        append(asset.ref)
        append(asset.kind.rawValue)
        append(asset.keyBlob) { $0.append($1) }
        append(asset.isSimulated)
    }

    mutating func append(_ account: Account) {
        append(account.ref)
        append(account.email)
        append(account.passwordHash)
        append(account.createdAt)
    }

    mutating func append(_ credential: AccountCredential) {
        append(credential.hash)
        append(credential.account)
        append(credential.kind.rawValue)
        append(credential.createdAt)
        append(credential.expiresAt)
        append(credential.endedAt)
    }

    mutating func append(_ grant: AppGrant) {
        append(grant.account)
        append(grant.item.number)
        append(grant.term.start)
        append(grant.term.end)
        append(grant.grantedAt)
        append(grant.endedAt)
    }

    mutating func append(_ license: AppLicense) {
        append(license.id.number)
        append(license.tenant.text)
        append(license.asset)
        append(license.account?.text)
        append(license.device)
        append(license.request)
        append(license.issuedAt)
        append(license.term.start)
        append(license.term.end)
        append(license.termRequest)
        append(license.recordedState.rawValue)
        append(license.stoppedAt)
        append(license.failedAt)
        append(license.isReplaced)
    }

    private mutating func append(_ account: AccountRef) {
        append(account.tenant.text)
        append(account.account.text)
    }

    private mutating func append(_ asset: AssetRef) {
        append(asset.item.number)
        append(asset.version.number)
        append(asset.asset.text)
    }
}
