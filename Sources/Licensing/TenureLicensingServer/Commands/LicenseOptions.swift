import TenureCommandLine
import TenureCore
import TenureLicensing

extension SharedOptions {
    static let alreadyEnded = Argument.flag(
        "already-ended", "Accept an end in the past; the license is then expired.")
}

extension ArgumentReading where Value == String {
    /// Reads a text with the same limits as a text field of a license.
    static var shortText: ArgumentReading { ArgumentReading(read: LicenseField.TextFormat.line.option) }
}

extension [LicenseTerms.FieldChange] {
    /// Throws ``CommandError`` for an end in the past unless the user confirms it, because a mistyped year ends a
    /// license.
    func checkEnd(isMeant: Bool, at now: Timestamp) throws(CommandError) {
        for case .end(.at(let end)) in self where end <= now && !isMeant {
            throw CommandError(
                "\(end.local) is in the past. Choose a later end, or add --already-ended to expire the license.")
        }
    }
}
