import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit

/// An unsigned response to a device: JSON with placeholders for signed statements.
///
/// Decisions don't sign. Responses are stored in this form, and are signed with the current key each time they are
/// sent.
struct ContentReply: Sendable, Hashable {
    /// The HTTP status of the response.
    let status: Int
    /// JSON with placeholders. A placeholder starts with a 0 byte, which JSON never contains.
    ///
    /// The 0 byte is followed by one byte for the statement's type, four for the payload's length, and the payload.
    private let template: [UInt8]

    /// Creates a response; the closure writes the members of its JSON object.
    init(status: Int = 200, _ body: (inout JSONObjectWriter) -> Void) {
        self.status = status
        template = JSONWriter.object(body)
    }

    /// Returns a placeholder for a statement, to be used as a member's value.
    static func placeholder<Statement: ContentStatement>(_ statement: Statement) -> [UInt8] {
        let payload = statement.json()
        let length = UInt32(payload.count)
        let type: UInt8 = Statement.type == ContentGrant.type ? 1 : 2
        return [0, type] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + payload
    }

    /// Returns the body with a signed statement in place of each placeholder.
    ///
    /// - Parameters:
    ///   - key: The signing key.
    ///   - last: A JSON object whose members are appended. They aren't stored, so they may differ each time the
    ///     response is sent.
    func body(signedBy key: LeaseKey, last: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(template.count * 2)
        var rest = template[...]
        while let index = rest.firstIndex(of: 0) {
            bytes += rest[..<index]
            let length = rest[index + 2..<index + 6].reduce(0) { $0 << 8 | Int($1) }
            let payload = rest[index + 6..<index + 6 + length]
            let input = JWSSigningInput(
                algorithm: .edDSA, type: rest[index + 1] == 1 ? ContentGrant.type : ContentRefusal.type,
                payload: Array(payload)
            ) { $0.member("kid", key.kid) }
            bytes.append(UInt8(ascii: "\""))
            bytes += input.compact(signature: key.privateKey.sign(input.bytes))
            bytes.append(UInt8(ascii: "\""))
            rest = rest[payload.endIndex...]
        }
        bytes += rest
        // Both are JSON objects. The members of `last` are appended inside the braces of the first one.
        guard last.count > 2 else { return bytes }
        bytes.removeLast()
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += last.dropFirst()
        return bytes
    }

    /// The response as it is stored: the status in two bytes, followed by the template.
    var bytes: [UInt8] { [UInt8(status >> 8), UInt8(status & 255)] + template }

    /// Restores a stored response from ``bytes``.
    init(kept bytes: [UInt8]) {
        status = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        template = Array(bytes.dropFirst(2))
    }
}

/// A device's request with the id by which the server recognizes a repetition.
struct NamedRequest: Sendable {
    /// The id that the device chose.
    let id: String
    /// The request's key and fingerprint.
    let repeatable: RepeatableRequest

    /// Creates a request and computes its key and fingerprint.
    ///
    /// - Parameters:
    ///   - id: The id that the device chose.
    ///   - requested: The method, path and body.
    init(_ id: String, by holder: PresentHolder, asking requested: [UInt8]) {
        self.id = id
        repeatable = RepeatableRequest(
            key: .sha256(
                of: "content request|\(holder.tenant)|\(Hex.encode(holder.device.bytes))|\(id)|\(holder.holder)"),
            fingerprint: .sha256(of: requested), by: .device)
    }

    /// Returns the row that stores a response, so that it can be repeated.
    func keeping(_ reply: ContentReply, at now: Timestamp) -> IdempotentReply {
        IdempotentReply(
            key: repeatable.key, fingerprint: repeatable.fingerprint, reply: reply.bytes, at: now)
    }
}
