import Synchronization
import TenureHTTP
import TenureHTTPClient
import TenureHTTPServer
import Testing

struct CancellationTests {
    @Test func `a cancelled request fails with the code cancelled before its response arrives`() async throws {
        let gate = Gate()
        let transport = try transport()
        try await withServer(
            Reply { _ in
                await gate.pass(); return .text("late")
            }
        ) { url, _ in
            let task = Task { try await transport.text(of: url) }
            await gate.arrivals(1)
            task.cancel()
            let error = await task.result.failure
            #expect(error?.code == .cancelled)
            gate.open()
            let text = try await transport.text(of: url)
            #expect(text == "late")
        }
    }

    @Test func `a request in a task that was already cancelled isn't sent`() async throws {
        let transport = try transport()
        let requests = Atomic(0)
        try await withServer(
            Reply { _ in
                requests.add(1, ordering: .relaxed); return .text("")
            }
        ) { url, _ in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.text(of: url)
            }
            let error = await task.result.failure
            #expect(error?.code == .cancelled)
        }
        #expect(requests.load(ordering: .relaxed) == 0)
    }

    @Test func `five hundred cancelled requests neither hang nor leak file descriptors`() async throws {
        let before = openDescriptors()
        let gate = Gate()
        try await withServer(
            Reply { _ in
                await gate.pass(); return .text("late")
            }
        ) { url, _ in
            let transport = try transport { $0.connectionLimit = 50 }
            let tasks = (0..<500).map { number in Task { try await transport.text(of: "\(url)/\(number)") } }
            await gate.arrivals(50)
            for task in tasks { task.cancel() }
            for task in tasks {
                let error = await task.result.failure
                #expect(error?.code == .cancelled)
            }
            gate.open()
            let text = try await transport.text(of: url)
            #expect(text == "late")
        }
        // The thread of a transport without references ends automatically and closes its file descriptors.
        #expect(
            await eventually { openDescriptors().isSubset(of: before) }, "\(openDescriptors().subtracting(before))")
    }

    @Test func `requests cancelled at any time either succeed or fail with the code cancelled`() async throws {
        let transport = try transport { $0.connectionLimit = 16 }
        try await withServer(echo) { url, _ in
            let outcomes = await withTaskGroup(of: String.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let task = Task { try await transport.text(of: "\(url)/\(number)") }
                        for _ in 0..<(number % 40) { await Task.yield() }
                        task.cancel()
                        switch await task.result {
                        case .success(let answer): return answer == "GET /\(number)  " ? "answered" : answer
                        case .failure(let error): return (error as? TransportError)?.code.text ?? "\(error)"
                        }
                    }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(outcomes.isSubset(of: ["answered", "cancelled"]), "\(outcomes)")
        }
    }
}
