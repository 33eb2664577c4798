package import TenureCore
package import TenureHTTP

/// A request that its client may repeat with the same idempotency key.
package struct RepeatableRequest: Sendable {
    /// Identifies the request on this server.
    package let key: Digest
    /// A digest of the request, to detect a key that is used for another one.
    package let fingerprint: Digest

    package init(key: Digest, fingerprint: Digest) {
        self.key = key
        self.fingerprint = fingerprint
    }

    /// Identifies a request by its caller and idempotency key.
    package init(_ request: Request, at place: some TenantCaller, named idempotencyKey: String) {
        key = .sha256(of: "\(place.tenant)\n\(place.actor)\n\(idempotencyKey)")
        fingerprint = .sha256(of: Array("\(request.method)\n\(request.path)\n".utf8) + request.body)
    }
}

/// The result of a repeatable change.
package enum IdempotentOutcome<Answer: Sendable>: Sendable {
    /// The change was carried out with this answer.
    case done(Answer)
    /// An earlier request was carried out; these are the bytes of its response.
    case repeated([UInt8])
    /// The key was used for another request.
    case keyReused
}
