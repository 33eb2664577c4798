import GoldenFiles
import TenureSellingServer
import Testing

@Suite struct PaymentMessageReasonTests {
    @Test func `the page on selling lists every reason of a payment message with its state and remedy`() throws {
        let documented = try DocumentedTable.rows(of: "selling.md", below: "What became of a message").filter {
            $0[1] != "-"
        }
        let expected = PaymentMessageReason.allCases.map { reason in
            ["`\(reason.remedy == nil ? "ignored" : "parked")`", "`\(reason.rawValue)`", reason.remedy ?? "Nothing."]
        }
        #expect(documented.map { [$0[0], $0[1], $0[3]] } == expected)
    }
}
