package import TenureCore
import TenureFormats

/// Reads responses of Stripe's API.
package enum StripeResponse {
    /// A page of the items of a session or of an invoice.
    package struct Items: Sendable, Hashable {
        package var items: [SoldItem]
        /// The id of the last line, after which the next page begins; `nil` if this is the last page.
        package var next: String?
    }

    /// Reads the lines of a session or an invoice; `nil` if the response isn't about this object or can't be read.
    package static func items(parsing body: [UInt8], of object: ProviderID) -> Items? {
        guard let root = try? JSONValue(parsing: body), root["object"]?.text == "list", let lines = root.data,
            root["url"]?.text?.split(atByte: "/").contains(Substring(object.text)) ?? false
        else { return nil }
        let items = lines.compactMap(SoldItem.init(stripe:))
        guard items.count == lines.count else { return nil }
        return Items(items: items, next: root["has_more"]?.bool == true ? lines.last?["id"]?.text : nil)
    }

    /// Reads the current state of a subscription; `nil` if the response isn't about this subscription or can't be read.
    ///
    /// - Parameters:
    ///   - message: The message that the facts are attributed to: one of the messages that contradict each other.
    ///   - time: The time of the facts: one second after those messages.
    package static func subscription(
        parsing body: [UInt8], of subscription: ProviderID, for message: ProviderID, at time: Timestamp
    ) -> OrderReport? {
        guard let object = try? JSONValue(parsing: body), object["object"]?.text == "subscription",
            object["id"]?.id == subscription
        else { return nil }
        let type = "customer.subscription.updated"
        return try? StripeMessage(id: message, type: type, time: time, object: object).content().order
    }

    /// Reads a page of the list of events; `nil` if it can't be read.
    package static func events(parsing body: [UInt8]) -> ListedMessages? {
        guard let root = try? JSONValue(parsing: body), root["object"]?.text == "list", let events = root.data else {
            return nil
        }
        let hasMore = root["has_more"]?.bool ?? false
        return ListedMessages(events, hasMore: hasMore, id: { $0["id"]?.id }, time: { $0["created"]?.seconds })
    }
}

extension MessageContent {
    /// The report about an order; `nil` for all other content.
    var order: OrderReport? { if case .order(let report) = self { report } else { nil } }
}
