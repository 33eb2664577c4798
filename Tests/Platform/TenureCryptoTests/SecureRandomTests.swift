import TenureCrypto
import Testing

@Suite struct SecureRandomTests {
    @Test func `each bit of random bytes is set in some samples and unset in others`() {
        var generator = SecureRandom()
        var ones: UInt64 = 0
        var zeros: UInt64 = 0
        for _ in 0..<128 {
            let number = generator.next()
            ones |= number
            zeros |= ~number
        }
        #expect(ones == .max)
        #expect(zeros == .max)
    }

    @Test(arguments: [0, 1, 32, 1000])
    func `the requested number of random bytes is returned`(count: Int) {
        #expect(SecureRandom.bytes(count).count == count)
    }

    @Test func `a generated UUID has version 4 and differs from the next one`() {
        let one = SecureRandom.uuidBytes()
        #expect(one.count == 16)
        #expect(one[6] >> 4 == 4)
        #expect(one[8] >> 6 == 0b10)
        #expect(one != SecureRandom.uuidBytes())
    }
}
