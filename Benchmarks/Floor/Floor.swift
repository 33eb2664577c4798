import Glibc
import TenureCrypto
import TenureHTTP
import TenureHTTPServer

/// The minimum cost of a signed response: the server's HTTP stack, one signature and a constant body.
///
/// With `hmac`, the whole response is authenticated instead of signed.
@main
struct Floor {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let isHMAC = arguments.count == 4 && arguments[3] == "hmac"
        guard arguments.count == 3 || isHMAC, let address = HTTPServer.Address(arguments[1]),
            let size = Int(arguments[2])
        else {
            say("usage: bench-floor HOST:PORT ANSWER-BYTES [hmac]", on: STDERR_FILENO)
            exit(2)
        }
        let handler: any Handler = isHMAC ? AuthenticateOnce(answerSize: size) : SignOnce(answerSize: size)
        let server = try HTTPServer.start(.init(listen: address), handler: handler)
        guard case .tcp(let host, let port) = server.address else { return }
        say("ready on http://\(host):\(port)", on: STDOUT_FILENO)
        // Serves until it is killed.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

/// Writes a line at once, even if the output is no terminal.
private func say(_ line: String, on descriptor: Int32) { write(descriptor, line + "\n", line.utf8.count + 1) }

/// Signs a text as long as a lease and always sends the same response.
struct SignOnce: Handler {
    private let key = Ed25519.PrivateKey.generate()
    private let lease = [UInt8](repeating: UInt8(ascii: "x"), count: 160)
    private let answer: [UInt8]

    init(answerSize: Int) { answer = constant(answerSize) }

    func handle(_ request: Request) -> HandlerResult {
        let signature = key.sign(lease)
        // The signature is used, so that the compiler can't remove it.
        return .response(signature.count == Ed25519.signatureLength ? .json(answer) : Response(status: 500))
    }
}

/// Authenticates a response that is always the same.
struct AuthenticateOnce: Handler {
    private let key = [UInt8](repeating: 7, count: 32)
    private let answer: [UInt8]

    init(answerSize: Int) { answer = constant(answerSize) }

    func handle(_ request: Request) -> HandlerResult {
        let code = HMACSHA256.code(of: answer, under: key)
        // The code is used, so that the compiler can't remove it.
        return .response(code.count == HMACSHA256.length ? .json(answer) : Response(status: 500))
    }
}

/// Returns a JSON text of `size` bytes.
private func constant(_ size: Int) -> [UInt8] {
    Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "y"), count: max(0, size - 2)) + Array("\"".utf8)
}
