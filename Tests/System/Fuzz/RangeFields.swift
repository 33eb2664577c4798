import TenureHTTP

/// Any `Range` field is accepted, and the chosen range lies within the file. Tags that match strongly also match
/// weakly.
@_cdecl("LLVMFuzzerTestOneInput")
public func readRangeFields(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let first = bytes.first else { return 0 }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let size: Int64 = [0, 1, 10, 3 << 30, .max][Int(first) % 5]
    if case .part(let range) = RangeChoice(text, size: size) {
        precondition(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, text)
    }
    if let tags = EntityTags(text) {
        precondition(!tags.matchStrongly("\"a\"") || tags.matchWeakly("\"a\""), text)
        if case .named(let named) = tags {
            precondition(!named.isEmpty && named.allSatisfy { $0.tag.hasPrefix("\"") && $0.tag.hasSuffix("\"") }, text)
        }
    }
    return 0
}
