/// Hands letters to a mail server, or writes them into a folder.
package protocol MailTransport: Sendable {
    /// Sends a letter; a cancelled task ends the attempt as ``Mail/Outcome/deferred(_:)``.
    func send(_ message: MailMessage) async -> Mail.Outcome

    /// Returns the ASCII form (punycode) of a domain beyond ASCII; `nil` if it has none.
    func ascii(_ domain: String) -> String?
}

extension Mail {
    /// How an attempt to send a letter ended.
    ///
    /// Each case has the mail server's response, or says why there was no response. They may contain the recipient's address.
    package enum Outcome: Sendable, Hashable {
        /// The mail server has accepted the letter.
        case accepted(String)
        /// There was no connection, or the mail server asks to try again later (4xx).
        case deferred(String)
        /// The mail server refuses the recipient for good (5xx to RCPT).
        case recipientRefused(String)
        /// The mail server refuses the letter for good: 5xx after DATA, or a policy's refusal of the recipient (5.7.x).
        ///
        /// Some mail servers refuse a sender only then.
        case letterRefused(String)
        /// The mail server refuses this server or the sender (5xx before RCPT), or the connection isn't secure.
        ///
        /// Only the operator can change that, and it concerns all letters.
        case misconfigured(String)
    }
}
