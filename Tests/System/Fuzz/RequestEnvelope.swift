import TenureCrypto
import TenureFormats
import TenureMarketplace

/// Opens random envelopes.
///
/// The first byte says whether there is a key. The second sets the length of the request's text; the rest is the
/// request key.
///
/// Without a key, no envelope may open.
@_cdecl("LLVMFuzzerTestOneInput")
public func openRequestEnvelope(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard count >= 2 else { return 0 }
    let split = min(2 + Int(input[1]) * 4, count)
    let envelope = RequestEnvelope(
        request: String(decoding: input[2..<split], as: UTF8.self),
        requestKey: String(decoding: input[split...], as: UTF8.self))
    var readings = 0
    let opened = try? envelope.open(with: input[0] < 16 ? Keys.some : []) { plaintext in
        readings += 1
        return plaintext
    }
    precondition(opened == nil, "an envelope opened without having been sealed")
    precondition(readings == 1, "an envelope was not read exactly once")
    return 0
}

private enum Keys {
    // A small key makes the fuzzer faster. A request key of 384 bytes is then not valid ciphertext.
    static let some = [try? RSA.PrivateKey.generate(modulusBits: 1024)].compactMap(\.self)
}
