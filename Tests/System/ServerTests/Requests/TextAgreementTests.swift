import Foundation
import GoldenFiles
import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TestProcesses
import Testing

/// Python's readers of headers, cookies, forms, files and keys agree with the program on generated texts.
///
/// `TENURE_TEXTS` is the number of texts; a long run has 1000000.
@Suite struct TextAgreementTests {
    @Test func `the parsers of headers, forms, lines, CSV and keys agree with Python's parsers on random texts`() throws
    {
        let count = ProcessInfo.processInfo.environment["TENURE_TEXTS"].flatMap { Int($0) } ?? 7_000
        let path = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: path) }
        var (random, written) = (Numbers(), "")
        written.reserveCapacity(count * 120)
        for number in 0..<count {
            let kind = Kind.allCases[number % Kind.allCases.count]
            let text = random.text(kind)
            let result = kind.read(text).map { $0.map { Hex.encode(Array($0.utf8)) }.joined(separator: ",") } ?? "-"
            written += "\(kind.rawValue)\t\(Hex.encode(Array(text.utf8)))\t\(result)\n"
        }
        try Data(written.utf8).write(to: path)
        let script = URL.packageRoot.appending(path: "Tests/System/Driver/text_readers.py").path
        let ended = try ChildProcess.run(["python3", script, path.path])
        #expect(ended.exit == .code(0), "\(ended.output)")
        #expect(ended.output.contains("\(count) texts, 0 differ"))
    }
}

/// A kind of text from outside, and how the program reads it.
private enum Kind: String, CaseIterable {
    case elements, last, cookies, form, lines, rows, key

    /// Returns the parts that the program reads from a text, or `nil` if it refuses the text.
    func read(_ text: String) -> [String]? {
        switch self {
        case .elements: return HeaderText.elements(of: [text]).map(String.init)
        case .last: return HeaderText.lastElement(of: [text]).map { [String($0)] }
        case .cookies: return HeaderText.cookies("a", in: [text]).map(String.init)
        case .form: return QueryItems(text)?.items.flatMap { [$0.name, $0.value] }
        case .lines: return text.lines.map(String.init)
        case .rows:
            var (records, parts) = (CSVRecords(text), [String]())
            while let record = records.next() { parts += record.cells + [String(record.cells.count)] }
            return parts
        case .key:
            guard let typed = LicenseKeyText(text) else { return nil }
            let isMinted = typed.looksMinted
            return (typed.asMinted() ?? (isMinted ? typed : nil)).map { [$0.text.replacing("-", with: "")] }
        }
    }
}

/// Generates random texts in which combining and invisible marks surround the separators.
private struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 46

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private mutating func some(_ choices: [String]) -> String { choices[Int(next() % UInt64(choices.count))] }

    private mutating func pieces(_ most: UInt64, of choices: [String]) -> String {
        (0..<next() % (most + 1)).map { _ in some(choices) }.joined()
    }

    /// Combining, prepended and invisible scalars, which can hide a separator.
    private static let marks = [
        "\u{301}", "\u{600}", "\u{FE0F}", "\u{200D}", "\u{20E3}", "\u{D4E}", "\u{1F3FB}", "\u{FEFF}",
    ]
    private static let words = ["a", "b", "A", "1", "é", "한", "\u{212A}", " ", "\t"] + marks

    mutating func text(_ kind: Kind) -> String {
        switch kind {
        case .elements, .last: return pieces(12, of: Self.words + [",", ",", ";"])
        case .cookies: return pieces(16, of: Self.words + ["a=", "a", ";", ";", "=", " a=", "; "])
        case .form:
            return pieces(12, of: Self.words + ["&", "=", "&", "=", "%2c", "%CC%81", "+", "%", "%FF", "a=", "&b="])
        case .lines: return pieces(12, of: Self.words + ["\n", "\r", "\r\n", "\u{2028}", "\u{85}"])
        case .rows:
            let cell = Self.words + [",", "\"", "\n", "\r\n", "\r", "\""]
            return (0..<next() % 4).map { _ in
                // Every row has a cell, because Python reads an empty row as no cell and the program reads it as one.
                CSVRow.text(of: ["x"] + (0..<next() % 4).map { _ in pieces(6, of: cell) })
            }.joined()
        case .key: return typedKey()
        }
    }

    /// A minted key, typed carelessly and sometimes wrongly.
    private mutating func typedKey() -> String {
        guard let prefix = LicenseKeyPrefix(some(["NOTE", "A1", "ABCDEFGH"])) else { return "" }
        var key = LicenseKeyText.mint(prefix: prefix, using: &self).text
        if next() % 4 == 0 { key = key.lowercased() }
        if next() % 8 == 0 { key += key }
        var typed = ""
        for letter in key.unicodeScalars {
            switch next() % 24 {
            case 0: typed += some(Self.marks)
            case 1: typed += some([" ", ".", "_", "“", "\n", "-"])
            case 2 where letter.properties.isAlphabetic || letter.value >= 0x30:
                typed.unicodeScalars.append(Unicode.Scalar(letter.value + 0xFEE0) ?? letter)
                continue
            case 3 where letter == "1":
                typed += some(["I", "l", "\u{131}", "\u{130}"])
                continue
            case 4 where letter == "0":
                typed += some(["O", "o"])
                continue
            case 5 where next() % 40 == 0: typed += some(["Z", "é", "٣"])
            default: break
            }
            if letter == "-", next() % 3 == 0 { continue }
            typed.unicodeScalars.append(letter)
        }
        return typed
    }
}
