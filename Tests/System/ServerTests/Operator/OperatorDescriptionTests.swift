import Foundation
import GoldenFiles
import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureServerKit
import TenureStore
import Testing

@Suite struct `The description of the operator API` {
    /// Compares the API description with the checked-in copy, so that changes of the API appear in diffs.
    ///
    /// `TENURE_WRITE_COPIES=1` writes the copy again.
    @Test func `the OpenAPI document in the documentation matches the server's`() async throws {
        let served = await (try Vendor()).get("/openapi.json")
        #expect(served.headers["Content-Type"] == "application/json")
        let copy = URL.packageRoot.appending(path: "Documentation/openapi.json")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try Data(served.bytes).write(to: copy)
        }
        #expect(Array(try Data(contentsOf: copy)) == served.bytes)
    }

    @Test func `the API description of a problem and a reason lists the members that responses have`() throws {
        let reason = Reason(.licenseExpired, message: "m", cure: "c")
        let problem = ProblemDetails(status: 409, title: "t", refusal: Refusal(reason))
        let written = try FlatObject(scanning: problem.json())
        #expect(written.names == ProblemDetails.document.members.map(\.name))
        let inside = try #require(written.objects("reasons").value?.first)
        #expect(inside.names == Reason.document.members.map(\.name))
    }
}
