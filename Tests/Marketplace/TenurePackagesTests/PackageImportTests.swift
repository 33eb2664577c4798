import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import Testing

@testable import TenurePackages

/// The states of a package import, without a network or a store.
@Suite struct PackageImportTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let tenant = TenantID("mart")!

    private static func one(_ state: PackageImport.State, failures: Int = 0) -> PackageImport {
        var random = SystemRandomNumberGenerator()
        var one = PackageImport.announced(
            "v-1", package: "p-1", item: AppleItemID(number: 7), of: tenant, job: Job.ID.random(using: &random), at: now
        )
        (one.state, one.failures) = (state, failures)
        return one
    }

    /// The state, the result of a step, and the next state with its cause and the seconds until the next attempt.
    @Test(
        arguments: [
            (one(.announced), .fetching, .fetching, nil, nil),
            (one(.waiting, failures: 4), .fetching, .fetching, nil, nil),
            (one(.announced), .waiting("not_connected", seconds: 3600), .waiting, "not_connected", 3600),
            (one(.fetching), .trouble("unreachable", seconds: 0), .waiting, "unreachable", 5),
            (one(.waiting, failures: 1), .trouble("unreachable", seconds: 0), .waiting, "unreachable", 30),
            (
                one(.waiting, failures: 1), .trouble("apple_unavailable", seconds: 900), .waiting, "apple_unavailable",
                900
            ),
            (one(.waiting, failures: 9), .trouble("unreachable", seconds: 0), .waiting, "unreachable", 86_400),
            (one(.waiting, failures: 10), .trouble("unreachable", seconds: 0), .failed, "unreachable", nil),
            (one(.fetching), .held("app_not_listed", seconds: 60), .held, "app_not_listed", 60),
            (one(.held), .ready(nil), .ready, nil, nil),
            (one(.fetching), .ready("keys_missing"), .ready, "keys_missing", nil),
            (one(.fetching), .failed("package_refused"), .failed, "package_refused", nil),
            (one(.fetching), .withdrawn, .withdrawn, nil, nil),
            (one(.withdrawn), .fetching, .withdrawn, nil, nil),
            (one(.withdrawn), .ready(nil), .withdrawn, nil, nil),
            (one(.failed), .fetching, .fetching, nil, nil),
        ] as [(PackageImport, PackageImport.Step, PackageImport.State, String?, Int64?)])
    func `each step of a package import gives the next state, its cause and the delay until the next attempt`(
        before: PackageImport, step: PackageImport.Step, state: PackageImport.State, cause: String?, seconds: Int64?
    ) {
        let after = before.taking(step, at: Self.now, draw: 0)
        #expect(after.state == state)
        #expect(after.cause == cause)
        #expect(after.nextAt == seconds.map { Self.now.adding(seconds: $0) })
        if state == .fetching { #expect(after.failures == 0) }
    }

    @Test(arguments: PackageImport.State.allCases)
    func `only a failed or withdrawn package import starts again on request`(state: PackageImport.State) {
        var random = SystemRandomNumberGenerator()
        let again = Self.one(state, failures: 3).requested(by: Job.ID.random(using: &random), at: Self.now)
        #expect((again != nil) == (state == .failed || state == .withdrawn))
        if let again {
            #expect(again.state == .announced)
            #expect(again.failures == 0)
        }
    }

    @Test func `an app version imported without its package's name can be imported again once the name is known`() {
        var random = SystemRandomNumberGenerator()
        let job = Job.ID.random(using: &random)
        var nameless = Self.one(.ready)
        nameless.package = nil
        #expect(nameless.requested(by: job, at: Self.now) == nil)
        let named = nameless.requested(by: job, package: "p-2", at: Self.now)
        #expect(named?.package == "p-2" && named?.state == .announced)
        #expect(Self.one(.ready).requested(by: job, package: "p-2", at: Self.now) == nil)
        #expect(Self.one(.failed).requested(by: job, at: Self.now)?.package == "p-1")
    }
}
