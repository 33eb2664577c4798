import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// How a complete server treats unknown records while its store is known to have lost some.
@Suite struct RewoundStoreTests {
    private let vendor: Vendor
    private let server: LicenseServer

    init() async throws {
        vendor = try await Vendor()
        let clock = vendor.clock
        let rewinds = RewindDetector(now: { clock.now() }, log: vendor.log)
        server = try await LicenseServer(
            FeatureSet(FeatureSet.tenure.all + [Self.relay]), store: vendor.store, master: vendor.master,
            clock: vendor.clock, log: vendor.log,
            facts: ServerFacts(version: "test"), stopwatch: { 0 }, rewinds: rewinds)
    }

    /// A feature whose jobs send outbound requests, which is the default for a kind of job.
    private static let relay: Feature = {
        var feature = Feature("relay")
        feature.open = { _ throws(ServerError) in
            var running = RunningFeature()
            running.jobs = [RelayFeature.kind(rules: Job.Rules()) { _, _ throws(ServerError) in }]
            return running
        }
        return feature
    }()

    private func post(_ action: String, _ body: String) async -> Answer {
        let request = Request(
            method: "POST", path: "/acme/notes/\(action)", headers: ["Content-Type": "application/json"],
            body: Array(body.utf8), id: "r1")
        return Answer(await server.handler.respond(to: request))
    }

    private func validate(_ key: String, _ instance: String) async -> Answer {
        await post("validate", #"{"license_key":"\#(key)","instance_id":"\#(instance)"}"#)
    }

    private func ready() async -> Answer {
        Answer(await server.handler.respond(to: Request(method: "GET", path: "/ready", id: "r1")))
    }

    private func lookForRecord() async throws {
        let service = try #require(server.services.first { $0.name == "store_history" })
        _ = try await service.turn(as: nil)
    }

    private static let unknown = "00000000-0000-4000-8000-000000000001"

    @Test func `after a loss of events, unknown keys and activations get 503 until an operator accepts the loss`()
        async throws
    {
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let record = SettingRecord(
            name: "store.rewound", value: Array(#"{"noticedAt":"2027-01-15T08:00:00Z","tenants":[]}"#.utf8))
        try await vendor.save([.insert(record)])
        try await lookForRecord()
        #expect(await ready().text("rewound") == "2027-01-15T08:00:00Z")
        for answer in [
            await validate("NOTE-NONE-0000-0001", instance), await validate("NOTE-PRO0-0000-0001", Self.unknown),
            await post("activate", #"{"license_key":"NOTE-NONE-0000-0001","instance_name":"a"}"#),
            await post("deactivate", #"{"instance_id":"\#(Self.unknown)"}"#),
        ] {
            #expect(answer.status == 503 && answer.text("code") == "store_rewound")
            #expect(answer.headers["Retry-After"] == "60")
        }
        #expect(await validate("NOTE-PRO0-0000-0001", instance).status == 200)
        #expect(await post("deactivate", #"{"instance_id":"\#(instance)"}"#).status == 200)
        #expect(await validate("NOTE-PRO0-0000-0001", instance).status == 422, "the store knows that it was released")

        try await vendor.save([.remove(record)])
        try await lookForRecord()
        #expect(await ready().text("rewound") == nil)
        #expect(await validate("NOTE-NONE-0000-0001", instance).status == 404)
        #expect(await validate("NOTE-PRO0-0000-0001", Self.unknown).status == 422)
        #expect(await post("deactivate", #"{"instance_id":"\#(Self.unknown)"}"#).status == 200)
    }

    @Test func `after a loss of events, only jobs that send outbound requests wait`() async throws {
        try await vendor.save([
            .insert(
                SettingRecord(
                    name: "store.rewound", value: Array(#"{"noticedAt":"2027-01-15T08:00:00Z","tenants":[]}"#.utf8)))
        ])
        try await lookForRecord()
        var waiting: [String] = []
        for service in server.services where service.name.hasPrefix("jobs_") {
            if try await service.turn(as: nil) == .after(.seconds(5)) { waiting.append(service.name) }
        }
        #expect(waiting.sorted() == ["jobs_selling_catch_up", "jobs_selling_message", "jobs_test_relay"])
        #expect(server.services.contains { $0.name == "jobs_packages_notification" })
    }
}
