import Glibc
import TenureCrypto

/// The minimum cost of a renewal: one OAEP decryption and one RSA-3072 signature, in CPU time of one thread.
///
/// A further license in the same request is compared with one Ed25519 signature.
enum Envelope {
    static func measure(seconds: Double) throws {
        let key = try RSA.PrivateKey.generate()
        let wrapped = try key.publicKey.encryptOAEP(SecureRandom.bytes(32))
        let message = SecureRandom.bytes(1000)
        let decrypt = try cost(seconds / 2) { _ = try key.decryptOAEP(wrapped) }
        let sign = try cost(seconds / 2) { _ = try key.sign(message) }
        let signer = Ed25519.PrivateKey.generate()
        let ed25519 = try cost(seconds / 4) { _ = signer.sign(message) }
        print("{\"decrypt\": \(decrypt), \"sign\": \(sign), \"ed25519\": \(ed25519)}")
    }

    /// Measures the minimum cost of an install token: one ES256 signature.
    static func measureSignature(seconds: Double) throws {
        let key = try P256.PrivateKey.generate()
        let message = SecureRandom.bytes(400)
        print("{\"es256\": \(try cost(seconds) { _ = try key.sign(message) })}")
    }

    /// Returns the CPU time of each call in microseconds.
    private static func cost(_ seconds: Double, _ work: () throws -> Void) throws -> Double {
        let began = cpu()
        var calls = 0.0
        while cpu() - began < seconds {
            try work()
            calls += 1
        }
        return (cpu() - began) / calls * 1e6
    }

    private static func cpu() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
