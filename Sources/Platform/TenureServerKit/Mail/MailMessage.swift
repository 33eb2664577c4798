package import TenureCore
import TenureFormats

/// A letter in the form for mail servers: the envelope, and the message of RFC 5322 and RFC 2045 with CRLF line ends.
package struct MailMessage: Sendable, Hashable {
    /// The envelope's sender, to whom mail servers return letters that they can't deliver.
    package let sender: MailMessage.Address
    package let recipient: MailMessage.Address
    /// The `Message-ID` without angle brackets.
    package let id: String
    /// The headers and the body.
    package let bytes: [UInt8]

    /// Composes a message.
    ///
    /// - Parameters:
    ///   - address: The recipient's address, as the operator or customer typed it.
    ///   - ascii: Returns the ASCII form (A-labels) of an internationalized domain; `nil` if it has none.
    /// - Throws: ``Address/Fault`` if the recipient's or the sender's address can't be used.
    package init(
        _ text: MailKind.Text, to address: String, from tenant: Tenant, by settings: Tenant.MailSettings, id: String,
        at now: Timestamp, ascii: (String) -> String?
    ) throws(MailMessage.Address.Fault) {
        recipient = try MailMessage.Address(address, ascii: ascii)
        sender = try MailMessage.Address(settings.bounces ?? settings.from, ascii: ascii)
        self.id = id
        var headers = MailHeaders()
        headers.add("From", name: tenant.brand?.name ?? tenant.name, address: settings.from)
        if let replyTo = settings.replyTo { headers.add("Reply-To", "<\(replyTo)>") }
        headers.add("To", name: text.recipient, address: recipient.description)
        headers.add("Subject", text: text.subject)
        headers.add("Date", now.mailDate)
        headers.add("Message-ID", "<\(id)>")
        headers.add("MIME-Version", "1.0")
        headers.add("Content-Type", "text/plain; charset=utf-8")
        headers.add("Content-Transfer-Encoding", "quoted-printable")
        headers.add("Auto-Submitted", "auto-generated")
        headers.add("X-Auto-Response-Suppress", "All")
        headers.add("X-PM-KeepID", "true")
        bytes = headers.bytes + [0x0D, 0x0A] + QuotedPrintable.encode(text.body)
    }
}

/// Writes the headers of a message. Texts that people typed are encoded, so that they can't add headers.
private struct MailHeaders {
    private(set) var bytes: [UInt8] = []

    /// Adds a header whose value is ASCII without control characters.
    mutating func add(_ name: String, _ value: String) { bytes += "\(name): \(value)\r\n".utf8 }

    /// Adds a header with free text.
    mutating func add(_ name: String, text: String) {
        let text = Self.oneLine(text)
        add(name, Self.isPlain(text, limit: 60) { (0x20...0x7E).contains($0) } ? text : Self.encodedWords(text))
    }

    /// Adds a header with an address and the name of its owner.
    mutating func add(_ name: String, name person: String?, address: String) {
        let person = Self.oneLine(person ?? "")
        guard !person.isEmpty else { return add(name, "<\(address)>") }
        let isAtoms = Self.isPlain(person, limit: 50) { byte in
            switch byte {
            case 0x20, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        add(name, "\(isAtoms ? person : Self.encodedWords(person))\r\n <\(address)>")
    }

    /// Returns the text on one line: control characters, line breaks and repeated spaces become one space.
    private static func oneLine(_ text: String) -> String {
        let words = text.unicodeScalars.split { scalar in
            scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
        }
        return words.map { String($0) }.joined(separator: " ")
    }

    private static func isPlain(_ text: String, limit: Int, _ isAllowed: (UInt8) -> Bool) -> Bool {
        text.utf8.count <= limit && text.utf8.allSatisfy(isAllowed) && text.cut(at: "=?") == nil
    }

    /// Encodes a text as encoded words (RFC 2047), one per line.
    private static func encodedWords(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let units = Array(UTF8.encode(scalar) ?? .init())
            if words[words.count - 1].count + units.count > 39 { words.append([]) }
            words[words.count - 1] += units
        }
        return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
    }
}

extension Timestamp {
    /// The time in UTC in the format of RFC 5322, such as `Mon, 30 Nov 2026 04:24:29 +0000`.
    fileprivate var mailDate: String {
        let parts = description.split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]), (1...12).contains(month) else { return description }
        let days = Int(seconds / 86_400)
        let weekday = Self.weekdays[((days + 4) % 7 + 7) % 7]
        return
            "\(weekday), \(parts[2]) \(HTTPDate.months[month - 1]) \(parts[0]) \(parts[3...].joined(separator: ":")) +0000"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}
