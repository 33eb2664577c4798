package import TenureCore
package import TenureHTTP

/// A request that its client may repeat with the same idempotency key.
package struct RepeatableRequest: Sendable {
    /// Identifies the request in the store, such as a digest of its tenant and idempotency key.
    package let key: Digest
    /// A digest of the request, to detect a key that is reused for another request.
    package let fingerprint: Digest
    /// The caller of the first request. Only this caller gets the first response again.
    package let actor: Actor

    package init(key: Digest, fingerprint: Digest, by actor: Actor) {
        self.key = key
        self.fingerprint = fingerprint
        self.actor = actor
    }

    /// Describes a request by its content, its caller and its idempotency key.
    ///
    /// The key belongs to the tenant. So if a shop replaces its token and repeats its requests, its orders aren't
    /// carried out twice.
    package init(_ request: Request, by caller: some TenantCaller, named idempotencyKey: String) {
        self.init(
            request.method, request.path, request.body, of: caller.tenant, by: caller.actor, named: idempotencyKey)
    }

    /// Describes a request by its method, path, body, tenant, caller and idempotency key.
    package init(
        _ method: String, _ path: String, _ body: [UInt8], of tenant: TenantID, by actor: Actor,
        named idempotencyKey: String
    ) {
        key = .sha256(of: "\(tenant)\n\(idempotencyKey)")
        fingerprint = .sha256(of: Array("\(method)\n\(path)\n".utf8) + CanonicalJSON.bytes(of: body))
        self.actor = actor
    }
}

/// The result of a repeatable change.
package enum IdempotentOutcome<Answer: Sendable>: Sendable {
    /// The change ran and returned this answer.
    case done(Answer)
    /// An earlier request with the same key made the change; this is the row with its stored response.
    case repeated(IdempotentResponse)
    /// The key was used for another request.
    case keyReused
}

/// The part of a change's result that is stored, so that its request can be repeated.
package struct RepeatableAnswer: Sendable, Hashable {
    /// The body of the response, which is encrypted before it's stored.
    let body: [UInt8]
    /// The ids of the created or changed records.
    let records: [Int64]

    package init(_ body: [UInt8], records: [Int64]) {
        self.body = body
        self.records = records
    }
}
