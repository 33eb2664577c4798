import TenureCrypto
import Testing

@Suite struct SHA256Tests {
    struct Vector: Decodable {
        let name: String
        let message, digest: HexBytes
        let times: Int
    }

    @Test func `published messages give the published digests`() throws {
        for vector in try VectorFile<Vector>.read("sha256") {
            let message = Array(repeatElement(vector.message.bytes, count: vector.times).joined())
            #expect(SHA256.hash(message) == vector.digest.bytes, "\(vector.name)")
        }
    }
}
