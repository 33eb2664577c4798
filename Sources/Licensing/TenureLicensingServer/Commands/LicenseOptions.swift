import TenureCommandLine
import TenureCore

extension SharedOptions {
    static let alreadyEnded = Argument.flag(
        "already-ended", "Accept an end in the past; the license is then expired.")
}

extension ArgumentReading where Value == String {
    /// Reads a license's holder, with the limits of the operator API.
    static var holder: ArgumentReading {
        ArgumentReading { text in
            let isShort = text.unicodeScalars.count <= 256
            guard isShort, text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw UsageError("enter at most 256 characters, without control characters")
            }
            return text
        }
    }
}

extension TermEnd {
    /// Throws ``CommandError`` for an end in the past unless the user confirms it, because a mistyped year ends a
    /// license.
    func check(isMeant: Bool, at now: Timestamp) throws(CommandError) {
        guard case .at(let end) = self, end <= now, !isMeant else { return }
        throw CommandError(
            "\(end) is in the past. Choose a later end, or add --already-ended to expire the license.")
    }
}
