import TenureClient
import TenureCore
import Testing

/// Actions that overlap in one process or in two processes.
@MainActor @Suite struct OverlapTests {
    @Test func `a deactivation waits for a running activation`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        let (gate, opening) = AsyncStream<Void>.makeStream()
        app.vendor.change { $0.gates["activate"] = gate }
        let activation = Task { try await manager.activate("KEY-A") }
        while app.vendor.requests.last != "activate" || app.vendor.requests.count < 3 { await Task.yield() }
        let deactivation = Task { try await manager.deactivate() }
        // Yields often enough for the deactivation to overtake the activation.
        for _ in 0..<1_000 { await Task.yield() }
        opening.finish()
        #expect(try await activation.value == .done)
        #expect(try await deactivation.value == .done)
        #expect(manager.state == .expired)
        #expect(app.vendor.seat(of: "KEY-A") == nil)
    }

    @Test
    func `after concurrent activations and deactivations, at most one activation exists and all states are equal`()
        async throws
    {
        var generator = SeededGenerator(seed: 3)
        for round in 0..<300 {
            let app = App()
            app.issue("KEY-A")
            app.issue("KEY-B")
            let managers = [await app.launch(), await app.launch()]
            var acts: [@MainActor (LicenseManager) async -> Void] = [
                { _ = try? await $0.activate("KEY-A") }, { _ = try? await $0.activate("KEY-A") },
                { _ = try? await $0.activate("KEY-B") }, { _ = try? await $0.deactivate() },
                { _ = try? await $0.startTrial() }, { await $0.refreshIfNeeded() }, { await $0.launch() },
            ]
            acts.shuffle(using: &generator)
            // The first rounds use one process, so that only the queue within the process can keep the order.
            let count = round < 200 ? 1 : 2
            await withTaskGroup { group in
                for (number, act) in acts.enumerated() {
                    let manager = managers[number % count]
                    group.addTask { await act(manager) }
                }
            }
            app.clock.pass(7 * 3_600)
            let manager = await app.launch()
            let seats = ["KEY-A", "KEY-B"].compactMap { app.vendor.seat(of: $0) }
            if count == 1 {
                #expect(seats.count == (manager.state == .licensed ? 1 : 0), "round \(round)")
                #expect(manager.state != .invalid, "round \(round)")
            }
            #expect(seats.count <= 1, "round \(round)")
            await managers[0].refreshIfNeeded()
            #expect(managers[0].state == manager.state, "round \(round)")
        }
    }
}
