import TenureCore
import TenureCrypto
import TenureStore

/// A request that its client may send again with the same idempotency key, to be carried out once.
struct RepeatableRequest: Sendable {
    /// Names the request on this server.
    let key: Digest
    /// Tells what was asked.
    let fingerprint: Digest

    /// Names a request by what its client calls it, within its tenant, and by what it asks.
    init?(tenant: TenantID, idempotencyKey: String, method: String, path: String, body: [UInt8]) {
        let name = SHA256.hash(Array("\(tenant)\n\(idempotencyKey)".utf8))
        let asked = SHA256.hash(Array("\(method)\n\(path)\n".utf8) + body)
        guard let key = Digest(name), let fingerprint = Digest(asked) else { return nil }
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What a request that may be a repeated one comes to.
enum Once<Answer: Sendable>: Sendable {
    /// It was carried out, and this was answered; the bytes are remembered when the request may come again.
    case done(Answer)
    /// It had been carried out before; the bytes of that answer.
    case repeated([UInt8])
    /// Its key was used for another request.
    case keyReused
}
