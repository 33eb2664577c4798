import Foundation
import TenureClient
import TenureCore
import Testing

@Suite struct MomentTests {
    @Test(arguments: [Int64.min, -1, 0, 1, 1_700_000_000, 1 << 31, .max])
    func `a time is stored as a number of seconds since 1970`(seconds: Int64) throws {
        let moments = [Moment(Timestamp(seconds: seconds))]
        let stored = try JSONEncoder().encode(moments)
        #expect(String(decoding: stored, as: UTF8.self) == "[\(seconds)]")
        #expect(try JSONDecoder().decode([Moment].self, from: stored) == moments)
    }
}
