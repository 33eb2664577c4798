import Foundation

/// `openssl s_server` with a certificate of its own for `localhost`.
struct TLSServer {
    let url: String
    /// The certificate, which is its own authority, as a PEM file.
    let certificate: String
    /// The base64 of the SHA-256 of its public key.
    let pin: String
}

/// Runs a TLS server for as long as the body runs.
func withTLSServer<Value>(_ body: (TLSServer) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tenure-tls-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
    let made = try shell(
        """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
            -addext subjectAltName=DNS:localhost -keyout \(key) -out \(certificate) 2>/dev/null
        openssl pkey -in \(key) -pubout -outform DER | openssl dgst -sha256 -binary | base64
        """)
    let server = Process()
    server.executableURL = URL(filePath: "/usr/bin/env")
    server.arguments = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
    let output = Pipe()
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    server.standardInput = FileHandle.nullDevice
    try server.run()
    // Not waited for: that needs the thread that started it, and a test moves between threads.
    defer { server.terminate() }
    var said = ""
    while !said.contains(/ACCEPT .*:(\d+)\n/) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { throw Silent(said: said) }
        said += String(decoding: more, as: UTF8.self)
    }
    let port = said.firstMatch(of: /ACCEPT .*:(\d+)\n/)?.output.1 ?? ""
    return try await body(TLSServer(url: "https://localhost:\(port)/", certificate: certificate, pin: made))
}

private struct Silent: Error {
    let said: String
}

private func shell(_ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-euc", script]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}
