import TenureContent
import TenureCore
import TenureCrypto
import TenureServerKit

extension KollusReply {
    /// The reply as an object of the callback's response.
    var object: [UInt8] {
        switch self {
        case .answer(let answer): KollusToken.object(answer)
        case .repeated(let reply): reply.reply
        }
    }
}

extension IdempotentReply {
    /// Stores the answer to the item with this name, in the form in which it is sent and repeated.
    init(_ answer: KollusItem.Answer, to name: Digest, at now: Timestamp) {
        self.init(key: name, fingerprint: name, reply: KollusToken.object(answer), at: now)
    }

    /// When the content of a stored answer expires, in POSIX seconds; 0 for never, `nil` if the answer doesn't say.
    var kollusExpirationDate: Int64? { KollusToken.expirationDate(of: reply) }
}
