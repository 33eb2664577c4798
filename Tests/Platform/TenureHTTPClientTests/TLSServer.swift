import Foundation
import TestProcesses
import Testing

/// An `openssl s_server` with a self-signed certificate for `localhost`.
struct TLSServer {
    let url: String
    /// The path of the self-signed certificate, a PEM file.
    let certificate: String
    /// The base64 text of the SHA-256 hash of the certificate's public key.
    let pin: String
}

/// Runs a TLS server until `body` returns.
func withTLSServer<Value>(_ body: (TLSServer) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tenure-tls-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
    let created = try shell(
        """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
            -addext subjectAltName=DNS:localhost -keyout \(key) -out \(certificate) 2>/dev/null
        openssl pkey -in \(key) -pubout -outform DER | openssl dgst -sha256 -binary | base64
        """)
    let server = try ChildProcess([
        "sh", "-c", "exec openssl s_server -accept 127.0.0.1:0 -cert \(certificate) -key \(key) -www 2>/dev/null",
    ])
    defer { server.kill(SIGTERM) }
    var port: Substring?
    while port == nil {
        let line = try #require(try server.readLine(), "openssl s_server ended before it listened")
        port = line.firstMatch(of: /ACCEPT .*:(\d+)$/)?.output.1
    }
    return try await body(TLSServer(url: "https://localhost:\(port ?? "")/", certificate: certificate, pin: created))
}

private func shell(_ script: String) throws -> String {
    try ChildProcess.run(["sh", "-euc", script]).output.trimmingCharacters(in: .whitespacesAndNewlines)
}
