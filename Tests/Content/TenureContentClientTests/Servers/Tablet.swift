import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureCrypto
import Testing

@testable import TenureContentClient

/// A device with its server, and a ledger for each holder.
// Sendable because one test uses it at a time, and makes one call after the other.
final class Tablet: @unchecked Sendable {
    let clock = SettableClock()
    let server: SimulatedServer
    private(set) var disks: [String: MemoryDisk] = [:]
    /// The system that stores media keys on the device.
    var keys: FakeKeys?
    /// The items whose media a library has removed.
    let removed = Removed()
    /// The items whose media a library has checked.
    let checked = Removed()

    init() { server = SimulatedServer(clock) }

    /// Opens a holder's library, as an app does when it starts.
    func open(
        _ holder: String = "mia", on bytes: [UInt8]? = nil, trust: KeyTrust = .pinned
    ) async throws -> ContentLibrary {
        let disk = bytes.map { MemoryDisk($0) } ?? disks[holder] ?? MemoryDisk()
        disks[holder] = disk
        let owner = LedgerOwner(tenant: Given.tenant, holder: holder, device: Given.device)
        let service = ContentService(
            try #require(ServerAddressBase("https://content.example")), owner: owner,
            keys: ContentKeys(pinned: ["k1": Given.key.publicKey], trust: trust), over: server, quickly: server,
            now: { [clock] in clock.truth })
        let library = try ContentLibrary(
            owner: owner, disk: disk, binding: Given.binding, service: service, clocks: clock.clocks,
            mediaCheck: { [checked] in
                checked.add($0.content)
                return $0.path != "/gone"
            }, mediaRemoval: { [removed] in removed.add($0.content) }, keySystem: keys)
        if await library.token == nil { try await library.signIn(token: "t-\(holder)") }
        return library
    }

    /// Enrols a holder for several items and adds a license for each.
    func filled(
        _ numbers: ClosedRange<Int>, _ holder: String = "mia",
        _ change: @Sendable (inout ContentPolicy) -> Void = { $0.expiresAfterDays = 30 }
    ) async throws -> ContentLibrary {
        let library = try await open(holder)
        let now = clock.truth
        for number in numbers {
            server.with { _ = $0.enrol(holder, Given.content(number), at: now, change) }
            #expect(await library.add(Given.content(number).text) == .done)
        }
        return library
    }
}

/// Names, such as those of items or languages, which may be added from any thread.
final class Removed: @unchecked Sendable {
    // Sendable because `lock` guards `names`.
    private let lock = NSLock()
    private var names: [String] = []

    func add(_ name: String) { lock.withLock { names.append(name) } }

    var all: [String] { lock.withLock { names } }
}

extension ContentLibrary {
    var token: HolderToken? { ledgerContents.token }

    func kept(_ number: Int) -> KeptLicense? { ledgerContents[Given.content(number)] }

    func status(_ number: Int) -> OfflineStatus? { content(Given.content(number).text)?.status }

    func moment() -> ContentStatus.Moment { store.instant() }

    var isPlaying: Bool { !plays.isEmpty }

    /// Whether the server's refusal can't be resolved by waiting.
    var isStuck: Bool { server.network.isStuck }

    func checkIn(anyway: Bool) async -> ToldReason? { await server.checkIn(anyway: anyway) }

    func reportUse() async -> ToldReason? { await server.reportUse() }

    func giveBackOwed() async -> ToldReason? { await server.giveBackOwed() }

    /// Renews and returns all progress and the final report.
    func renewal(_ scope: RenewalScope) async -> (progress: [RenewalProgress], report: RenewalReport?) {
        var progress: [RenewalProgress] = []
        var report: RenewalReport?
        for await event in renew(scope) {
            switch event {
            case .progress(let one): progress.append(one)
            case .finished(let whole): report = whole
            }
        }
        return (progress, report)
    }

    /// Waits until no request runs or is about to start in the background.
    ///
    /// Later changes then affect every request, and a library that is replaced writes nothing any more.
    func rest() async {
        await until { $0.renewals.running == nil && $0.renewedBehind.isEmpty && !$0.server.isAskingForToken }
    }

    /// Starts playback, or throws if it is refused.
    func playing(_ number: Int) async throws -> ContentPlayback {
        guard case .plays(let playback) = await play(Given.content(number).text) else {
            throw NoPlay()
        }
        return playback
    }
}

struct NoPlay: Error {}

extension PlayAnswer {
    var refused: (Explanation, RecoveryOption)? {
        if case .refused(let why, let option) = self { (why, option) } else { nil }
    }
}

extension ContentActAnswer {
    var refused: (Explanation, RecoveryOption)? {
        if case .refused(let why, let option) = self { (why, option) } else { nil }
    }
}
