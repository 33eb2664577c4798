import TenureCrypto
import Testing

@Suite struct RunningSHA256Tests {
    @Test func `hashing a message in parts gives the digest of the whole message`() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for size in [1, 63, 64, 65, 1_000] {
            let running = RunningSHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                running.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(running.digest() == SHA256.hash(bytes), "pieces of \(size)")
        }
        #expect(RunningSHA256().digest() == SHA256.hash([]))
    }

    @Test func `bytes can be added to a running hash after its digest was read`() {
        let running = RunningSHA256()
        running.update([1])
        #expect(running.digest() == SHA256.hash([1]))
        running.update([])
        running.update([2])
        #expect(running.digest() == SHA256.hash([1, 2]))
    }
}
