import TenureFormats
import Testing

/// Tests how a JSON pointer is converted into a line and a column.
@Suite struct JSONPlaceTests {
    private static let text = """
        {
          "tenants": [ { "id": "acme" },
            { "näme": "ö", "a/b": { "m~n": [1, 22,
              {"x": null} ] } } ]
        }
        """

    @Test(
        arguments: [
            ("", 1, 1), ("/tenants", 2, 14), ("/tenants/0", 2, 16), ("/tenants/0/id", 2, 24),
            ("/tenants/1/näme", 3, 15), ("/tenants/1/a~1b", 3, 27), ("/tenants/1/a~1b/m~0n", 3, 36),
            ("/tenants/1/a~1b/m~0n/1", 3, 40), ("/tenants/1/a~1b/m~0n/2/x", 4, 13),
        ]) func `a JSON pointer gives the line and column of its value`(pointer: String, line: Int, column: Int)
    {
        let location = JSONPlaces.Place(of: pointer, in: Array(Self.text.utf8))
        #expect((location.line, location.column) == (line, column))
    }

    @Test(arguments: ["/tenants/0/colour", "/tenants/0/7", "/tenants/0/-", "/tenants/0/colour/deeper"])
    func `a missing JSON member is reported at the location of its nearest existing ancestor`(pointer: String) {
        #expect(JSONPlaces.Place(of: pointer, in: Array(Self.text.utf8)).description == "2:16")
    }

    @Test(arguments: ["\u{301}", "a/\u{301}b", "~\u{301}", "~1", "/~0\u{7A6}"])
    func `a JSON pointer finds a member whose name has a combining mark, a slash or a tilde`(name: String) {
        let text = "{\n\"\(name)\": 1}"
        let pointer = "/" + JSONPointer.escaped(name)
        #expect(JSONPlaces.Place(of: pointer, in: Array(text.utf8)).line == 2)
    }

    @Test func `an offset beyond a JSON text, or a pointer into an incomplete one, gets the nearest location`() {
        #expect(JSONPlaces.Place(of: "/a/b", in: []).description == "1:1")
        #expect(JSONPlaces.Place(of: "/a", in: Array("{\"a\"".utf8)).description == "1:1")
        #expect(JSONPlaces.Place(ofByte: 99, in: Array("a\nbc".utf8)).description == "2:3")
        #expect(JSONPlaces.Place(ofByte: -1, in: Array("a\n".utf8)).description == "1:1")
    }

    @Test func `only the first hundred JSON pointers get a location, which in malformed JSON is that of the fault`() {
        var places = JSONPlaces(in: Array(Self.text.utf8))
        let found = (0..<150).map { _ in places.next("/tenants/0/id") }
        #expect(found.prefix(100).allSatisfy { $0?.description == "2:24" })
        #expect(found.dropFirst(100).allSatisfy { $0 == nil })
        var broken = JSONPlaces(in: Array("{\n  \"a\": }".utf8))
        #expect(broken.next("")?.description == "2:8")
    }
}
