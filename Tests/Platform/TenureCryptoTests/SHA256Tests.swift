import TenureCrypto
import Testing

@Suite struct SHA256Tests {
    struct Vector: Decodable {
        let name: String
        let message, digest: HexBytes
        let times: Int
    }

    @Test func `SHA-256 digests match the published test vectors`() throws {
        for vector in try VectorFile<Vector>.read("sha256") {
            let message = Array(repeatElement(vector.message.bytes, count: vector.times).joined())
            #expect(SHA256.hash(message) == vector.digest.bytes, "\(vector.name)")
        }
    }
}
