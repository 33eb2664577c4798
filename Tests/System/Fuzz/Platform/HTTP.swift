import TenureThreads

@testable import TenureHTTP
@testable import TenureHTTPServer

/// An address is written as a text that parses to the same address, and its network contains it.
let ipAddresses = FuzzTarget("IPAddress", longest: 64) { bytes in
    guard let text = text(bytes), let address = IPAddress(text) else { return }
    expect(IPAddress(address.description) == address, text)
    expect(address.network.high == address.high && address.network.network == address.network, text)
    expect(text.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 }, text)
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

/// A connection's bytes are the same requests and the same refusal however they are cut. No head that is accepted has a
/// byte that another parser could read in a different way, and nothing is read after a refusal.
let connectionBytes = FuzzTarget("ConnectionBytes", longest: 400, cost: 4) { bytes in
    let (whole, cut) = (received([bytes[...]]), received(bytes.indices.map { bytes[$0...$0] }))
    expect(whole == cut, "\(whole) and \(cut)")
    for request in whole.requests {
        let names = request.headers.fields.map(\.name) + [request.method]
        expect(names.allSatisfy { Headers.isToken($0) }, "\(names)")
        let texts = request.headers.fields.map(\.value) + [request.path, request.query]
        expect(texts.allSatisfy { $0.utf8.allSatisfy(Headers.isValueByte) }, "\(texts)")
        expect(request.headers.values("Host").count <= 1 && request.body.count <= bytes.count, "\(request)")
        let lengths = request.headers.values("Content-Length").count
        expect(lengths <= 1 && (lengths == 0 || request.headers.values("Transfer-Encoding").isEmpty), "\(request)")
    }
}

private struct Received: Equatable {
    var requests: [Request] = []
    var continues = 0
    var refusal: Int?

    static func == (one: Received, other: Received) -> Bool {
        one.refusal == other.refusal && one.continues == other.continues
            && one.requests.elementsEqual(other.requests) {
                $0.method == $1.method && $0.path == $1.path && $0.query == $1.query && $0.headers == $1.headers
                    && $0.body == $1.body
            }
    }
}

private let limits: HTTPServer.Configuration = {
    var configuration = HTTPServer.Configuration(listen: .unix(path: "/none"))
    configuration.headerLimit = 300
    configuration.bodyLimit = 60
    configuration.discardLimit = 60
    return configuration
}()

/// Answers each request of a connection at once, and shows what it received until it ended.
private func received(_ parts: [ArraySlice<UInt8>]) -> Received {
    var state = ConnectionState(peer: .local, limits: limits, at: SteadyTime(nanoseconds: 0))
    var received = Received()
    for part in parts {
        var action = part.withUnsafeBytes { unsafe state.receive($0, at: SteadyTime(nanoseconds: 1)) { _ in true } }
        while action != .wait {
            switch action {
            case .sendContinue:
                received.continues += 1
                action = state.resume { _ in true }
                continue
            case .handle: received.requests.append(state.request)
            case .reject(let status): received.refusal = status
            case .wait, .giveUp, .finish, .close: return received
            }
            state.sent(at: SteadyTime(nanoseconds: 1))
            action = state.responded(at: SteadyTime(nanoseconds: 1)) { _ in true }
        }
    }
    return received
}

let listenAddresses = FuzzTarget("ListenAddress", longest: 96) { bytes in
    guard let text = text(bytes), let address = HTTPServer.Address(text) else { return }
    expect(HTTPServer.Address(address.description) == address, text)
}
