import Foundation
import TenureFormats
import Testing

@Suite struct JSONWriterTests {
    @Test func `nested objects and arrays are written as nested JSON`() {
        let written = JSONWriter.object {
            $0.member("a", 1)
            $0.object("lease") {
                $0.member("kid", "k1")
                $0.member("entitlements", ["pro", "x"])
            }
            $0.array("keys") {
                $0.object { $0.member("kid", "k1") }
                $0.object { _ in }
                $0.array { $0.element(Int64(1)) }
                $0.element("t")
                $0.element(false)
            }
            $0.member("ready", json: Array("[1]".utf8))
            $0.member("end", true)
        }
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"a":1,"lease":{"kid":"k1","entitlements":["pro","x"]},"#
                + #""keys":[{"kid":"k1"},{},[1],"t",false],"ready":[1],"end":true}"#)
    }

    @Test func `a JSON member or element without a value is written as null`() {
        let written = JSONWriter.object {
            $0.member("a", String?.none)
            $0.member("b", Int64?.none)
            $0.member("c", Bool?.none)
            $0.null("d")
            $0.array("e") { $0.element(String?.none) }
        }
        #expect(String(decoding: written, as: UTF8.self) == #"{"a":null,"b":null,"c":null,"d":null,"e":[null]}"#)
    }

    @Test(arguments: [0, 7, 10, 99, 100, -1, -10, 1_700_000_000, Int64.max, Int64.min])
    func `the JSON writer writes integers with all of their digits`(number: Int64) {
        let written = JSONWriter.array { $0.element(number) }
        #expect(String(decoding: written, as: UTF8.self) == "[\(number)]")
    }

    @Test func `the JSON writer writes the largest unsigned integer as a number or in quotes`() {
        let written = JSONWriter.object {
            $0.member("zero", unsigned: 0)
            $0.member("largest", unsigned: .max)
            $0.member("quoted", quoted: .max)
        }
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"zero":0,"largest":18446744073709551615,"quoted":"18446744073709551615"}"#)
    }

    @Test func `empty objects and arrays are written as empty braces and brackets`() {
        #expect(JSONWriter.object { _ in } == Array("{}".utf8))
        #expect(JSONWriter.array { _ in } == Array("[]".utf8))
    }

    @Test func `JSON text escapes only quotes, backslashes and the characters below U+0020`() {
        let written = JSONWriter.array { $0.element("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}<>&é😀\u{2028}") }
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"["\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}<>&é😀\u{2028}\"]")
    }

    @Test func `the JSON writer escapes the ASCII characters that must be escaped and no others`() {
        for byte in UInt8(0)..<0x80 {
            let mustBe = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            for count in 0..<10 {
                let text =
                    String(repeating: "é", count: count) + String(UnicodeScalar(byte))
                    + String(repeating: "x", count: 9)
                let written = JSONWriter.array { $0.element(text) }
                #expect(written.contains(UInt8(ascii: "\\")) == mustBe, "\(byte) after \(count) letters")
            }
        }
    }

    @Test func `FlatObject and JSONDecoder read back every member name and string that JSONWriter writes`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let count = Int.random(in: 0..<20, using: &generator)
            var text = ""
            for _ in 0..<count {
                let limits: [UInt32] = [0x30, 0x80, 0x800, 0xD800, 0x110000]
                let limit = limits[Int.random(in: 0..<limits.count, using: &generator)]
                text.unicodeScalars.append(Unicode.Scalar(.random(in: 0..<limit, using: &generator)) ?? "x")
            }
            let written = JSONWriter.object { $0.member(text, text) }
            let object = try FlatObject(scanning: written)
            #expect(object.names.map { Array($0.utf8) } == [Array(text.utf8)])
            #expect(object.string(text).value.map { Array($0.utf8) } == Array(text.utf8))
            let theirs = try JSONDecoder().decode([String: String].self, from: Data(written))
            #expect(theirs[text].map { Array($0.utf8) } == Array(text.utf8))
        }
    }
}
