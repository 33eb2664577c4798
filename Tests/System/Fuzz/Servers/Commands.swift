import TenureCore

@testable import TenureCommandLine

/// A table that was read is written and read as the same table, except for cells that a spreadsheet would compute.
let csvRecords = FuzzTarget("CSVRecords", longest: 192) { bytes in
    guard let text = text(bytes.first.map { $0 & 0x20 == 0 } == true ? marked(bytes) : bytes) else { return }
    var records = CSVRecords(text)
    var last = 0
    while let record = records.next() {
        expect(record.line > last && !record.cells.isEmpty, "lines out of order")
        last = record.line
        // A first row, because a byte order mark is ignored only at the beginning.
        var again = CSVRecords("first\n" + CSVRow.text(of: record.cells))
        guard again.next() != nil, let copy = again.next() else { fail("a written row does not read") }
        expect(copy.cells.count == record.cells.count && again.next() == nil, "another number of cells")
        for (cell, written) in zip(record.cells, copy.cells) {
            let isSame = written.unicodeScalars.elementsEqual(cell.unicodeScalars)
            expect(isSame || written.unicodeScalars.dropFirst().elementsEqual(cell.unicodeScalars), "another cell")
        }
    }
}

private let end = Argument<TermEnd?>.optional("end", "DATE", "", as: .end)
private let limit = Argument<Int?>.optional("limit", "N", "", as: .int(in: 1...10))
private let quiet = Argument<Bool>.flag("quiet", "")

/// The words of a command are parsed, or refused with one printable line.
let commandLines = FuzzTarget("CommandLine", longest: 128, cost: 2) { bytes in
    guard let text = text(bytes) else { return }
    let words = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    do throws(UsageError) {
        let parsed = try Parsed(words[...], for: [end, limit, quiet])
        if let limit = parsed[limit] { expect((1...10).contains(limit), text) }
        _ = parsed[end]
        _ = parsed[quiet]
    } catch {
        expect(!error.message.isEmpty, text)
        expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, error.message)
    }
}
