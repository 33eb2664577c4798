package import TenureCore
import TenureFormats

/// Reads responses of Paddle's API.
package enum PaddleResponse {
    /// Reads a customer; `nil` if the response is about another customer or can't be read.
    package static func buyer(parsing body: [UInt8], of customer: ProviderID) -> Buyer? {
        guard let data = (try? JSONValue(parsing: body))?["data"], data["id"]?.id == customer,
            let email = data["email"]?.email
        else { return nil }
        return Buyer(email: email, name: data["name"]?.name, customer: customer)
    }

    /// Whether the API reports a transaction as paid. A live sale without a paid transaction is refused.
    package static func isPaid(parsing body: [UInt8], transaction: ProviderID) -> Bool {
        guard let data = (try? JSONValue(parsing: body))?["data"], data["id"]?.id == transaction else { return false }
        return ["paid", "completed"].contains(data["status"]?.text)
    }

    /// Reads the current state of a subscription; `nil` if the response isn't about this subscription or can't be read.
    ///
    /// - Parameters:
    ///   - message: The message that the facts are attributed to: one of the messages that contradict each other.
    ///   - time: The time of the facts: one second after those messages.
    package static func subscription(
        parsing body: [UInt8], of subscription: ProviderID, for message: ProviderID, at time: Timestamp
    ) -> OrderReport? {
        guard let data = (try? JSONValue(parsing: body))?["data"], data["id"]?.id == subscription else { return nil }
        let event = PaddleMessage(id: message, type: "subscription.updated", time: time, data: data)
        return try? event.content().order
    }

    /// Reads a page of the list of events; `nil` if it can't be read.
    package static func events(parsing body: [UInt8]) -> ListedMessages? {
        guard let root = try? JSONValue(parsing: body), let events = root.data else { return nil }
        let hasMore = root["meta"]?["pagination"]?["has_more"]?.bool ?? false
        return ListedMessages(events, hasMore: hasMore, id: { $0["event_id"]?.id }, time: { $0["occurred_at"]?.time })
    }
}
