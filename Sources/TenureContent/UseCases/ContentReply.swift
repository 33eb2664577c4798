import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit

/// The law's answer to a device, before it is signed: JSON with places for statements.
///
/// A decision signs nothing, and what is kept of an answer is this: given again, it is signed by the key of the day.
struct ContentReply: Sendable, Hashable {
    /// The status of the answer.
    let status: Int
    /// JSON in which a byte 0, which no JSON holds, opens a place: a byte for the statement's type, four for the length of
    /// its payload, the payload.
    private let template: [UInt8]

    /// An answer whose members a closure writes.
    init(status: Int = 200, _ body: (inout JSONObjectWriter) -> Void) {
        self.status = status
        template = JSONWriter.object(body)
    }

    /// Where a statement will stand, as the value of a member.
    static func place<Statement: ContentStatement>(_ statement: Statement) -> [UInt8] {
        let payload = statement.json()
        let length = UInt32(payload.count)
        let type: UInt8 = Statement.type == ContentGrant.type ? 1 : 2
        return [0, type] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + payload
    }

    /// The answer as bytes with its statements signed.
    /// - Parameter last: A JSON object whose members are told anew each time, at the end.
    func body(signedBy key: LeaseKey, last: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(template.count * 2)
        var rest = template[...]
        while let place = rest.firstIndex(of: 0) {
            bytes += rest[..<place]
            let length = rest[place + 2..<place + 6].reduce(0) { $0 << 8 | Int($1) }
            let payload = rest[place + 6..<place + 6 + length]
            let input = JWSSigningInput(
                algorithm: .edDSA, type: rest[place + 1] == 1 ? ContentGrant.type : ContentRefusal.type,
                payload: Array(payload)
            ) { $0.member("kid", key.kid) }
            bytes.append(UInt8(ascii: "\""))
            bytes += input.compact(signature: key.privateKey.sign(input.bytes))
            bytes.append(UInt8(ascii: "\""))
            rest = rest[payload.endIndex...]
        }
        bytes += rest
        // Both are objects: the second one's members follow the first one's, between the same braces.
        guard last.count > 2 else { return bytes }
        bytes.removeLast()
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += last.dropFirst()
        return bytes
    }

    /// The answer as it is kept.
    var kept: [UInt8] { [UInt8(status >> 8), UInt8(status & 255)] + template }

    /// Takes up what ``kept`` gave.
    init(kept bytes: [UInt8]) {
        status = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        template = Array(bytes.dropFirst(2))
    }
}

/// A request as its device names it, to be carried out once.
struct NamedRequest: Sendable {
    /// What the device calls it.
    let id: String
    /// Names it among all requests on this server.
    let key: Digest
    /// Tells what was asked.
    let fingerprint: Digest

    /// Names a request of a holder's device.
    /// - Parameter asked: The path and the body.
    init(_ id: String, by holder: PresentHolder, asking asked: [UInt8]) {
        self.id = id
        key = .sha256(
            of: "content request|\(holder.tenant)|\(Hex.encode(holder.device.bytes))|\(id)|\(holder.holder)")
        fingerprint = .sha256(of: asked)
    }

    /// The row that keeps an answer to it.
    func keeping(_ reply: ContentReply, at now: Timestamp) -> KeptReply {
        KeptReply(key: key, fingerprint: fingerprint, reply: reply.kept, at: now)
    }
}
