import TenureHTTP
import TenureThreads

@testable import TenureHTTPServer

/// Drives the state of a connection without a socket: each request gets its response immediately.
struct Exchange: Equatable {
    /// A request as a handler receives it.
    struct Received: Equatable {
        var line: String
        var headers: Headers
        var body: String
    }

    var requests: [Received] = []
    /// The number of `100 Continue` responses.
    var continues = 0
    /// The status of the rejection that ended the connection.
    var refusal: Int?
    var hasEnded = false

    /// Receives a connection's bytes in parts.
    init(_ parts: [[UInt8]], _ adjust: (inout HTTPServer.Configuration) -> Void = { _ in }) {
        var state = newState(adjust)
        for part in parts where !hasEnded {
            var action = part.withUnsafeBytes { state.receive($0, at: .zero) { _ in true } }
            while action != .wait, !hasEnded {
                switch action {
                case .sendContinue:
                    continues += 1
                    action = state.resume { _ in true }
                case .handle:
                    let request = state.request
                    requests.append(
                        Received(
                            line: "\(request.method) \(request.path) \(request.query)", headers: request.headers,
                            body: String(decoding: request.body, as: UTF8.self)))
                    state.sent(at: .zero)
                    action = state.responded(at: .zero) { _ in true }
                case .reject(let status):
                    refusal = status
                    state.sent(at: .zero)
                    action = state.responded(at: .zero) { _ in true }
                case .finish, .close: hasEnded = true
                case .wait, .giveUp: return
                }
            }
        }
    }

    /// Receives a text in parts of at most `size` bytes.
    init(_ text: String, cutAfter size: Int = .max) {
        let bytes = Array(text.utf8)
        let size = min(size, max(1, bytes.count))
        self.init(stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) })
    }
}

/// Returns the state of a connection accepted at the time 0, by default with a header limit of 1000 bytes.
func newState(_ adjust: (inout HTTPServer.Configuration) -> Void = { _ in }) -> ConnectionState {
    var configuration = HTTPServer.Configuration(listen: .unix(path: "/none"))
    configuration.headerLimit = 1000
    adjust(&configuration)
    return ConnectionState(peer: .local, limits: configuration, at: .zero)
}

extension SteadyTime {
    static let zero = SteadyTime(nanoseconds: 0)

    /// Returns the time that is a number of seconds after ``zero``.
    static func seconds(_ number: Int) -> SteadyTime { zero.advanced(by: .seconds(number)) }
}
