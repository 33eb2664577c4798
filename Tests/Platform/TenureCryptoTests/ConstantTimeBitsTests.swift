import Testing

@testable import TenureCrypto

@Suite struct ConstantTimeBitsTests {
    static let numbers: [UInt] = [0, 1, 2, 15, 16, 17, 255, .max / 2, .max / 2 + 1, .max - 1, .max]

    @Test func `constant-time masks match the results of ordinary comparisons`() {
        for one in Self.numbers {
            for other in Self.numbers {
                #expect(ConstantTimeBits.isLess(one, other) == (one < other ? .max : 0), "\(one) < \(other)")
                let (left, right) = (Int(bitPattern: one), Int(bitPattern: other))
                #expect(ConstantTimeBits.isEqual(left, right) == (left == right ? .max : 0), "\(left) == \(right)")
            }
        }
    }

    @Test func `a constant-time mask selects one of two byte arrays`() {
        #expect(ConstantTimeBits.choose([1, 2, 255], over: [4, 5], if: .max) == [1, 2])
        #expect(ConstantTimeBits.choose([1, 2, 255], over: [4, 5], if: 0) == [4, 5])
    }
}
