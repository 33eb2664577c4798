/// Apple's `ALDProvider`, declared by hand from its public documentation (`spec/apple.md` §1); it does nothing.
public class ALDProvider {
    /// Takes certificates as DER, the secret's bytes, and the private key of the signing certificate.
    public init(encryptionCert: [UInt8], signingCert: [UInt8], PASK: [UInt8], signingKey: [UInt8]? = nil) {}

    /// Reads a decrypted request.
    public func createSession(clientRequest: [UInt8]) throws -> ALDSession {
        throw StubError.notApples
    }
}
