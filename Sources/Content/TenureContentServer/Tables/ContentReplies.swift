package import TenureCore
import TenureServerKit
package import TenureStore

/// The stored response to a device's request, repeated if the request is sent again.
package struct IdempotentReply: Sendable, Hashable {
    /// A digest of the holder, the device and the device's request id.
    package let key: Digest
    /// A digest of the request, to detect an id that is reused for another request.
    package let fingerprint: Digest
    /// The response without its signatures (``ContentReply``).
    package let reply: [UInt8]
    /// When the response was first sent.
    package let at: Timestamp

    package init(key: Digest, fingerprint: Digest, reply: [UInt8], at: Timestamp) {
        self.key = key
        self.fingerprint = fingerprint
        self.reply = reply
        self.at = at
    }

    /// How long responses are stored, in seconds: seven days.
    package static let lifetime: Int64 = 7 * 86_400
}

extension IdempotentReply: StoredResponse {
    /// The stored responses to devices' requests.
    package static let table = Table<IdempotentReply>(
        "content_replies", key: ["request"],
        [
            Field("request") { $0.key }, Field("fingerprint") { $0.fingerprint }, Field("reply") { $0.reply },
            Field("at") { $0.at },
        ],
        indexes: [TableIndex("by_age", "at")]
    ) { row in
        IdempotentReply(key: try row.next(), fingerprint: try row.next(), reply: try row.next(), at: try row.next())
    }

    /// All responses, oldest first.
    package static let byAge = table.set("by_age", order: [.up("at")])
}
