@testable import TenureHTTP
@testable import TenureHTTPServer

/// An address is written as a text that parses to the same address, and its network contains it.
let ipAddresses = FuzzTarget("IPAddress", longest: 64) { bytes in
    guard let text = text(bytes), let address = IPAddress(text) else { return }
    expect(IPAddress(address.description) == address, text)
    expect(address.network.high == address.high && address.network.network == address.network, text)
    expect(text.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 }, text)
}

/// A query's items, percent-encoded again, are the same items. No name occurs twice.
let queryItems = FuzzTarget("QueryItems", longest: 256) { bytes in
    guard let text = text(bytes), let query = QueryItems(text) else { return }
    let written = query.items.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    guard let again = QueryItems(written) else { fail("what was written does not read: \(written)") }
    // An item without a name and a value is written as `=`, which reads as such an item.
    expect(again == query, written)
    expect(Set(query.items.map(\.name)).count == query.items.count, text)
}

private func encoded(_ text: String) -> String {
    text.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

/// A matched path has as many values as the route has names, and no value can be taken for a part of a path.
let routes = FuzzTarget("Routes", longest: 160) { bytes in
    guard let text = text(bytes) else { return }
    for method in ["GET", "HEAD", "DELETE"] {
        switch router.match(method, text) {
        case .route(let route, let parameters):
            expect(parameters.names == route.parameterNames, text)
            expect(route.method == method || method == "HEAD", text)
            for value in parameters.values {
                expect(!value.isEmpty && value != "." && value != ".." && !value.contains("/"), value)
                expect(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, value)
            }
        case .methodNotAllowed(_, let allowed): expect(!allowed.isEmpty && !allowed.contains(method), text)
        case .notFound: break
        }
    }
}

private let router: Router = {
    var router = Router()
    for pattern in ["/", "/health", "/{tenant}/{product}/activate", "/v1/{tenant}/licenses/{license}", "/v1/{a}/b"] {
        router.on("GET", pattern) { _, _ in .text("") }
    }
    router.on("POST", "/{tenant}/{product}/activate") { _, _ in .text("") }
    return router
}()

/// Any `Range` field is accepted, and the chosen range lies within the file. Tags that match strongly also match
/// weakly.
let rangeFields = FuzzTarget("RangeFields", longest: 128) { bytes in
    guard let first = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let size: Int64 = [0, 1, 10, 3 << 30, .max][Int(first) % 5]
    if case .part(let range) = RangeChoice(text, size: size) {
        expect(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, text)
    }
    if let tags = EntityTags(text) {
        expect(!tags.matchStrongly("\"a\"") || tags.matchWeakly("\"a\""), text)
        if case .named(let named) = tags {
            expect(!named.isEmpty && named.allSatisfy { $0.tag.utf8.first == 0x22 && $0.tag.utf8.last == 0x22 }, text)
        }
    }
}

/// A request's target is split at its first question mark and, if it's an absolute URL, behind its host. A host has no
/// byte that another parser could take for the end of it.
let requestTargets = FuzzTarget("RequestTarget", longest: 160) { bytes in
    let target = bytes.withUnsafeBytes { unsafe Target($0) }
    guard target.isText else { return }
    expect(!target.path.utf8.contains(UInt8(ascii: "?")), target.path)
    let whole = target.path + (bytes.contains(UInt8(ascii: "?")) ? "?" + target.query : "")
    guard let authority = target.authority else {
        expect(Array(whole.utf8) == bytes, whole)
        return
    }
    let rest = bytes.dropFirst(bytes.dropFirst(4).first == UInt8(ascii: ":") ? 7 : 8)
    let added = target.path == "/" ? Array((authority + String(Substring(whole.utf8.dropFirst()))).utf8) : []
    expect(rest.elementsEqual((authority + whole).utf8) || rest.elementsEqual(added), whole)
    if HostField.isValid(authority) {
        expect(authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@\\\"".utf8.contains($0) }, authority)
    }
}

/// A connection's bytes have the same heads and the same refusal however they are cut, and no head that passes has a
/// line that another parser could read in a different way.
let requestHeads = FuzzTarget("RequestHead", longest: 400) { bytes in
    let (whole, cut) = (scan([bytes]), scan(bytes.map { [$0] }))
    expect(whole == cut, "\(whole) and \(cut)")
    expect(whole.passed <= bytes.count && (whole.refusal == nil || whole.passed < bytes.count), "\(whole)")
    guard whole.heads.count == 1, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return }
    let head = bytes[..<min(whole.passed, bytes.count)]
    expect(!bytes[..<end].contains(0) && bytes[end - 1] == UInt8(ascii: "\r"), String(decoding: head, as: UTF8.self))
    expect(whole.heads[0].contentLength == 0 || !whole.heads[0].isChunked, String(decoding: head, as: UTF8.self))
}

private struct Scanned: Equatable {
    var heads: [HeadScanner.Head] = []
    var passed = 0
    var refusal: Int?
}

private func scan(_ parts: [[UInt8]]) -> Scanned {
    var scanner = HeadScanner(sizeLimit: 300, memoryLimit: 800)
    var scanned = Scanned()
    var before = 0
    for part in parts where scanner.refusal == nil {
        let passed = part.withUnsafeBytes { unsafe scanner.scan($0) }
        if passed > 0 { scanned.passed = before + passed }
        before += part.count
    }
    while let head = scanner.takeHead() { scanned.heads.append(head) }
    scanned.refusal = scanner.refusal
    return scanned
}

let listenAddresses = FuzzTarget("ListenAddress", longest: 96) { bytes in
    guard let text = text(bytes), let address = HTTPServer.Address(text) else { return }
    expect(HTTPServer.Address(address.description) == address, text)
}
