package import TenureCore

/// A kind of letters: its name, and how to write such a letter when it's sent.
package struct MailKind: Sendable {
    /// The name of a kind, which is all that creating a letter needs.
    package struct Name: Sendable, Hashable {
        /// The name, such as `keys`.
        ///
        /// Don't reuse a name, because stores may still contain letters with it.
        package let text: String

        package init(_ text: String) { self.text = text }
    }

    /// The text of a letter.
    package struct Text: Sendable, Hashable {
        /// The subject, without line breaks.
        package let subject: String
        /// The body as plain text; its lines end with a line feed.
        package let body: String
        /// The recipient's name for the header `To`; `nil` to name only the address.
        package let recipient: String?

        package init(subject: String, body: String, recipient: String? = nil) {
            self.subject = subject
            self.body = body
            self.recipient = recipient
        }
    }

    /// How a letter that is due is handled.
    package enum Composition: Sendable, Hashable {
        case letter(Text)
        /// The letter isn't sent, because it wouldn't be true anymore.
        ///
        /// That is the case if one of its licenses has got another key or holder's address, or has been revoked or
        /// suspended.
        case superseded
        /// The letter can't be written, for this reason; it must not contain an address.
        case failed(String)
    }

    /// The data that a letter may mention besides its own.
    package struct Context: Sendable {
        /// The tenant, from the catalog that is current when the letter is sent.
        package let tenant: Tenant
        /// The address before the path of links, without a slash at the end; `nil` if links have none.
        package let baseURL: String?
        package let now: Timestamp
    }

    package let name: Name
    let compose: @Sendable (Mail, Context) async throws(ServerError) -> Composition

    /// Declares a kind.
    ///
    /// - Parameter compose: Decides about a letter and writes it. It runs again for each attempt. A thrown error is one
    ///   of the store, after which the job is tried again.
    package init(_ name: Name, compose: @escaping @Sendable (Mail, Context) async throws(ServerError) -> Composition) {
        self.name = name
        self.compose = compose
    }
}
