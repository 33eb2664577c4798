import TenureCore
import TenureFormats

/// A parsed timestamp parses again from its own text, and arithmetic on it doesn't overflow.
let timestamps = FuzzTarget("Timestamp", longest: 64) { bytes in
    guard let text = text(bytes), let moment = Timestamp(text: text) else { return }
    let written = moment.description
    expect(written.hasSuffix("s") || Timestamp(text: written) == moment, written)
    expect(moment.adding(days: .max).adding(seconds: .max).seconds == .max, written)
    expect(moment.seconds(until: moment) == 0, written)
}

/// Identifiers of every kind are written back as an equal identifier, and their bounds hold.
let ids = FuzzTarget("Identifiers", longest: 160) { bytes in
    guard let text = text(bytes) else { return }
    if let id = LicenseID(text: text) { expect(LicenseID(text: id.description) == id && id.number >= 0, text) }
    if let id = LicenseID(decimal: text) { expect(LicenseID(decimal: String(id.number)) == id, text) }
    if let id = EnrolmentID(text: text) { expect(EnrolmentID(text: id.description) == id && id.number >= 0, text) }
    if let id = ContentLicenseID(text: text) { expect(ContentLicenseID(text: id.description) == id, text) }
    if let id = ActivationID(text: text) { expect(id.description == text.lowercased(), text) }
    if let id = AppleItemID(text: text) { expect(id.description == text, text) }
    if let id = AppleVersionID(text: text) { expect(id.description == text, text) }
    if let id = AssetID(text) { expect(id.text.utf8.elementsEqual(bytes) && !text.contains("/"), text) }
    if let id = TenantID(text) { expect(id.text.utf8.elementsEqual(bytes) && bytes.count <= 64, text) }
    if let id = AccountID(text) { expect(id.text.utf8.elementsEqual(bytes) && bytes.count <= 128, text) }
    if let hash = DeviceHash(text) { expect(hash.text == text.lowercased() && Hex.decode(text)?.count == 32, text) }
    if let nonce = StatementNonce(text: text) { expect(nonce.description == text, text) }
}

/// Each text is decoded in one way only, and written back identically. The lenient decoder accepts what the strict
/// ones accept, with the same result.
let base64 = FuzzTarget("Base64", longest: 96) { bytes in
    expect(Base64.decode(Base64.encode(bytes)) == bytes, "standard")
    expect(Base64.decodeURL(Base64.encodeURL(bytes)) == bytes, "url")
    guard let text = text(bytes) else { return }
    let lenient = Base64.decodeLenient(text)
    if let decoded = Base64.decode(text) {
        expect(Base64.encode(decoded) == text && lenient == decoded, text)
    }
    if let decoded = Base64.decodeURL(text) {
        expect(Base64.encodeURL(decoded) == text && lenient == decoded, text)
    }
}

let hex = FuzzTarget("Hex", longest: 96) { bytes in
    expect(Hex.decode(Hex.encode(bytes)) == bytes, "hex")
    guard let text = text(bytes), let decoded = Hex.decode(text) else { return }
    expect(Hex.encode(decoded) == text.lowercased(), text)
}

/// Dates of HTTP lie in years that Tenure can write, and a pause lies within its limit.
let httpDates = FuzzTarget("HTTPDate", longest: 96) { bytes in
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = text(Array(parts[0])) else { return }
    if let moment = HTTPDate.read(first) { expect(!moment.description.hasSuffix("s"), first) }
    let answered = parts.count == 2 ? text(Array(parts[1])) : nil
    for now in [Int64.min, 0, .max] {
        guard let pause = RetryAfter.seconds(first, answered: answered, now: Timestamp(seconds: now)) else { continue }
        expect((0...RetryAfter.limit).contains(pause), first)
    }
}

/// A URL's parts are found in its text, and its origin is a URL with the same parts.
let webURLs = FuzzTarget("WebURL", longest: 256) { bytes in
    guard let text = text(bytes), let url = WebURL(text) else { return }
    expect(text.hasSuffix(String(url.rest)) && !url.host.isEmpty && url.port != 0, text)
    guard let origin = WebURL(url.origin) else { fail(text) }
    expect(origin.host == url.host && origin.scheme == url.scheme && origin.port == url.port, text)
    expect(origin.rest.isEmpty && !origin.hasUser && origin.isThisMachine == url.isThisMachine, text)
}

/// Texts are split where the bytes are, whatever stands beside a separator.
let markedTexts = FuzzTarget("MarkedText", longest: 128) { bytes in
    for bytes in [bytes, marked(bytes)] {
        guard let text = text(bytes) else { continue }
        let parts = text.split(atByte: ",", omittingEmptySubsequences: false).map { Array($0.utf8) }
        expect(
            parts.elementsEqual(bytes.split(separator: 0x2C, omittingEmptySubsequences: false).map(Array.init)), text)
        expect(HeaderText.lastElement(of: [text]).map { $0.utf8.contains(0x2C) } == false, text)
        expect(HeaderText.elements(of: [text]).allSatisfy { !$0.isEmpty && !$0.contains(byte: ",") }, text)
        expect(HeaderText.cookies("a", in: [text]).allSatisfy { !$0.contains(byte: ";") }, text)
        if let (before, after) = text.cut(at: "=") {
            expect(Array(before.utf8) + [0x3D] + Array(after.utf8) == bytes && !before.contains(byte: "="), text)
        } else {
            expect(!bytes.contains(0x3D), text)
        }
        for line in text.lines { expect(!line.utf8.contains(0x0A) && !line.utf8.contains(0x0D), text) }
        expect(String(firstLineOf: bytes).map { $0.utf8.elementsEqual((text.lines.first ?? "").utf8) } == true, text)
    }
}
