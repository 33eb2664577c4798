extension Language {
    /// A date and time of day for people, such as `8 December 2026, 19:39`.
    ///
    /// - Parameters:
    ///   - month: The month from 1 to 12.
    ///   - time: The time of day, which may name its zone.
    package func date(year: Int, month: Int, day: Int, time: String) -> String {
        switch self {
        case .english: "\(day) \(Self.englishMonths[month - 1]) \(year), \(time)"
        case .german: "\(day). \(Self.germanMonths[month - 1]) \(year), \(time)"
        case .korean: "\(year)년 \(month)월 \(day)일 \(time)"
        case .japanese, .simplifiedChinese: "\(year)年\(month)月\(day)日 \(time)"
        case .french: "\(day == 1 ? "1er" : "\(day)") \(Self.frenchMonths[month - 1]) \(year) à \(time)"
        case .spanish: "\(day) de \(Self.spanishMonths[month - 1]) de \(year), \(time)"
        }
    }

    private static let englishMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let germanMonths = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ]
    private static let frenchMonths = [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
        "décembre",
    ]
    private static let spanishMonths = [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
        "diciembre",
    ]
}
