import Foundation
import TenureFormats

/// Scans random bytes, then checks what readers of the result rely on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStrictJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = try? StrictJSON.validate(text) else { return 0 }
    precondition(String(validating: text, as: UTF8.self) != nil, "a text that is not UTF-8 was taken")
    guard kind == .object, let object = try? FlatObject(scanning: text) else {
        precondition(kind != .object, "a text was taken once and refused once")
        return 0
    }
    precondition(Set(object.names.map { Array($0.utf8) }).count == object.count, "two members have one name")
    // A number that no Double can represent is valid JSON, but this parser rejects it.
    let theirs = try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    for name in object.names {
        switch object.kind(name) {
        case .string:
            guard let text = object.string(name).value else { preconditionFailure("a string does not read") }
            let other = theirs?[name] as? String
            precondition(other == nil || other == text, "a string reads differently elsewhere")
        case .array:
            _ = object.strings(name)
            _ = object.objects(name)
        case .object:
            precondition(object.object(name).value != nil, "an object does not read")
        default:
            _ = object.integer(name)
        }
    }
    return 0
}
