/// Hands letters to a mail server, or writes them into a folder.
package protocol MailTransport: Sendable {
    /// Sends a letter. If the task is cancelled, the attempt ends as ``Mail/Outcome/deferred(_:)``.
    func send(_ message: MailMessage) async -> Mail.Outcome

    /// Returns the ASCII form (A-labels) of an internationalized domain; `nil` if the domain has no such form.
    func ascii(_ domain: String) -> String?
}

extension Mail {
    /// The outcome of an attempt to send a letter.
    ///
    /// Each case has the mail server's response, or a text about why there was no response. The text may contain the
    /// recipient's address.
    package enum Outcome: Sendable, Hashable {
        /// The mail server has accepted the letter.
        case accepted(String)
        /// There was no connection, or the mail server asks to try again later (4xx).
        case deferred(String)
        /// The mail server permanently refuses the recipient (5xx to RCPT).
        case recipientRefused(String)
        /// The mail server permanently refuses the letter: 5xx after DATA, or a policy's refusal of the recipient
        /// (5.7.x).
        ///
        /// Some mail servers refuse the sender only at this stage.
        case letterRefused(String)
        /// The mail server refuses this server or the sender (5xx before RCPT), or the connection isn't secure.
        ///
        /// Only the operator can correct that, and it concerns all letters.
        case misconfigured(String)
    }
}
