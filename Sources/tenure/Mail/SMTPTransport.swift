import TenureHTTP
import TenureHTTPClient
import TenureServerKit

/// Sends letters through a mail server.
struct SMTPTransport: MailTransport {
    private let client: SMTPClient

    init(_ client: SMTPClient) { self.client = client }

    func send(_ message: MailMessage) async -> Mail.Outcome {
        let result = await client.send(
            message.bytes, from: message.sender.description, to: message.recipient.description)
        return Mail.Outcome(result)
    }

    func ascii(_ domain: String) -> String? { SMTPClient.ascii(domain) }
}

extension Mail.Outcome {
    /// Classifies the result of an exchange: 4xx is temporary; 5xx concerns the recipient, the letter or the server's
    /// settings, depending on the step.
    ///
    /// Some mail servers refuse this server or the sender's address only after the recipient is named. Their reply then
    /// has the enhanced status 5.7.x (RFC 3463), or 530 if authentication is missing.
    fileprivate init(_ result: SMTPClient.Result) {
        switch (result.fault, result.code ?? 0, result.step) {
        case (.noConnection, _, _): self = .deferred(result.text)
        case (.insecure, _, _), (.misconfigured, _, _): self = .misconfigured(result.text)
        case (nil, 200..<400, _): self = .accepted(result.text)
        case (nil, 530, .recipient): self = .misconfigured(result.text)
        case (nil, 500..., .recipient):
            self =
                result.text.utf8.dropFirst(4).starts(with: "5.7.".utf8)
                ? .letterRefused(result.text) : .recipientRefused(result.text)
        case (nil, 500..., .content): self = .letterRefused(result.text)
        case (nil, 500..., _): self = .misconfigured(result.text)
        case (nil, _, _): self = .deferred(result.text)
        }
    }
}
