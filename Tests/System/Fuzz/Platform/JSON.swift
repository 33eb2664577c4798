import Foundation

@testable import TenureFormats

/// What the strict parser accepts, Foundation accepts too, with the same strings.
let strictJSON = FuzzTarget("StrictJSON", longest: 1024, cost: 4) { text in
    guard let kind = try? StrictJSON.validate(text) else { return }
    expect(String(validating: text, as: UTF8.self) != nil, "a text that is not UTF-8 was taken")
    guard kind == .object, let object = try? FlatObject(scanning: text) else {
        expect(kind != .object, "a text was taken once and refused once")
        return
    }
    expect(Set(object.names.map { Array($0.utf8) }).count == object.count, "two members have one name")
    // A number that no Double can represent is valid JSON, but this parser rejects it.
    let theirs = try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    for name in object.names {
        switch object.kind(name) {
        case .string:
            guard let text = object.string(name).value else { fail("a string does not read") }
            let other = theirs?[name] as? String
            expect(other == nil || other == text, "a string reads differently elsewhere")
        case .array:
            _ = object.strings(name)
            _ = object.objects(name)
            _ = object.identifiers(name)
            expect(object.elements(name).value != nil, "an array does not read")
        case .object: expect(object.object(name).value != nil, "an object does not read")
        default:
            let whole = object.integer(name).value
            expect(whole == nil || object.wholeNumber(name).value == whole, "a number reads as two")
            _ = object.identifier(name)
        }
    }
}

/// The tree has the members that the flat reader finds. Written again, it parses to an equal tree.
let jsonTree = FuzzTarget("JSONValue", longest: 512) { text in
    let isValid = (try? StrictJSON.validate(text)) != nil
    guard let tree = try? JSONValue(parsing: text) else { return }
    expect(isValid, "the tree was read from a text that isn't valid")
    if case .object(let members) = tree {
        guard let flat = try? FlatObject(scanning: text) else { fail("the object isn't flat") }
        expect(flat.count >= members.count && flat.names.allSatisfy { members[$0] != nil }, "a member is missing")
    }
    guard let again = try? JSONValue(parsing: Array(json(tree).utf8)) else { fail("what was written does not read") }
    expect(again == tree, "a tree reads differently the second time")
}

/// Any pointer leads to a place within the text.
let jsonPlaces = FuzzTarget("JSONPlaces", longest: 256) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let pointer = text(Array(parts[0])) else { return }
    let json = Array(parts[1])
    let lines = 1 + json.count { $0 == UInt8(ascii: "\n") }
    let place = JSONPlaces.Place(of: pointer, in: json)
    expect((1...lines).contains(place.line) && (1...json.count + 1).contains(place.column), pointer)
    var places = JSONPlaces(in: json)
    if let next = places.next(pointer) { expect(next.line <= lines, pointer) }
    expect(JSONPointer.names(in: "/" + JSONPointer.escaped(pointer)) == [pointer], pointer)
}

/// Any text is written as valid JSON that reads as the same text.
let jsonWriter = FuzzTarget("JSONWriter", longest: 96) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let written = JSONWriter.object {
        $0.member(text, text)
        $0.object(text + "2") { $0.member("a", Int64(bytes.count)) }
    }
    guard let object = try? FlatObject(scanning: written) else { fail("what was written does not read") }
    expect(object.string(text).value?.utf8.elementsEqual(text.utf8) == true, "a text reads differently")
    expect(object.object(text + "2").value?.integer("a").value == Int64(bytes.count), "a number reads differently")
}

/// The text of a tree, so that parsing it again can be compared.
private func json(_ value: JSONValue) -> String {
    switch value {
    case .null: return "null"
    case .bool(let truth): return "\(truth)"
    case .integer(let number): return "\(number)"
    case .number(let number): return "\(number)"
    case .string(let text): return quoted(text)
    case .array(let values): return "[" + values.map(json).joined(separator: ",") + "]"
    case .object(let members): return "{" + members.map { quoted($0) + ":" + json($1) }.joined(separator: ",") + "}"
    }
}

private func quoted(_ text: String) -> String {
    String(decoding: JSONWriter.array { $0.element(text) }.dropFirst().dropLast(), as: UTF8.self)
}
