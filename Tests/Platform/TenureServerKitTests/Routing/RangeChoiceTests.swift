import TenureHTTP
import TenureServerKit
import Testing

@Suite struct RangeChoiceTests {
    static let table: [(String?, Int64, RangeChoice)] = [
        (nil, 10, .whole),
        // The first and the last byte, both inclusive.
        ("bytes=0-0", 10, .part(0..<1)), ("bytes=0-8", 10, .part(0..<9)), ("bytes=0-9", 10, .part(0..<10)),
        ("bytes=0-10", 10, .part(0..<10)), ("bytes=9-9", 10, .part(9..<10)), ("bytes=10-10", 10, .unsatisfiable),
        ("bytes=10-", 10, .unsatisfiable), ("bytes=9-", 10, .part(9..<10)), ("bytes=0-", 10, .part(0..<10)),
        ("bytes=007-8", 10, .part(7..<9)),
        // Suffix ranges.
        ("bytes=-1", 10, .part(9..<10)), ("bytes=-9", 10, .part(1..<10)), ("bytes=-10", 10, .part(0..<10)),
        ("bytes=-11", 10, .part(0..<10)), ("bytes=-0", 10, .unsatisfiable),
        // An empty file.
        ("bytes=0-", 0, .unsatisfiable), ("bytes=0-0", 0, .unsatisfiable), ("bytes=-1", 0, .whole),
        ("bytes=-0", 0, .unsatisfiable),
        // Beyond 2 GiB and 4 GiB, and beyond every integer.
        ("bytes=2147483647-2147483648", 3 << 30, .part(2_147_483_647..<2_147_483_649)),
        ("bytes=4294967295-", 5 << 30, .part(4_294_967_295..<(5 << 30))),
        ("bytes=0-9223372036854775807", 10, .part(0..<10)),
        ("bytes=0-99999999999999999999999", 10, .part(0..<10)),
        ("bytes=9223372036854775807-", .max, .unsatisfiable),
        ("bytes=9223372036854775806-9223372036854775807", .max, .part((.max - 1)..<(.max))),
        ("bytes=99999999999999999999999-", 10, .unsatisfiable), ("bytes=-99999999999999999999999", 10, .part(0..<10)),
        // The unit is case-insensitive. Blanks and empty list elements are allowed around commas.
        ("BYTES=1-2", 10, .part(1..<3)), ("bytes=, 1-2 ,", 10, .part(1..<3)), ("bytes=1-2\t", 10, .part(1..<3)),
        // Several ranges, and invalid ranges: the whole file.
        ("bytes=0-0,2-2", 10, .whole), ("bytes=0-0,-1", 10, .whole), ("bytes=20-,30-", 10, .whole),
        ("bytes=5-4", 10, .whole), ("bytes=20-10", 10, .whole), ("bytes=", 10, .whole), ("bytes=-", 10, .whole),
        ("bytes=,", 10, .whole), ("bytes", 10, .whole), ("", 10, .whole), ("bytes 0-1", 10, .whole),
        ("bytes=0", 10, .whole), ("bytes=a-b", 10, .whole), ("bytes=0-1-2", 10, .whole), ("bytes=+0-1", 10, .whole),
        ("bytes=0x0-1", 10, .whole), ("bytes=0 - 1", 10, .whole), ("bytes=--1", 10, .whole), ("bytes=-1-", 10, .whole),
        ("bytes=1\u{FF11}-2", 10, .whole), ("items=0-1", 10, .whole), (" bytes=0-1", 10, .whole),
        ("bytes=0-1;q=1", 10, .whole), ("bytes =0-1", 10, .whole),
    ]

    @Test(arguments: table)
    func `a single valid range selects a part of the file or is unsatisfiable, and any other Range field is ignored`(
        row: (String?, Int64, RangeChoice)
    ) {
        #expect(RangeChoice(row.0, size: row.1) == row.2)
    }

    static let tags: [(String, weak: Bool, strong: Bool)] = [
        (#""a""#, true, true), (#"W/"a""#, true, false), ("*", true, true), (" * ", true, true),
        (#""b", "a""#, true, true), (#""b","a""#, true, true), (#", "b" ,, W/"a","#, true, false),
        (#""b""#, false, false), (#""A""#, false, false), (#""a,b""#, false, false), (#"w/"a""#, false, false),
        ("a", false, false), (#""a"#, false, false), (#""a""b""#, false, false), ("", false, false),
        (",", false, false), (#""a b""#, false, false), (#""b", *"#, false, false),
    ]

    @Test(arguments: tags) func `entity tags match weakly or strongly as RFC 9110 defines`(
        row: (String, weak: Bool, strong: Bool)
    ) {
        let tags = EntityTags(row.0)
        #expect(tags?.matchWeakly(#""a""#) ?? false == row.weak)
        #expect(tags?.matchStrongly(#""a""#) ?? false == row.strong)
    }
}
