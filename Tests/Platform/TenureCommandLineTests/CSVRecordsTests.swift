import TenureCommandLine
import Testing

struct CSVRecordsTests {
    @Test(arguments: [
        ("a,b\r\n", ["a", "b"]), ("a,\"b\r\"\r\n", ["a", "b\r"]), ("a,\"b\r\"", ["a", "b\r"]), ("a\r", ["a"]),
        ("\"\r\"\n", ["\r"]), ("\"a\"\"\n,\"\n", ["a\"\n,"]), ("\u{FEFF}a", ["a"]),
    ])
    func `outside quotes, a carriage return in a CSV file ends a line, and inside quotes, it belongs to the cell`(
        text: String, cells: [String]
    ) {
        var records = CSVRecords(text)
        let read = records.next()?.cells ?? []
        #expect(read.map { Array($0.utf8) } == cells.map { Array($0.utf8) })
        #expect(records.next()?.cells == nil)
    }
}
