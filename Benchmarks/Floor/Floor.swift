import Foundation
import Glibc
import TenureCrypto
import TenureHTTP
import TenureHTTPServer

/// The least that an answer with a signed lease can cost: the server's own HTTP stack, one signature, and a constant.
@main
struct Floor {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let address = ListenAddress(arguments[1]), let size = Int(arguments[2]) else {
            FileHandle.standardError.write(Data("usage: bench-floor HOST:PORT ANSWER-BYTES\n".utf8))
            exit(2)
        }
        let server = try HTTPServer.start(.init(listen: address), handler: SignOnce(answerSize: size))
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

    init(answerSize: Int) {
        answer =
            Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "y"), count: max(0, answerSize - 2))
            + Array("\"".utf8)
    }

    func respond(to request: Request) async -> Response {
        let signature = key.sign(lease)
        // Used, so that no compiler may leave the signature out.
        return signature.count == Ed25519.signatureLength ? .json(answer) : Response(status: 500)
    }
}
