import Foundation
import TenureFormats
import Testing

@Suite struct StrictJSONPropertyTests {
    static let seeds = [
        #"{"license_key":"NOTE-ABCD","instance_id":"0-1","n":[1,-2.5e3,0],"t":true,"f":false,"x":null,"o":{"a":{},"b":[]}}"#,
        #"["\u00e9\ud83d\ude00\n\"\\","é€😀",[[[]]],{"a":1,"b":{"a":2}}]"#,
        #"{"a":1,"\u0062":2,"":3,"c":[{"d":"e"},{"d":"f"}]}"#, "-12.50E-3", #""text""#, "[]",
    ].map { Array($0.utf8) }

    static let alphabet =
        Array("{}[]\",:\\/ \t\n0123456789+-.eEtrufalsn".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xA9, 0xED, 0xF0, 0xFF]

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `StrictJSON and Foundation differ only in duplicates, depth, trailing commas, exponents and zero bytes`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<4000 {
            let text = Self.mutation(using: &generator)
            let theirs = (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
            let shown = String(decoding: text, as: UTF8.self)
            do {
                try StrictJSON.validate(text)
                accepted += 1
                // A number too large for a Double is still valid JSON.
                if !theirs { #expect(text.contains { $0 | 0x20 == UInt8(ascii: "e") }, "taken here only: \(shown)") }
            } catch {
                let stricter = error.code == .duplicateMember || error.code == .tooDeep
                // Foundation's parser guesses UTF-16 or UTF-32 from zero bytes at the start.
                let guessed = text.prefix(4).contains(0)
                if theirs {
                    #expect(
                        stricter || guessed || Self.hasTrailingComma(text, at: error.offset),
                        "refused here only: \(error): \(shown)")
                }
            }
        }
        #expect(accepted > 200, "too few of the texts are valid for a meaningful test")
    }

    /// Foundation's parser accepts `[1,]`, which RFC 8259 doesn't allow.
    private static func hasTrailingComma(_ text: [UInt8], at offset: Int) -> Bool {
        guard offset < text.count, [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(text[offset]) else { return false }
        return text[..<offset].last { $0 > 0x20 } == UInt8(ascii: ",")
    }

    private static func mutation(using generator: inout SeededGenerator) -> [UInt8] {
        var text = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !text.isEmpty {
            let index = Int.random(in: 0..<text.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: text[index] = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            case 1: text.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)], at: index)
            case 2: text.remove(at: index)
            case 3: text[index] = UInt8.random(in: .min ... .max, using: &generator)
            default:
                let end = Int.random(in: index..<text.count, using: &generator)
                text.insert(contentsOf: text[index..<end], at: Int.random(in: 0...text.count, using: &generator))
            }
        }
        return text
    }
}
