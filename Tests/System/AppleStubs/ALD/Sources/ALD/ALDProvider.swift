/// Apple's `ALDProvider`, declared from its public documentation. It does nothing.
public class ALDProvider {
    /// Takes DER certificates, the secret's bytes and the signing certificate's private key.
    public init(encryptionCert: [UInt8], signingCert: [UInt8], PASK: [UInt8], signingKey: [UInt8]? = nil) {}

    /// Reads a decrypted request.
    public func createSession(clientRequest: [UInt8]) throws -> ALDSession {
        throw StubError.notApples
    }
}
