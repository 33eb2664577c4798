import TenureCore
import TenureStore

extension CanonicalBytes {
    mutating func append(_ page: StorePage) {
        switch page {
        case .catalog(let catalog): append(catalog)
        case .settings(let rows): for row in rows { append(row) }
        case .signingKeys(let rows): for row in rows { append(row) }
        case .tokens(let rows): for row in rows { append(row) }
        case .marketplaceKeys(let rows): for row in rows { append(row) }
        case .appAssets(let rows): for row in rows { append(row) }
        case .accounts(let rows): for row in rows { append(row) }
        case .credentials(let rows): for row in rows { append(row) }
        case .appGrants(let rows): for row in rows { append(row) }
        case .appLicenses(let rows): for row in rows { append(row) }
        case .licenses(let rows): for row in rows { append(row) }
        case .activations(let rows): for row in rows { append(row) }
        case .licenseCredentials(let rows): for row in rows { append(row) }
        case .trials(let rows): for row in rows { append(row) }
        case .events(let rows): for row in rows { append(row) }
        case .answers(let rows): for row in rows { append(row) }
        }
    }

    private mutating func append(_ setting: SettingRecord) {
        append(setting.name)
        append(setting.value)
    }

    private mutating func append(_ key: SigningKeyRecord) {
        append(key.tenant.text)
        append(key.kid)
        append(key.standing.rawValue)
        append(key.publicKey)
        append(key.sealedSeed)
        append(key.createdAt)
        append(key.publishedUntil)
    }

    private mutating func append(_ token: TokenRecord) {
        append(token.id)
        append(token.tenant.text)
        append(token.name)
        append(token.scopes.count)
        for scope in token.scopes { append(scope) }
        append(token.hash)
        append(token.createdAt)
        append(token.expiresAt)
        append(token.revokedAt)
    }

    private mutating func append(_ license: License) {
        append(license.id.number)
        append(license.product)
        append(license.key.hash)
        append(license.key.masked)
        append(license.policy.text)
        append(license.holder)
        append(license.term.start)
        append(license.term.end)
        append(license.recordedState.rawValue)
        append(license.issuedAt)
        append(license.firstActivatedAt)
    }

    private mutating func append(_ activation: Activation) {
        append(activation.id)
        append(activation.license.number)
        append(activation.identity.code)
        append(activation.name)
        append(activation.activatedAt)
        append(activation.lastSeenAt)
        append(activation.releasedAt)
        append(activation.releasedBy?.rawValue)
    }

    private mutating func append(_ credential: LicenseCredential) {
        append(credential.hash)
        append(credential.license.number)
        append(credential.kind.rawValue)
        append(credential.createdAt)
        append(credential.expiresAt)
        append(credential.endedAt)
    }

    private mutating func append(_ trial: Trial) {
        append(trial.product)
        append(trial.device)
        append(trial.start)
        append(trial.recordedAt)
    }

    private mutating func append(_ record: EventRecord) {
        append(record.sequence)
        append(record.event.kind.text)
        append(record.event.at)
        append(record.event.tenant.text)
        append(record.event.product?.text)
        append(record.event.app) { $0.append($1.number) }
        append(record.event.account?.text)
        append(record.event.license) { $0.append($1.number) }
        append(record.event.activation)
        append(record.event.actor.description)
        append(Event.code(record.event.detail))
    }

    private mutating func append(_ answer: RememberedAnswer) {
        append(answer.key)
        append(answer.fingerprint)
        append(answer.sealed)
        append(answer.at)
    }
}
