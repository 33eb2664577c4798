import TenureCommandLine
import Testing

struct CSVTableTests {
    private func rows(_ text: String) throws -> [[String]] {
        var table = try CSVTable(text, of: ["holder", "order", "end"], in: "a.csv")
        var rows = [table.columns]
        while let row = try table.next(in: "a.csv") { rows.append(row.cells) }
        return rows
    }

    @Test(arguments: [
        "holder,order\nada,1\nbob,2\n", "holder;order\nada;1\nbob;2\n", "holder\torder\r\nada\t1\r\nbob\t2",
        "\u{FEFF}holder;order\r\n\r\nada;1\r\n;\r\n ; \r\nbob;2\r\n;;;\r\n", " holder , order\t\nada,1\n\n\nbob,2\n",
        "\n\nholder,order\nada,1\n\"\",\"\"\nbob,2", "\"holder\";\"order\"\nada;\"1\"\nbob;2",
    ])
    func `a CSV file may separate cells by commas, semicolons or tabs, and may have empty rows`(text: String) throws {
        #expect(try rows(text) == [["holder", "order"], ["ada", "1"], ["bob", "2"]])
    }

    @Test func `a cell of a CSV file may contain separators that its heading line doesn't use`() throws {
        #expect(try rows("holder\n\"a;b\"\n") == [["holder"], ["a;b"]])
        #expect(try rows("holder,order\na;b;c;d,\"1\t\"\n") == [["holder", "order"], ["a;b;c;d", "1\t"]])
    }

    @Test(arguments: [
        ("", "empty"), ("\n ;\n", "empty"), ("holder,holder \n", "twice"),
        ("holder,surname\n", "unknown column surname"),
        ("holder,\n", "unknown column ''"), ("holder,\"order\n1,2\n", "line 1"),
        ("holder,order\nada,\"1\nbob,2\n", "line 2"),
    ])
    func `a CSV file is refused if it's empty, a column is unknown or repeated, or a quote isn't closed`(
        text: String, words: String
    ) throws {
        let error = #expect(throws: CommandError.self) { try rows(text) }
        #expect(error?.description.contains(words) == true)
    }

    @Test func `a semicolon that forms one Character with the scalar before it separates two cells`() throws {
        #expect(try rows("holder;order\n\u{600};b\n") == [["holder", "order"], ["\u{600}", "b"]])
    }
}
