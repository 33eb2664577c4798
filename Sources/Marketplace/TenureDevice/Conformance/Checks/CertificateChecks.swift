import TenureCore
import TenureCrypto
import TenureHTTPClient

extension ConformanceCheck {
    private static let page = "Apple, App License Delivery certificates"

    static let certificate: [ConformanceCheck] =
        certificates("signing", of: .signingCertificate) + certificates("encryption", of: .encryptionCertificate) + [
            ConformanceCheck(
                "certificate.shared", .warning, of: .encryptionCertificate, "Each purpose has a certificate of its own",
                expected: "two certificates with two keys", fix: "Ask Apple for two.", source: page
            ) { exchange, seen in
                guard let one = seen.certificate(.signingCertificate),
                    let other = seen.certificate(.encryptionCertificate)
                else { return .skip("the certificates cannot be read") }
                return one.publicKey == other.publicKey ? .fail("Both have one key.") : .pass
            }
        ]

    private static func certificates(_ name: String, of question: Question) -> [ConformanceCheck] {
        let title = "The \(name) certificate"
        func read(
            _ id: String, _ what: String, expected: String, fix: String,
            judge: @escaping @Sendable (X509Certificate, SeenMarketplace) -> Verdict
        ) -> ConformanceCheck {
            done("certificate.\(name)_\(id)", .error, of: question, what, expected: expected, fix: fix, source: page) {
                _, seen in
                seen.certificate(question).map { judge($0, seen) } ?? .skip("it cannot be read")
            }
        }
        return there("certificate.\(name)_", of: question, title, source: page) + [
            done(
                "certificate.\(name)_readable", .error, of: question, "\(title) reads",
                expected: "an X.509 certificate with an RSA key", fix: "Serve the .cer file that Apple gave.",
                source: page
            ) { _, seen in
                seen.certificate(question) == nil ? .fail("It is no certificate with an RSA key.") : .pass
            },
            read(
                "der", "\(title) is in DER", expected: "DER, as Apple gives it",
                fix: "Serve it in DER: `openssl x509 -outform der`."
            ) { certificate, seen in
                seen[question]?.response?.body == certificate.der ? .pass : .fail("It is PEM, or more than one.")
            },
            read(
                "bits", "\(title) has a key of 3072 bits", expected: "RSA with 3072 bits",
                fix: "Make a request with such a key, and ask Apple again."
            ) { certificate, _ in
                certificate.modulusBits == 3072 ? .pass : .fail("Its key has \(certificate.modulusBits) bits.")
            },
            read(
                "dates", "\(title) is valid now", expected: "a moment between its dates", fix: "Renew it."
            ) { certificate, seen in
                if seen.now.seconds > certificate.notAfter { return .fail("It ended.") }
                return seen.now.seconds < certificate.notBefore ? .fail("It has not begun.") : .pass
            },
        ]
    }
}
