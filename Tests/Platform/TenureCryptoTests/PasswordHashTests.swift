import TenureCrypto
import Testing

@Suite struct `Password hashes` {
    /// Hashes a password at costs low enough for many calls in a test.
    private func cheap(_ password: String) throws -> String {
        try PasswordHash.make(of: Array(password.utf8), passes: 1, memory: 8192)
    }

    @Test(arguments: ["correct horse", "", "pässwörd 🔑"])
    func `a password hash matches its password, and neither a longer nor a changed one`(_ password: String) throws {
        try expectFit(password)
    }

    @Test func `a password of 1024 bytes matches its hash`() throws {
        try expectFit(String(repeating: "a", count: 1024))
    }

    private func expectFit(_ password: String) throws {
        let hash = try cheap(password)
        #expect(PasswordHash.verify(Array(password.utf8), against: hash))
        #expect(!PasswordHash.verify(Array((password + "x").utf8), against: hash))
        #expect(!PasswordHash.verify(Array(password.utf8.dropLast()) + [0], against: hash))
    }

    @Test func `production hashes use Argon2id with 64 MiB, and two hashes of one password differ`() throws {
        let (one, other) = try (PasswordHash.make(of: [1, 2, 3]), PasswordHash.make(of: [1, 2, 3]))
        #expect(one.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(one != other)
        #expect(PasswordHash.verify([1, 2, 3], against: one))
        #expect(PasswordHash.isWellFormed(one))
    }

    @Test func `a decoy hash has the format and cost of a real hash`() throws {
        let (real, decoy) = (try PasswordHash.make(of: Array("secret".utf8)), try PasswordHash.decoy())
        #expect(PasswordHash.isWellFormed(decoy) && decoy.utf8.count == real.utf8.count)
        #expect(decoy.split(separator: "$").prefix(3) == real.split(separator: "$").prefix(3))
        #expect(try PasswordHash.decoy() != decoy)
        #expect(!PasswordHash.verify([], against: decoy))
    }

    @Test func `a password of 1025 bytes is refused`() {
        #expect(throws: CryptoError(.tooLong, "")) {
            try PasswordHash.make(of: [UInt8](repeating: 1, count: 1025))
        }
    }

    @Test(arguments: [
        "", "plain", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuv", "$argon2id$v=19$m=65536,t=2,p=1$!!$!!",
        "$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g\0x",
    ])
    func `a malformed hash matches no password`(_ text: String) {
        #expect(!PasswordHash.verify(Array("plain".utf8), against: text))
        #expect(!PasswordHash.verify([], against: text))
        #expect(!PasswordHash.isWellFormed(text))
    }
}
