import Foundation
import TenureFormats
import Testing

@Suite struct JSONValueTests {
    @Test(
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("-0", .integer(0)),
            ("7.0", .integer(7)),
            ("1e2", .integer(100)), ("1.5", .number(1.5)), ("9223372036854775807", .integer(.max)),
            ("1e40", .number(1e40)), (#""""#, .string("")), (#""a\"\\\u00e9\n€""#, .string("a\"\\é\n€")),
            ("[]", .array([])),
            ("[ ]", .array([])), ("{}", .object([:])), ("{ }", .object([:])),
            ("[1 , [ ] ,{\"a\" : [null]}]", .array([.integer(1), .array([]), .object(["a": .array([.null])])])),
            (#"{"a":{"b":{}}, "\u0063":"d" }"#, .object(["a": .object(["b": .object([:])]), "c": .string("d")])),
        ] as [(String, JSONValue)]) func `each kind of JSON value is parsed`(text: String, value: JSONValue) throws
    {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(arguments: ["", "[1,]", "{\"a\":1,\"a\":2}", "[1e999]", "nul", "[1] [2]"])
    func `malformed JSON, a duplicate member and a number that is too large for a Double are refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    /// Foundation's decoder took twelve seconds for this text.
    @Test func `a mebibyte of nested arrays is parsed completely`() throws {
        let nest = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
        let count = (1 << 20) / 61
        let text = "[" + Array(repeating: nest, count: count).joined(separator: ",") + "]"
        guard case .array(let nests) = try JSONValue(parsing: Array(text.utf8)) else { throw CancellationError() }
        #expect(nests.count == count)
        var inner = nests[count - 1]
        var depth = 1
        while case .array(let elements) = inner, let next = elements.first { (inner, depth) = (next, depth + 1) }
        #expect(depth == 30)
    }

    @Test func `JSON that Foundation writes is parsed to the same value`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            let value = Self.sample(3, &generator)
            let data = try JSONSerialization.data(
                withJSONObject: Self.plain(value), options: [.fragmentsAllowed, .prettyPrinted])
            #expect(try JSONValue(parsing: Array(data)) == value)
        }
    }

    private static func sample(_ depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(.random(in: -1_000_000...1_000_000, using: &generator))
        case 3: return .number(Double(Int.random(in: 0...999, using: &generator)) + 0.5)
        case 4: return .string(["", "a\"b", "\\/\n\t", "é€😀", "\u{1}"].randomElement(using: &generator) ?? "")
        case 5: return .array((0..<3).map { _ in sample(depth - 1, &generator) })
        default:
            let names = ["a", "b\"", "é"]
            return .object(
                Dictionary(uniqueKeysWithValues: names.map { ($0, sample(depth - 1, &generator)) }))
        }
    }

    private static func plain(_ value: JSONValue) -> Any {
        switch value {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): value
        case .number(let value): value
        case .string(let value): value
        case .array(let values): values.map(plain)
        case .object(let members): members.mapValues(plain)
        }
    }
}
