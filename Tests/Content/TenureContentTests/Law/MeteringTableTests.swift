import Foundation
import GoldenFiles
import TenureContent
import TenureCore
import Testing

/// Plays every row of `Documentation/metering.md`, with both time bases.
@Suite struct MeteringTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let script: String
        let media, wall: Int64
        let plays: Int
        var testDescription: String { script }
    }

    static func rows() throws -> [Row] {
        let page = URL.packageRoot.appending(path: "Documentation/metering.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let script = cells[0].split(separator: "`").dropFirst().first else { return nil }
            return Row(
                script: String(script), media: try #require(Int64(cells[1])), wall: try #require(Int64(cells[2])),
                plays: try #require(Int(cells[3])))
        }
    }

    @Test(arguments: try rows(), ContentTerms.Basis.allCases)
    func `each sequence of player events uses the plays and play time that the documented metering table lists`(
        row: Row, basis: ContentTerms.Basis
    ) throws {
        let player = try played(row.script, on: basis)
        #expect(player.ledger.used.plays == row.plays)
        #expect(player.ledger.used.playSeconds == (basis == .media ? row.media : row.wall))
    }

    @Test func `the documented metering table has a row for every event`() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 30)
        for word in [
            "seek", "pause", "close", "wait", "fall", "start", "renew", "carry", "count", "limit", "resume", " at ",
        ] {
            #expect(rows.contains { $0.script.contains(word) }, "\(word)")
        }
    }

    private func played(_ script: String, on basis: ContentTerms.Basis) throws -> SimulatedPlayer {
        var player = SimulatedPlayer(GivenContent.grant { $0.playTimeBasis = basis })
        for step in script.split(separator: ",").map({ $0.split(separator: " ") }) {
            let amount = step.count > 1 ? try #require(Double(step[1])) : 0
            let millis = Int64(amount * 1_000)
            switch step[0] {
            case "count", "limit", "carry", "resume":
                player = SimulatedPlayer(
                    GivenContent.grant {
                        $0 = player.grant.terms
                        if step[0] == "count" { $0.countAfterSeconds = Int64(amount) }
                        if step[0] == "limit" { $0.playSeconds = Int64(amount) }
                        if step[0] == "carry" { $0.ledger = .carry }
                        if step[0] == "resume" { $0.resumeWithinSeconds = Int64(amount) }
                    })
            case "open": player.open()
            case "picture": player.picture()
            case "play":
                let speed = step.count == 4 ? try #require(Double(step[3])) : 1
                player.play(millis: millis, permille: Int64(speed * 1_000))
            case "seek", "fall": break  // Seeking renders nothing; a crashed player reports nothing.
            case "pause":
                player.ledger.pause(at: player.now)
                player.wait(millis: millis)
            case "close": player.ledger.rest(at: player.now)
            case "wait": player.wait(millis: millis)
            case "start": player.ledger.recover(under: player.grant, at: player.now)
            case "renew": player.renew()
            default: Issue.record("\(step[0]) is not a word of the table")
            }
        }
        return player
    }
}
