import Foundation
import GoldenFiles
import TenureClient
import TenureCore
import TenureLicensing
import Testing

/// The reasons that originate in the client.
@Suite struct ReasonKindTests {
    @Test func `a client's reason codes are unique and differ from the server's licensing and trial codes`() {
        let server = Reason.Kind.licensing + Reason.Kind.trials
        let all = Reason.Kind.client + server
        #expect(Set(all.map(\.text)).count == all.count)
    }

    @Test func `the reference page of client reasons matches the declared reasons`() throws {
        let page = URL.packageRoot.appending(path: "Documentation/client-reasons.md")
        let printed = """
            # Reasons that a client reports

            This page is for app developers: it lists the reasons that `TenureClient` determines itself.

            This page is generated: `TENURE_WRITE_COPIES=1 swift test --filter ReasonKind`.

            \(Reason.Kind.client.table)
            """
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try Data(printed.utf8).write(to: page)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == printed)
    }
}
