extension Tenant {
    /// How a tenant sends letters to its customers.
    package struct MailSettings: Sendable, Hashable {
        /// The sender's address, in ASCII.
        package var from: String
        /// The address for replies; `nil` for the sender's.
        package var replyTo: String?
        /// The address to which mail servers return letters that they can't deliver; `nil` for the sender's.
        package var bounces: String?
        /// The origin of links in letters, such as `https://licenses.example`; `nil` for that of `serve --base-url`.
        package var baseURL: String?

        package init(from: String, replyTo: String? = nil, bounces: String? = nil, baseURL: String? = nil) {
            self.from = from
            self.replyTo = replyTo
            self.bounces = bounces
            self.baseURL = baseURL
        }

        /// The domain of the sender's address.
        package var senderDomain: String { from.cut(at: "@").map { String($0.1) } ?? from }
    }
}
