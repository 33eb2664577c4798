import TenureCore
import TenureFormats

extension FailureLedger {
    /// The ledger as a text for a file that app and extension share, one fact a line.
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

    /// Reads a text of ``text``. Answers nil for anything else: whoever cannot read it begins anew, which costs a
    /// prompt that comes again with the next failure.
    public init?(text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst().map(String.init) == Self.title, lines.popLast() == "" else { return nil }
        self.init()
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let account = words.last.flatMap(HexText.read).flatMap({ AccountID($0) }) else { return nil }
            switch (words.first, words.count) {
            case ("repeat", 3):
                guard let seconds = Int64(words[1]) else { return nil }
                repeats[account, default: []].append(Timestamp(seconds: seconds))
            case ("sign-in", 2): owed.append(.signIn(account))
            case ("pay", 3):
                guard let number = UInt64(words[1]) else { return nil }
                owed.append(.pay(account, AppleItemID(number: number)))
            default: return nil
            }
        }
        guard owed.count <= Self.mostOwed else { return nil }
    }

    private static let title = "tenure-failures 1"
    private static let longestText = 256 * 1024
}

/// Any text as hexadecimal digits, so that no byte of it can be taken for the file's own.
enum HexText {
    static func written(_ text: String) -> String { Hex.encode(Array(text.utf8)) }

    /// Nil for what is no digits, and for bytes that are no UTF-8.
    static func read(_ digits: some StringProtocol) -> String? {
        guard let bytes = Hex.decode(String(digits)) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs what is no UTF-8; a repaired text differs from its bytes.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
