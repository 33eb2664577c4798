import TenureCore
import TenureFormats
import TenureHTTP

@testable import TenureServerKit

private struct Input: Sendable {
    var line: String?
    var word: String?
    var count: Int
    var flag: Bool?
    var moment: Timestamp?
    var license: LicenseID?
    var names: [TenantID]?
    var end: TermEnd?
}

private let fields = Fields { (fields: inout FieldReader) throws -> Input in
    Input(
        line: try fields.optional("line", .line(1...20)), word: try fields.optional("word", .word(2...8)),
        count: try fields.optional("count", .integer(1...100), else: 5), flag: try fields.optional("flag", .boolean),
        moment: try fields.optional("moment", .dateTime), license: try fields.optional("license", .licenseID),
        names: try fields.optional("names", .texts(of: .slug(), count: 0...3)),
        end: try fields.end("end", "the end"))
}

/// A body is read with all its fields within their bounds, or refused with a client's error, in each format.
let fieldBodies = FuzzTarget("RequestBody", longest: 384, cost: 2) { bytes in
    guard let first = bytes.first else { return }
    var format = ResponseFormat.problem
    if first & 1 != 0 { format.mediaTypes = .form }
    if first & 2 != 0 { format.unknownMembers = .refused }
    if first & 4 != 0 { format.readsEmptyAsAbsent.toggle() }
    if first & 8 != 0 { format.readsNoBodyAsEmpty.toggle() }
    let type = first & 1 != 0 ? "application/x-www-form-urlencoded" : "application/json"
    let request = Request(
        method: "POST", path: "/", headers: ["Content-Type": type], body: Array(bytes.dropFirst()))
    do {
        let input = try fields.input(of: request, PathParameters(), as: format)
        expect((1...100).contains(input.count), "a number out of range")
        if let line = input.line { expect((1...20).contains(line.unicodeScalars.count), line) }
        if let word = input.word { expect((2...8).contains(word.utf8.count), word) }
        if let names = input.names { expect(names.count <= 3, "too many names") }
    } catch {
        expect(error is Failure, "another error: \(error)")
    }
}

/// The words of a field are read in one way, whether they come from a path, a query or a header.
let fieldTexts = FuzzTarget("FieldText", longest: 96) { bytes in
    guard let text = text(bytes) else { return }
    if let number = FieldType<Int>.integer(-5...500).value(ofText: text) { expect(String(number) == text, text) }
    if let flag = FieldType<Bool>.boolean.value(ofText: text) { expect("\(flag)" == text, text) }
    if let moment = FieldType<Timestamp>.seconds.value(ofText: text) { expect("\(moment.seconds)" == text, text) }
    if let line = FieldType<String>.line(0...20).value(ofText: text) { expect(line == text, text) }
    _ = FieldType<Timestamp>.dateTime.value(ofText: text)
    _ = FieldType<ActivationID>.activationID.value(ofText: text)
    _ = FieldType<AccountID>.accountID.value(ofText: text)
}

/// Any header values from a browser give an available language, and only a page's own origin counts as such.
let pageHeaders = FuzzTarget("PageHeader", longest: 128, cost: 2) { bytes in
    guard let text = text(bytes) else { return }
    let language = Language(accepting: text, of: [.korean, .english])
    expect([.korean, .english].contains(language), text)
    expect(Language(accepting: text, of: [.english]) == .english, text)
    let request = Request(
        method: "POST", path: "/", query: text,
        headers: ["Origin": text, "Host": "market.example", "Authorization": text])
    if request.isFromOwnPage {
        expect(text == "null" || text.lowercased().hasSuffix("://market.example"), text)
    }
    if let bearer = request.bearer { expect(text.hasSuffix(bearer), text) }
}

/// A session is taken only from the cookie of that name, and a form only with the code of its session.
let sessionCookies = FuzzTarget("SessionCookie", longest: 192) { bytes in
    guard let text = text(bytes) else { return }
    let request = Request(method: "GET", path: "/", headers: ["Cookie": text])
    for token in request.tokens(inCookie: "tenure_session") {
        expect(text.cut(at: "tenure_session") != nil && text.cut(at: token.text) != nil, text)
        expect(token.text.utf8.count == 43, text)
    }
    if let token = SessionToken(text), let tenant = TenantID("a") {
        expect(token.accepts(token.formCode(for: tenant), for: tenant) && !token.accepts(text, for: tenant), text)
    }
}

/// The source of a request is the last address that a trusted proxy added, reduced to its network.
let forwardedAddresses = FuzzTarget("ForwardedFor", longest: 128) { bytes in
    guard let text = text(marked(bytes)), let proxies = TrustedProxies(["10.0.0.1", "unix"]) else { return }
    let headers: Headers = ["X-Forwarded-For": text]
    for peer in [Request.Peer.local, .host(IPAddress(version4: 0x0A00_0001))] {
        guard let source = proxies.source(of: Request(method: "GET", path: "/", headers: headers, peer: peer)) else {
            fail("a client has no source: \(text)")
        }
        expect(source.network == source, text)
        // What a client writes doesn't change the address that the proxy appends.
        let appended: Headers = ["X-Forwarded-For": text + ", 198.51.100.7"]
        let known = proxies.source(of: Request(method: "GET", path: "/", headers: appended, peer: peer))
        expect(known == IPAddress(version4: 0xC633_6407), text)
    }
    let stranger = IPAddress(version4: 0x0808_0808)
    let request = Request(method: "GET", path: "/", headers: headers, peer: .host(stranger))
    expect(proxies.source(of: request) == stranger, "a stranger chose its source")
}

/// Short texts that people type are read back unchanged after writing, and no text changes the structure of a path.
let kitTexts = FuzzTarget("OperatorText", longest: 96) { bytes in
    guard let text = text(bytes) else { return }
    if let pattern = EventFilter.KindPattern(text) {
        expect(EventFilter.KindPattern(pattern.description) == pattern, text)
    }
    if let reference = SupportReference(text: text) {
        expect(SupportReference(text: reference.description) == reference, text)
    }
    let path = PagePath.encoded(text)
    expect(path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }, path)
    expect(QueryItems("a=" + path)?["a"]?.utf8.elementsEqual(text.utf8) == true, path)
}
