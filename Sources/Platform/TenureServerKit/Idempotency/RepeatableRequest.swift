package import TenureCore
package import TenureHTTP

/// A request that its client may repeat with the same idempotency key.
package struct RepeatableRequest: Sendable {
    /// Identifies the request in the store, such as a digest of its caller and idempotency key.
    package let key: Digest
    /// A digest of the request, to detect a key that is reused for another request.
    package let fingerprint: Digest

    package init(key: Digest, fingerprint: Digest) {
        self.key = key
        self.fingerprint = fingerprint
    }

    /// Creates a value from a request, its caller and its idempotency key.
    package init(_ request: Request, at place: some TenantCaller, named idempotencyKey: String) {
        key = .sha256(of: "\(place.tenant)\n\(place.actor)\n\(idempotencyKey)")
        fingerprint = .sha256(of: Array("\(request.method)\n\(request.path)\n".utf8) + request.body)
    }
}

/// The result of a repeatable change.
package enum IdempotentOutcome<Answer: Sendable>: Sendable {
    /// The change ran and returned this answer.
    case done(Answer)
    /// An earlier request made the change; these are the bytes of its response.
    case repeated([UInt8])
    /// The key was used for another request.
    case keyReused
}
