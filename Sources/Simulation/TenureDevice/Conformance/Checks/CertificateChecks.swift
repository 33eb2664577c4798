import TenureCore
import TenureCrypto
import TenureHTTP

/// Checks of the certificates that the configuration names.
enum CertificateChecks {
    private static let page = "Apple, App License Delivery certificates"

    static let all: [Check] =
        certificates("signing", of: .signingCertificate) + certificates("encryption", of: .encryptionCertificate) + [
            Check(
                "certificate.shared", .warning, of: .encryptionCertificate,
                "Encryption and signing use separate certificates",
                expected: "two certificates with two keys", fix: "Request two from Apple.", source: page
            ) { exchange, seen in
                guard let certificate = seen.certificate(.signingCertificate),
                    let other = seen.certificate(.encryptionCertificate)
                else { return .skip("the certificates can't be read") }
                return certificate.publicKey == other.publicKey ? .fail("Both use the same key.") : .pass
            }
        ]

    private static func certificates(_ name: String, of question: Question) -> [Check] {
        let title = "The \(name) certificate"
        func read(
            _ id: String, _ what: String, expected: String, fix: String,
            judge: @escaping @Sendable (X509Certificate, SeenMarketplace) -> Verdict
        ) -> Check {
            Check.done(
                "certificate.\(name)_\(id)", .error, of: question, what, expected: expected, fix: fix, source: page
            ) {
                _, seen in
                seen.certificate(question).map { judge($0, seen) } ?? .skip("it can't be read")
            }
        }
        return Check.there("certificate.\(name)_", of: question, title, source: page) + [
            Check.done(
                "certificate.\(name)_readable", .error, of: question, "\(title) reads",
                expected: "an X.509 certificate with an RSA key", fix: "Serve the .cer file from Apple.",
                source: page
            ) { _, seen in
                seen.certificate(question) == nil ? .fail("It isn't a certificate with an RSA key.") : .pass
            },
            read(
                "der", "\(title) is in DER", expected: "DER, as provided by Apple",
                fix: "Serve it in DER: `openssl x509 -outform der`."
            ) { certificate, seen in
                seen[question]?.response?.body.bytes == certificate.der
                    ? .pass : .fail("It is PEM, or has more than one certificate.")
            },
            read(
                "bits", "\(title) has a key of 3072 bits", expected: "RSA with 3072 bits",
                fix: "Create a certificate request with such a key and request a new certificate from Apple."
            ) { certificate, _ in
                certificate.modulusBits == 3072 ? .pass : .fail("Its key has \(certificate.modulusBits) bits.")
            },
            read(
                "dates", "\(title) is valid now", expected: "the current time within its validity period",
                fix: "Renew it."
            ) { certificate, seen in
                if seen.now.seconds > certificate.notAfter { return .fail("It ended.") }
                return seen.now.seconds < certificate.notBefore ? .fail("It isn't valid yet.") : .pass
            },
        ]
    }
}
