package import TenureCore
package import TenureStore

/// The law's answer to a request of a device, to be given again when the request is sent again.
package struct KeptReply: Sendable, Hashable {
    /// Names the request: a digest of holder, device and what the device calls it.
    package let key: Digest
    /// A digest of what was asked, to notice a name that is used for something else.
    package let fingerprint: Digest
    /// The answer without its signatures (``ContentReply``).
    package let reply: [UInt8]
    /// When it was given.
    package let at: Timestamp

    /// Puts it together.
    package init(key: Digest, fingerprint: Digest, reply: [UInt8], at: Timestamp) {
        self.key = key
        self.fingerprint = fingerprint
        self.reply = reply
        self.at = at
    }

    /// How long answers are kept, in seconds: seven days.
    package static let lifetime: Int64 = 7 * 86_400
}

extension KeptReply: Stored {
    /// Answers to devices.
    package static let table = Table<KeptReply>(
        "content_replies", key: ["request"],
        [
            Field("request") { $0.key }, Field("fingerprint") { $0.fingerprint }, Field("reply") { $0.reply },
            Field("at") { $0.at },
        ]
    ) { row throws(StoreError) in
        KeptReply(key: try row.next(), fingerprint: try row.next(), reply: try row.next(), at: try row.next())
    }

    /// All of them, the oldest first.
    package static let byAge = table.set("by_age", order: [.up("at")])
}
