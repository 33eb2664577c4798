package import TenureCore

/// A kind of letters: its name, and a function that writes such a letter when it's sent.
package struct MailKind: Sendable {
    /// The name of a kind, which suffices to create a letter.
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
        /// The body as plain text, whose lines end with a line feed.
        package let body: String
        /// The recipient's name for the header `To`; `nil` to name only the address.
        package let recipient: String?

        package init(subject: String, body: String, recipient: String? = nil) {
            self.subject = subject
            self.body = body
            self.recipient = recipient
        }
    }

    /// The text of a letter that is about to be sent, or the reason why it isn't sent.
    package enum Composition: Sendable, Hashable {
        case letter(Text)
        /// The letter isn't sent, because its text is outdated.
        ///
        /// That is so if one of its licenses has another key or another holder's address, or has been revoked or
        /// suspended.
        case superseded
        /// The letter can't be written, for this reason. The reason must not contain an address.
        case failed(String)
    }

    /// The data, besides the letter, that the text of a letter may use.
    package struct Context: Sendable {
        /// The tenant in the catalog that is current when the letter is sent.
        package let tenant: Tenant
        /// The base URL of links, without a slash at the end; `nil` if the letter can't contain links.
        package let baseURL: String?
        package let now: Timestamp
    }

    package let name: Name
    let compose: @Sendable (Mail, Context) async throws(ServerError) -> Composition

    /// Declares a kind.
    ///
    /// - Parameter compose: Decides about a letter and writes it. It runs again for each attempt. An error that it
    ///   throws is an error of the store; the job is then retried.
    package init(_ name: Name, compose: @escaping @Sendable (Mail, Context) async throws(ServerError) -> Composition) {
        self.name = name
        self.compose = compose
    }
}
