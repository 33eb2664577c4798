import TenureCore

/// Any text is parsed or rejected, and a parsed timestamp parses again from its own text.
@_cdecl("LLVMFuzzerTestOneInput")
public func readTimestamp(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let moment = Timestamp(text: String(decoding: bytes, as: UTF8.self)) else { return 0 }
    let text = moment.description
    precondition(text.hasSuffix("s") || Timestamp(text: text) == moment, text)
    return 0
}
