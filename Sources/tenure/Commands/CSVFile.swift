/// A new file of comma-separated values (RFC 4180), readable by its owner alone: it may hold license keys.
struct CSVFile {
    private let file: NewFile

    /// Makes the file; refuses one that is there already.
    init(creating path: String) throws(CommandError) {
        file = try NewFile(creating: path)
    }

    var path: String { file.path }

    func write(row cells: [String]) throws(CommandError) {
        try file.write(
            cells.map(Self.escaped).joined(separator: ",") + "\n",
            loss: "The licenses of the last batch are issued; their keys are lost: revoke or rekey the ones that are "
                + "missing from the file.")
    }

    /// Waits until what was written is on disk.
    func sync() throws(CommandError) { try file.sync() }

    /// Takes the file back, so that its name is free for the next attempt.
    func remove() { file.remove() }

    /// Quotes what needs it, and disarms what a spreadsheet would take for a formula.
    private static func escaped(_ cell: String) -> String {
        let disarmed = cell.first.map("=+-@\t\r".contains) == true ? "'" + cell : cell
        guard disarmed.contains(where: { ",\"\r\n".contains($0) }) else { return disarmed }
        return "\"" + disarmed.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
