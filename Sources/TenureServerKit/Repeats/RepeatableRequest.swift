package import TenureCore
package import TenureHTTP

/// A request that its client may send again with the same idempotency key, to be carried out once.
package struct RepeatableRequest: Sendable {
    /// Names the request on this server.
    package let key: Digest
    /// Names it as versions did that knew no askers apart; what they answered is repeated for its day.
    package let formerKey: Digest
    /// Tells what was asked.
    package let fingerprint: Digest

    /// Names a request by what its client calls it, among those of the same asker, and by what it asks.
    package init(_ request: Request, at place: some TenantPlace, named idempotencyKey: String) {
        key = .sha256(of: "\(place.tenant)\n\(place.actor)\n\(idempotencyKey)")
        formerKey = .sha256(of: "\(place.tenant)\n\(idempotencyKey)")
        fingerprint = .sha256(of: Array("\(request.method)\n\(request.path)\n".utf8) + request.body)
    }
}

/// What a request that may be a repeated one comes to.
package enum Once<Answer: Sendable>: Sendable {
    /// It was carried out, and this was answered; the bytes are remembered when the request may come again.
    case done(Answer)
    /// It had been carried out before; the bytes of that answer.
    case repeated([UInt8])
    /// Its key was used for another request.
    case keyReused
}
