import TenureHTTP

@testable import TenureServerKit

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
