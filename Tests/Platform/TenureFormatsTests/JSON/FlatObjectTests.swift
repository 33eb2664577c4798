import TenureFormats
import Testing

@Suite struct FlatObjectTests {
    let object: FlatObject

    init() throws {
        object = try FlatObject(
            scanning: Array(
                #"""
                { "text":"NOTE-1", "escaped":"a\"\\\/\b\f\n\r\t\u00e9\u0000\uD83D\uDE00é", "empty":"", "n\u0061me":"found",
                "int":-42, "big":9223372036854775807, "bigger":9223372036854775808, "fraction":1.0, "exponent":1e2,
                "yes":true, "no":false, "nothing":null, "object":{"text":"inner","text2":[1,{"x":[]}]}, "list":["a","\u0062"],
                "mixed":["a",1], "none":[], "objects":[{"kid":"k1"},{"kid":"k2"}], "last":"end" }
                """#.utf8))
    }

    @Test func `string members of a JSON object are read and unescaped`() {
        #expect(object.string("text") == .value("NOTE-1"))
        #expect(object.string("escaped") == .value("a\"\\/\u{8}\u{C}\n\r\té\u{0}😀é"))
        #expect(object.string("empty") == .value(""))
        #expect(object.string("name") == .value("found"))
        #expect(object.string("last") == .value("end"))
    }

    @Test func `integer members of a JSON object are read if they are in range`() {
        #expect(object.integer("int") == .value(-42))
        #expect(object.integer("big") == .value(.max))
        #expect(object.integer("bigger") == .wrongType(.number))
        #expect(object.integer("fraction") == .wrongType(.number))
        #expect(object.integer("exponent") == .wrongType(.number))
    }

    @Test func `boolean members of a JSON object are read`() {
        #expect(object.boolean("yes") == .value(true))
        #expect(object.boolean("no") == .value(false))
    }

    @Test func `absent, null and wrongly typed members of a JSON object are distinguished`() {
        #expect(object.string("missing") == .absent)
        #expect(object.string("text2") == .absent)
        #expect(object.string("nothing") == .null)
        #expect(object.string("int") == .wrongType(.number))
        #expect(object.string("object") == .wrongType(.object))
        #expect(object.integer("text") == .wrongType(.string))
        #expect(object.boolean("none") == .wrongType(.array))
        #expect(object.integer("yes") == .wrongType(.boolean))
        #expect(object.kind("none") == .array)
        #expect(object.kind("missing") == nil)
    }

    @Test func `nested JSON objects, and arrays of strings or objects, are read`() throws {
        let inner = try #require(object.object("object").value)
        #expect(inner.names == ["text", "text2"])
        #expect(inner.string("text") == .value("inner"))
        #expect(object.strings("list") == .value(["a", "b"]))
        #expect(object.strings("none") == .value([]))
        #expect(object.strings("mixed") == .wrongType(.array))
        #expect(object.strings("objects") == .wrongType(.array))
        let objects = try #require(object.objects("objects").value)
        #expect(objects.map { $0.string("kid") } == [.value("k1"), .value("k2")])
        #expect(object.objects("none").value?.count == 0)
    }

    @Test func `the members of a JSON object keep their order`() throws {
        let object = try FlatObject(scanning: Array(#"{"b":{"z":1},"a":[{"y":1}],"\u0063":2}"#.utf8))
        #expect(object.names == ["b", "a", "c"])
        #expect(object.count == 3)
    }

    @Test func `member names of a JSON object are compared by their bytes`() throws {
        let object = try FlatObject(scanning: Array("{\"e\u{301}\":1}".utf8))
        #expect(object.integer("\u{E9}") == .absent)
        #expect(object.integer("e\u{301}") == .value(1))
    }

    @Test(arguments: ["[]", "1", "\"{}\"", "null", " [{}] "])
    func `JSON that isn't an object is refused with an error code of its own`(text: String) {
        let error = #expect(throws: JSONError.self) { try FlatObject(scanning: Array(text.utf8)) }
        #expect(error?.code == .notAnObject)
    }

    @Test func `an empty JSON object has no members`() throws {
        #expect(try FlatObject(scanning: Array(" { } ".utf8)).count == 0)
    }
}
