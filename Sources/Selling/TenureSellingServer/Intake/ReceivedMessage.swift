import TenureCore
import TenureCrypto
import TenureFormats
import TenureSelling
import TenureServerKit

/// The parts that a message has, whichever provider sent it.
struct ReceivedMessage: Sendable {
    /// The provider's id of the message; the body's digest if it can't be parsed.
    let id: String
    let type: String
    let happenedAt: Timestamp
    /// Why the message can't be parsed; `nil` if it can.
    let fault: String?

    init(_ body: [UInt8], from provider: PaymentSource.Provider, at now: Timestamp) {
        do throws(FormatError) {
            switch provider {
            case .stripe:
                let message = try StripeMessage(parsing: body)
                (id, type, happenedAt, fault) = (message.id.text, message.type, message.time, nil)
            case .paddle:
                let message = try PaddleMessage(parsing: body)
                (id, type, happenedAt, fault) = (message.id.text, message.type, message.time, nil)
            }
        } catch {
            (id, type, happenedAt) = ("sha256-" + Hex.encode(SHA256.hash(body)), "-", now)
            fault = error.message
        }
    }
}

extension PaymentMessage {
    /// Creates the stored form of a message.
    init(
        _ received: ReceivedMessage, id: PaymentMessageID, of tenant: TenantID, from source: SourceID,
        at now: Timestamp
    ) {
        self.init(
            id: id, tenant: tenant, source: source, message: received.id, type: received.type,
            state: received.fault == nil ? .waiting : .parked, reason: received.fault.map { _ in .bodyUnreadable },
            detail: received.fault, order: nil, happenedAt: received.happenedAt, receivedAt: now, changedAt: now)
    }
}
