import Synchronization
import TenureHTTP
import TenureServerKit
import TenureTesting
import Testing

/// What many who wait for something of their own leave to others.
@Suite struct FloodTests {
    final class Counts: Sendable {
        let numbers = Mutex((turnedAway: 0, answered: 0))
    }

    @Test func `passwords that wait to be tried leave room for an activation`() async throws {
        let vendor = try await Vendor(
            Vendor.catalog.replacing(
                #""id": "acme", "name": "Acme","#,
                with: #""id": "acme", "name": "Acme", "marketplace": {"domain": "mart.example", "access": "token"},"#),
            changesAtOnce: 8)
        let count = 24
        let (handler, counts) = (vendor.server.handler, Counts())
        await withTaskGroup { group in
            // Each from a network of its own, as a proxy tells it.
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
            // Two are tried at once and two wait. The others are told to come again, or come later.
            while counts.numbers.withLock({ $0.turnedAway < count - 4 && $0.answered < count }) { await Task.yield() }
            let answer = await vendor.post(
                "/acme/notes/activate", #"{"license_key": "NOTE-PRO0-0000-0001", "instance_name": "x"}"#)
            #expect(answer.status == 200)
        }
        // It was their own queue that was full, and not the places of everybody's changes.
        #expect("\(vendor.log.lines)".contains("turns_busy"))
    }
}
