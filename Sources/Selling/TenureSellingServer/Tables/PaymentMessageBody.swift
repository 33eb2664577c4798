package import TenureCore
import TenureCrypto
import TenureServerKit
package import TenureStore

/// The body of a message from a payment provider, encrypted because it may contain an address and a tax number.
///
/// It's removed after ``PaymentMessageBody/lifetime``.
package struct PaymentMessageBody: Sendable, Hashable {
    package let message: PaymentMessageID
    package let tenant: TenantID
    /// The body as received, encrypted under the master key.
    package let sealed: [UInt8]
    package let receivedAt: Timestamp

    package init(message: PaymentMessageID, tenant: TenantID, sealed: [UInt8], receivedAt: Timestamp) {
        self.message = message
        self.tenant = tenant
        self.sealed = sealed
        self.receivedAt = receivedAt
    }
}

extension PaymentMessageBody: Stored {
    /// The bodies of the messages that arrived in the last 60 days.
    package static let table = Table<PaymentMessageBody>(
        "payment_message_bodies", key: ["message"],
        [
            Field("message") { $0.message }, Field("tenant") { $0.tenant },
            Field("sealed", namesPerson: true) { $0.sealed }, Field("received_at") { $0.receivedAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("by_age", "received_at", "message")]
    ) { row in
        PaymentMessageBody(
            message: try row.next(), tenant: try row.next(), sealed: try row.next(), receivedAt: try row.next())
    }

    /// All bodies, oldest first.
    package static let byAge = table.set("by_age", order: [.up("received_at")])

    /// How long a body is kept, in seconds: 60 days, so that a message that waits for its sale can be acted on.
    package static let lifetime: Int64 = 60 * 86_400
}

extension PaymentMessageBody: SealedRow {
    package static let sealedColumn = "sealed"
    package var sealedBytes: [UInt8]? { sealed }
    package var sealLabel: [UInt8] { Array("tenure payment message|\(tenant)|\(message)".utf8) }

    package func with(sealedBytes: [UInt8]) -> PaymentMessageBody {
        PaymentMessageBody(message: message, tenant: tenant, sealed: sealedBytes, receivedAt: receivedAt)
    }
}

extension PaymentMessageBody {
    /// Encrypts the body of a message. Throws ``ServerError``.
    init(sealing body: [UInt8], of message: PaymentMessage, under master: MasterKey) throws(ServerError) {
        let row = PaymentMessageBody(
            message: message.id, tenant: message.tenant, sealed: [], receivedAt: message.receivedAt)
        do {
            self = row.with(sealedBytes: try master.seal(body, of: row))
        } catch {
            throw ServerError(.crypto, "A payment message couldn't be encrypted.", cause: error.code.text)
        }
    }

    /// Decrypts the body. Throws ``ServerError`` with the code `master_key_wrong` if another key encrypted it.
    func opened(under master: MasterKey) throws(ServerError) -> [UInt8] {
        do {
            return try master.open(self) ?? []
        } catch {
            throw ServerError(
                .masterKeyWrong, "A payment message of \(tenant) can't be decrypted with this master key.",
                cause: error.code.text)
        }
    }
}
