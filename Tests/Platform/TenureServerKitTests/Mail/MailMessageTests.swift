import Foundation
import GoldenFiles
import TenureCore
import TenureServerKit
import TestProcesses
import Testing

/// Tests the bytes of letters, also with another library: Python's `email` with `policy.SMTP`.
@Suite struct MailMessageTests {
    private static let texts = [
        "Acme", "Söhne & Töchter", "日本語の名前", "مثال عربي", "=?utf-8?B?QQ==?=", "Ada\r\nBcc: eve@evil.example",
        "a\nb", "a\rb", "nul\u{0}byte", "\"quoted\\\" <a@b>", String(repeating: "Grüße ", count: 50), "  two  spaces  ",
        "\u{202E}right to left", "e\u{301}", "🎉 party", ".", "tab\tbed", "line\u{2028}separator",
        String(repeating: "x", count: 300),
    ]
    private static let bodies = [
        "Hello\n", "no line end", "", "\n\n", ".\n..\n.dot\n", "From here\n", "trailing blank \n\ttab\t\n",
        "a=b==\n", "NOTE-AAAA-BBBB-CCCC-DDDD-EEEE\n", String(repeating: "ü", count: 400) + "\n",
        String(repeating: "x", count: 75) + "\n" + String(repeating: "y", count: 76) + "\n"
            + String(repeating: "z", count: 77) + "\n",
        "cr\r\nlf\rmixed\n", "two\r\r\nreturns\n", "nul\u{0}\n", "日本語\nالعربية\n",
    ]

    private struct Sample {
        let sender: String
        let recipient: String
        let subject: String
        let body: String
        let message: MailMessage
    }

    private func sample(_ sender: String, _ recipient: String, _ subject: String, _ body: String) throws -> Sample {
        let settings = Tenant.MailSettings(from: "keys@acme.example", replyTo: "help@acme.example")
        let message = try MailMessage(
            .init(subject: subject, body: body, recipient: recipient), to: "ada.b+c@shop.example",
            from: Tenant(id: .sample, name: sender), by: settings, id: "mail_0000000000001@acme.example",
            at: Timestamp(seconds: 1_796_012_669), ascii: { _ in nil })
        return Sample(sender: sender, recipient: recipient, subject: subject, body: body, message: message)
    }

    private var samples: [Sample] {
        get throws {
            var samples: [Sample] = []
            for (index, text) in Self.texts.enumerated() {
                let other = Self.texts[(index * 7 + 3) % Self.texts.count]
                samples.append(try sample(text, other, text, Self.bodies[index % Self.bodies.count]))
            }
            for body in Self.bodies { samples.append(try sample("Acme", "Ada", "Key", body)) }
            var random = SystemRandomNumberGenerator()
            for _ in 0..<300 {
                let texts = (0..<4).map { _ in Self.random(upTo: 90, using: &random) }
                samples.append(try sample(texts[0], texts[1], texts[2], texts[3]))
            }
            return samples
        }
    }

    /// A text of random scalars, most of which have a meaning in a mail's format.
    private static func random(upTo count: Int, using random: inout SystemRandomNumberGenerator) -> String {
        let special = Array("\r\n\t\u{0} .=?<>\"\\,;:()@_-ABCabc019äé漢🎉\u{202E}\u{2029}\u{85}\u{7F}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...count, using: &random) {
            text.append(special.randomElement(using: &random) ?? "x")
        }
        return String(text)
    }

    @Test func `Python's email package reads each letter as it was written`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "letters-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let samples = try samples
        let described = samples.map { sample in
            [
                "sender": sample.sender, "recipient": sample.recipient, "subject": sample.subject, "body": sample.body,
                "bytes": Data(sample.message.bytes).base64EncodedString(),
            ]
        }
        let file = folder.appending(path: "letters.json")
        try JSONSerialization.data(withJSONObject: described).write(to: file)
        let script = URL.packageRoot.appending(path: "Tests/System/Driver/read_letters.py")
        let (exit, output) = try ChildProcess.run(["/usr/bin/env", "python3", script.path, file.path])
        #expect(exit == .code(0), "\(output)")
        #expect(output == "\(samples.count) letters\n")
    }

    @Test func `each line of a letter ends with CRLF, has at most 76 characters and doesn't begin with a dot`() throws {
        for sample in try samples {
            let lines = String(decoding: sample.message.bytes, as: UTF8.self).components(separatedBy: "\r\n")
            #expect(lines.last == "")
            for line in lines {
                #expect(!line.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 || $0 > 0x7E })
                #expect(line.utf8.count <= 76 && !line.hasPrefix("."))
            }
        }
    }

    @Test func `a letter has the headers of an automatic message`() throws {
        let text = String(decoding: try sample("Acme", "Ada", "Key", "Hello\n").message.bytes, as: UTF8.self)
        #expect(
            text == """
                From: Acme\r
                 <keys@acme.example>\r
                Reply-To: <help@acme.example>\r
                To: Ada\r
                 <ada.b+c@shop.example>\r
                Subject: Key\r
                Date: Mon, 30 Nov 2026 04:24:29 +0000\r
                Message-ID: <mail_0000000000001@acme.example>\r
                MIME-Version: 1.0\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                Auto-Submitted: auto-generated\r
                X-Auto-Response-Suppress: All\r
                X-PM-KeepID: true\r
                \r
                Hello\r

                """)
    }

    @Test func `a letter's envelope has the tenant's bounce address and the recipient's domain in ASCII`() throws {
        let settings = Tenant.MailSettings(from: "keys@acme.example", bounces: "bounces@acme.example")
        let message = try MailMessage(
            .init(subject: "Key", body: ""), to: "ada@b\u{fc}cher.example", from: Tenant(id: .sample, name: "Acme"),
            by: settings, id: "mail_1@acme.example", at: Timestamp(seconds: 0),
            ascii: { $0 == "b\u{fc}cher.example" ? "xn--bcher-kva.example" : nil })
        #expect(message.sender.description == "bounces@acme.example")
        #expect(message.recipient.description == "ada@xn--bcher-kva.example")
        #expect(String(decoding: message.bytes, as: UTF8.self).contains("To: <ada@xn--bcher-kva.example>\r\n"))
    }
}
