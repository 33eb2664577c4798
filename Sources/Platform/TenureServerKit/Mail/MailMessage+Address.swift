import TenureCore
import TenureFormats

extension MailMessage {
    /// An e-mail address in the form for mail servers: a local part without quotes and a host name, both in ASCII (RFC
    /// 5321 §4.1.2).
    package struct Address: Sendable, Hashable, CustomStringConvertible {
        let local: String
        let domain: String

        /// The address without angle brackets.
        package var description: String { "\(local)@\(domain)" }

        /// The reason why an address can't be used.
        package enum Fault: Error, Sendable, Hashable {
            /// The part before the `@` has non-ASCII characters.
            case localBeyondASCII
            /// The part before the `@` has characters that need quotes, or is longer than 64 bytes.
            case local
            case domain

            /// The reason as a clause for people, without the address.
            package var reason: String {
                switch self {
                case .localBeyondASCII:
                    "the part before the @ has characters beyond ASCII, which many mail servers refuse"
                case .local: "the part before the @ isn't one that mail servers accept"
                case .domain: "the part after the @ isn't a host name"
                }
            }
        }

        /// Parses an address.
        ///
        /// - Parameter ascii: Returns the ASCII form (A-labels) of an internationalized domain; `nil` if the domain has
        ///   no such form.
        init(_ text: String, ascii: (String) -> String?) throws(Fault) {
            guard let (local, domain) = text.cut(at: "@") else { throw .domain }
            guard local.utf8.allSatisfy({ $0 < 0x80 }) else { throw .localBeyondASCII }
            let atoms = local.split(atByte: ".", omittingEmptySubsequences: false)
            guard local.utf8.count <= 64, atoms.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isInAtom) }) else {
                throw .local
            }
            let isASCII = domain.utf8.allSatisfy { $0 < 0x80 }
            guard EmailAddress.isOne(text), let host = isASCII ? String(domain) : ascii(String(domain)),
                HostName.isValid(host)
            else { throw .domain }
            (self.local, self.domain) = (String(local), host)
        }

        /// The problem with an address in the catalog, which must be in ASCII; `nil` if the address is valid.
        static func fault(of text: String) -> String? {
            (try? MailMessage.Address(text, ascii: { _ in nil })) == nil
                ? "must be an e-mail address in ASCII, without quotes or spaces" : nil
        }

        /// The pattern of an address in ASCII, for JSON schemas.
        static let pattern =
            "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$"

        private static func isInAtom(_ byte: UInt8) -> Bool {
            isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }

        private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
    }
}
