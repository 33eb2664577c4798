import Foundation
import Glibc
import TenureCrypto
import TenureHTTP
import TenureHTTPServer

/// The least that a signed answer can cost: the server's own HTTP stack, one signature, and a constant. With `hmac` the
/// answer is authenticated whole in place of signed.
@main
struct Floor {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let isHMAC = arguments.count == 4 && arguments[3] == "hmac"
        guard arguments.count == 3 || isHMAC, let address = ListenAddress(arguments[1]), let size = Int(arguments[2])
        else {
            FileHandle.standardError.write(Data("usage: bench-floor HOST:PORT ANSWER-BYTES [hmac]\n".utf8))
            exit(2)
        }
        let handler: any Handler = isHMAC ? AuthenticateOnce(answerSize: size) : SignOnce(answerSize: size)
        let server = try HTTPServer.start(.init(listen: address), handler: handler)
        guard case .tcp(let host, let port) = server.address else { return }
        FileHandle.standardOutput.write(Data("ready on http://\(host):\(port)\n".utf8))
        // Serves until it is killed.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

/// Signs a text as long as a lease's and answers always the same.
struct SignOnce: Handler {
    private let key = Ed25519.PrivateKey.generate()
    private let lease = [UInt8](repeating: UInt8(ascii: "x"), count: 160)
    private let answer: [UInt8]

    init(answerSize: Int) { answer = constant(answerSize) }

    func respond(to request: Request) async -> Response {
        let signature = key.sign(lease)
        // Used, so that no compiler may leave the signature out.
        return signature.count == Ed25519.signatureLength ? .json(answer) : Response(status: 500)
    }
}

/// Authenticates an answer of that length, which is always the same.
struct AuthenticateOnce: Handler {
    private let key = [UInt8](repeating: 7, count: 32)
    private let answer: [UInt8]

    init(answerSize: Int) { answer = constant(answerSize) }

    func respond(to request: Request) async -> Response {
        let code = HMACSHA256.code(of: answer, under: key)
        // Used, so that no compiler may leave the code out.
        return code.count == HMACSHA256.length ? .json(answer) : Response(status: 500)
    }
}

/// A JSON text of so many bytes.
private func constant(_ size: Int) -> [UInt8] {
    Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "y"), count: max(0, size - 2)) + Array("\"".utf8)
}
