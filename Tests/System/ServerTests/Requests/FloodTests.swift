import Synchronization
import TenureHTTP
import TenureServerKit
import TenureTesting
import Testing

/// Many callers that wait for one limited resource leave capacity for other requests.
@Suite struct FloodTests {
    final class Counts: Sendable {
        let numbers = Mutex((turnedAway: 0, answered: 0))
    }

    @Test func `an activation succeeds while more password checks arrive than the server admits`() async throws {
        let vendor = try await Vendor(
            Vendor.catalog.replacing(
                #""id": "acme", "name": "Acme","#,
                with: #""id": "acme", "name": "Acme", "marketplace": {"domain": "mart.example", "access": "token"},"#),
            changesAtOnce: 8)
        let count = 24
        let (handler, counts) = (vendor.server.handler, Counts())
        await withTaskGroup { group in
            // Each request has a different address in the proxy's header.
            for number in 1...count {
                let request = Request(
                    method: "POST", path: "/resolve/acme/sign-in",
                    headers: [
                        "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": "203.0.113.\(number)",
                    ], body: Array("account=ada&password=a-wrong-one".utf8), id: "r\(number)")
                group.addTask {
                    let isTurnedAway = await handler.respond(to: request).status == 503
                    counts.numbers.withLock { numbers in
                        numbers.answered += 1
                        if isTurnedAway { numbers.turnedAway += 1 }
                    }
                }
            }
            // Two passwords are checked at once and two wait. The others get a 503 or come later.
            while counts.numbers.withLock({ $0.turnedAway < count - 4 && $0.answered < count }) { await Task.yield() }
            let answer = await vendor.post(
                "/acme/notes/activate", #"{"license_key": "NOTE-PRO0-0000-0001", "instance_name": "x"}"#)
            #expect(answer.status == 200)
        }
        // The sign-ins' own queue was full, not the queue of all changes.
        #expect("\(vendor.log.lines)".contains("turns_busy"))
    }
}
