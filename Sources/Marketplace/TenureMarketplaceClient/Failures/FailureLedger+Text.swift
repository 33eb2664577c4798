import TenureCore
import TenureFormats

extension FailureLedger {
    /// The ledger as text, one entry per line, for a file that the app and its extension share.
    public var text: String {
        var lines = [Self.title]
        for (account, times) in repeats.sorted(by: { $0.key < $1.key }) {
            lines += times.map { "repeat \($0.seconds) \(HexText.written(account.text))" }
        }
        for prompt in owed {
            switch prompt {
            case .signIn(let account): lines.append("sign-in \(HexText.written(account.text))")
            case .pay(let account, let item):
                lines.append("pay \(item?.number ?? 0) \(HexText.written(account.text))")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Parses a ledger from ``text``; `nil` for any other input.
    ///
    /// If this returns `nil`, start with an empty ledger. A lost prompt is recorded again after the next failure.
    public init?(text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        var lines = text.split(atByte: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst().map(String.init) == Self.title, lines.popLast() == "" else { return nil }
        self.init()
        for line in lines {
            let words = line.split(atByte: " ", omittingEmptySubsequences: false)
            guard let account = words.last.flatMap(HexText.read).flatMap({ AccountID($0) }) else { return nil }
            switch (words.first, words.count) {
            case ("repeat", 3):
                guard let seconds = Int64(words[1]) else { return nil }
                repeats[account, default: []].append(Timestamp(seconds: seconds))
            case ("sign-in", 2): owed.append(.signIn(account))
            case ("pay", 3):
                guard let number = UInt64(words[1]) else { return nil }
                owed.append(.pay(account, ItemID(number: number)))
            default: return nil
            }
        }
        guard owed.count <= Self.mostOwed else { return nil }
    }

    private static let title = "tenure-failures 1"
    private static let longestText = 256 * 1024
}

/// Encodes strings as hexadecimal digits, so that they can't contain the file's separators.
enum HexText {
    static func written(_ text: String) -> String { Hex.encode(Array(text.utf8)) }

    /// Decodes hexadecimal digits; returns `nil` if they're invalid or the bytes aren't valid UTF-8.
    static func read(_ digits: some StringProtocol) -> String? {
        guard let bytes = Hex.decode(String(digits)) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so the result differs from the bytes if they are invalid.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
