import TenureClient
import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import Testing

@Suite struct ActivatedDevicesTests {
    private let bench: TenureBench

    init() throws { bench = try TenureBench() }

    private func places(
        freeing other: String?, received: Heard = Heard(),
        _ change: @escaping @Sendable (inout TenureBench.Said) -> Void = { _ in }
    ) async throws -> Answer<ActivatedDevices> {
        try await withServer { request in
            received.note(request)
            guard var said = try? bench.said(request) else { return .json(500, "{}") }
            change(&said)
            guard let envelope = try? bench.envelope(said) else { return .json(500, "{}") }
            let device = TenureDevices.Device(
                activation: bench.activation, name: "Lap\u{1B}top",
                system: DeviceSystem(name: "Ubuntu", version: "24.04"), activatedAt: TenureBench.now,
                lastSeenAt: TenureBench.now)
            let result = TenureDevices(
                envelope, activationLimit: 3, selfRelease: .init(left: 1, nextAt: TenureBench.now), devices: [device])
            return .json(200, "{\"devices\":\"\(bench.compact(result))\"}")
        } _: { url in
            try await bench.client(of: url).places(of: bench.held, lease: Array("a.b.c".utf8), freeing: other)
        }
    }

    @Test func `a signed device list is accepted, and control characters are removed from its device names`()
        async throws
    {
        let held = try #require(try await places(freeing: nil).granted)
        #expect(held.places.map(\.activation) == [bench.held.activation])
        #expect(held.places.map(\.name) == ["Laptop"])
        #expect(held.places.map(\.system?.text) == ["Ubuntu 24.04"])
        #expect(held.limit == 3)
        #expect(held.releasesLeft == 1)
        #expect(held.nextRelease == Moment(TenureBench.now))
    }

    @Test func `a device list for another device or license isn't accepted`() async throws {
        #expect(try await places(freeing: nil) { $0.device = bench.other }.unreached?.cause == .unverified)
        #expect(try await places(freeing: nil) { $0.key = "OTHER" }.unreached?.cause == .unverified)
    }

    @Test func `releasing another device sends its activation id and this device's lease`() async throws {
        let received = Heard()
        _ = try await places(freeing: "5f0c2a1e-0000-4000-8000-000000000009", received: received)
        #expect(received.paths == ["/v1/acme/notes/leases/devices/release"])
        let sent = try FlatObject(scanning: try #require(received.all.first).body)
        #expect(sent.string("lease").value == "a.b.c")
        #expect(sent.string("release").value == "5f0c2a1e-0000-4000-8000-000000000009")
    }

    @Test func `over Keylight, listing devices fails without a request`() async throws {
        let keylight = try KeylightBench().client(of: "http://127.0.0.1:1")
        let answer = await keylight.places(of: bench.held, lease: [], freeing: nil)
        #expect(answer.unreached?.cause == .misconfigured)
    }
}
