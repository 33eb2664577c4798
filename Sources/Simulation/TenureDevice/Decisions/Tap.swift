import TenureCore

/// The result of a tap on an app's icon.
enum Tap: Sendable, Hashable {
    /// The app launches; its license expires at the given time, or never if the time is `nil`.
    case launches(until: Timestamp?)
    /// The app doesn't launch, for the given reason, and the system shows an alert about it.
    case alert(Alert, LaunchBlock)

    /// An alert as the system shows it (`Documentation/device.md`).
    struct Alert: Sendable, Hashable {
        /// The bold first line.
        let title: String
        /// The text below the title.
        let message: String
        /// The buttons, from left to right.
        let buttons: [String]
        /// The URL that the Resolve button opens; `nil` if the alert has no such button.
        let resolution: String?
    }
}

extension InstalledApp {
    /// Decides whether a tap on the app's icon launches the app or shows an alert.
    ///
    /// - Parameter resolutionURL: The marketplace's page from its current configuration; `nil` if it has none.
    func tap(at now: Timestamp, resolutionURL: String?) -> Tap {
        switch launch(at: now) {
        case .launches(let end):
            return .launches(until: end)
        case .blocked(let block):
            let message = "The license for \(name) has expired"
            let alert =
                if let resolutionURL {
                    Tap.Alert(
                        title: "App License Expired",
                        message: "\(message). To open the app, you must first resolve the issue.",
                        buttons: ["Cancel", "Resolve"], resolution: resolutionPage(resolutionURL))
                } else {
                    Tap.Alert(
                        title: "App License Expired",
                        message: "\(message) and can't be opened. Contact the developer for additional details.",
                        buttons: ["OK"], resolution: nil)
                }
            return .alert(alert, block)
        }
    }

    /// Returns the page's URL with the three query parameters that the system adds.
    private func resolutionPage(_ url: String) -> String {
        let page = url.before(anyByteOf: "#")
        let fragment = url.text(after: String(page)) ?? ""
        let query = [
            "account=\(PercentEncoding.encode(account?.text ?? ""))", "appleItemID=\(item)",
            "appleVersionID=\(version)",
        ]
        let mark = page.contains(byte: "?") ? (page.hasSuffix("?") || page.hasSuffix("&") ? "" : "&") : "?"
        return page + mark + query.joined(separator: "&") + fragment
    }
}

/// Percent-encoding for the query of a URL (RFC 3986 §2.1).
enum PercentEncoding {
    /// Encodes names and values as a URL's query or the body of a form.
    static func form(_ members: [(String, String)]) -> String {
        members.map { "\(encode($0))=\(encode($1))" }.joined(separator: "&")
    }

    /// Reads the names and values of a query or form; if a name occurs several times, its first value is used.
    static func members(of form: Substring) -> [String: String] {
        let pairs = form.split(atByte: "&").map {
            $0.split(atByte: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        return Dictionary(pairs.map { (decode($0[0]), $0.count > 1 ? decode($0[1]) : "") }) { first, _ in first }
    }

    /// Decodes percent-encoded text; a `%` without two hexadecimal digits is kept.
    static func decode(_ text: some StringProtocol) -> String {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let spelled = UInt8(digits, radix: 16) {
                bytes.append(spelled)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes all bytes except unreserved characters.
    static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
    }
}
