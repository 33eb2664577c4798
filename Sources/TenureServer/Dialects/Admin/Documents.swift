public import TenureCore
public import TenureFormats
public import TenureStore

/// How the operator's view writes what is stored: the same members in the API and in `--json`.
extension JSONObjectWriter {
    /// The members of a license; its state is the one at that moment. Dates are RFC 3339 in UTC, an absent end is null.
    public mutating func license(_ license: License, at now: Timestamp) {
        member("id", license.id.description)
        member("tenant", license.product.tenant.text)
        member("product", license.product.product.text)
        member("policy", license.policy.text)
        member("key", license.key.masked)
        member("holder", license.holder)
        member("state", license.state(at: now).rawValue)
        member("startsAt", license.term.start.description)
        member("expiresAt", license.term.end?.description)
        member("issuedAt", license.issuedAt.description)
        member("firstActivatedAt", license.firstActivatedAt?.description)
    }

    /// The members of an activation.
    public mutating func activation(_ activation: Activation) {
        member("id", activation.id.description)
        member("license", activation.license.description)
        member("name", activation.name)
        member("activatedAt", activation.activatedAt.description)
        member("lastSeenAt", activation.lastSeenAt.description)
        member("releasedAt", activation.releasedAt?.description)
    }

    /// The members of an event; what it does not concern is null.
    public mutating func event(_ record: EventRecord) {
        let event = record.event
        member("sequence", record.sequence)
        member("kind", event.kind.text)
        member("at", event.at.description)
        member("tenant", event.tenant.text)
        member("product", event.product?.text)
        member("app", event.app?.description)
        member("account", event.account?.text)
        member("license", event.license?.description)
        member("activation", event.activation?.description)
        member("actor", event.actor.description)
        object("detail") { $0.evidence(event.detail) }
    }

    /// The members of an explanation.
    public mutating func explanation(_ explanation: LicenseExplanation) {
        member("state", explanation.state.rawValue)
        member("lease", explanation.lease?.rawValue)
        member("changesAt", explanation.changesAt?.description)
        array("reasons") { list in
            for reason in explanation.reasons { list.object { $0.reason(reason) } }
        }
    }
}

extension JSONObjectWriter {
    /// The members of a signing key, its private half left out.
    public mutating func signingKey(_ key: SigningKeyRecord) {
        member("tenant", key.tenant.text)
        member("kid", key.kid)
        member("standing", key.standing.rawValue)
        member("publicKey", Base64.encode(key.publicKey))
        member("createdAt", key.createdAt.description)
        member("publishedUntil", key.publishedUntil?.description)
    }

    /// The members of a token, its text left out: nobody has it.
    public mutating func token(_ token: TokenRecord) {
        member("id", token.id)
        member("tenant", token.tenant.text)
        member("name", token.name)
        member("scopes", token.scopes)
        member("createdAt", token.createdAt.description)
        member("expiresAt", token.expiresAt?.description)
        member("revokedAt", token.revokedAt?.description)
    }
}
