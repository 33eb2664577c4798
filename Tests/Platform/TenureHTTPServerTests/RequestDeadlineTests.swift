import Synchronization
import TenureHTTP
import TenureHTTPServer
import TenureThreads
import Testing

@Suite struct RequestDeadlineTests {
    @Test func `a handler can read its request's deadline, before and after it waits`() async throws {
        let gate = Gate()
        let seen = Mutex<[SteadyTime]>([])
        let handler = Reply { _ in
            seen.withLock { $0.append(Deadline.current) }
            await gate.pass()
            seen.withLock { $0.append(Deadline.current) }
            return .text("")
        }
        let began = SteadyTime.now()
        try await withServer(handler, { $0.requestDeadline = .seconds(600) }) { server in
            let client = try Client(server.address)
            async let answer = client.ask(get("/"))
            await gate.arrivals(1)
            gate.open()
            #expect(await answer?.status == 200)
        }
        let (first, second) = seen.withLock { ($0[0], $0[1]) }
        #expect(first == second)
        #expect(first >= began.advanced(by: .seconds(600)) && first <= SteadyTime.now().advanced(by: .seconds(600)))
        #expect(Deadline.current == .never)
    }
}
